package dev.kopf4j.engine.children;

import dev.kopf4j.Resource;
import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ApiException.ConflictException;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.LeadershipLostException;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.cause.DeletionState;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.children.ChildrenMemory.WriteFailure;
import dev.kopf4j.engine.children.DesiredChildren.ChildConfiguration;
import dev.kopf4j.engine.children.DesiredChildren.DesiredChild;
import dev.kopf4j.engine.children.LiveChild.AppliedFields;
import dev.kopf4j.engine.children.LiveChild.ChildMarks;
import dev.kopf4j.engine.children.LiveChild.Judgement;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.hierarchy.ObjectEvent;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.BodyView;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task.TaskEndError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Brings children to what they ought to be: compares, applies, deletes. A child that is as it was applied costs no
 * request. Confined to one pass.
 *
 * <p>What somebody else has made is left alone, unless the author wants it taken over. Server-side apply creates what
 * is not there, and merges into what is: so each apply carries a condition, by which the server itself closes the time
 * between the look and the write. Of a child that is known, it is its uid. Of one that is not, it is a version that no
 * object has: the server takes it for an object that it creates, and refuses it for one that exists. Then the object
 * itself tells whose it is. Each request is one attempt: what fails is tried again in a later cycle, so that the
 * parent's own handling goes on.
 */
final class ChildWriter {
    /** In a minute, for each child. */
    private static final int WRITES_MAX = 10;

    /** How soon the garbage collector may have deleted what an earlier parent has left. */
    private static final Duration LEFT_OVER = Duration.ofSeconds(1);

    /** In one pass, of a child that changes all the time. */
    private static final int JUDGEMENTS_MAX = 3;

    private static final String DELETING = "it is being deleted";
    private static final String LEFT = "it is gone, or no child of this object any more";

    /** No object ever has it: the first write to a cluster makes version 2. */
    private static final String NO_VERSION = "1";

    /** The way out if managed fields are in a version that is gone. */
    private static final String EMPTY_MANAGED_FIELDS = "; its managedFields name a version that its definition does not"
            + " have any more, and the server applies nothing to it until they are emptied: `kubectl patch KIND NAME"
            + " --type=merge -p '{\"metadata\":{\"managedFields\":[{}]}}'`";

    private final ChildrenEnvironment environment;
    private final Platform platform;
    private final ResourceObject parent;
    private final ChildrenMemory memory;
    private int writesMax = WRITES_MAX;
    private Duration backoff;
    /** The uid of the child that is looked at; null if there is none yet. */
    private @Nullable String knownUid;

    ChildWriter(ChildrenEnvironment environment, ResourceObject parent, ChildrenMemory memory) {
        this.environment = environment;
        this.platform = environment.platform();
        this.parent = parent;
        this.memory = memory;
        this.backoff = environment.backoff();
    }

    /** How many children the parent has: the limit of writes is for each. */
    void expect(int children) {
        writesMax = WRITES_MAX * Math.max(1, children);
    }

    /**
     * Looks at a child, and writes it if it differs.
     *
     * @param handler the handler that wants it
     * @param known the one that exists; null if there is none
     */
    ChildOutcome writeIfDifferent(RegisteredHandler handler, DesiredChild desired, @Nullable LiveChild known)
            throws InterruptedException {
        backoff = Objects.requireNonNullElse(handler.options().backoff(), environment.backoff());
        ChildConfiguration configuration = desired.configuration();
        knownUid = known == null ? null : known.uid();
        Resource resource = environment.index().resource(configuration.apiVersion(), configuration.kind());
        if (resource == null) {
            return failed(
                    configuration,
                    "ChildKindUnknown",
                    "its kind (" + configuration.apiVersion() + ") is not watched: name it in @OnReconcile(children ="
                            + " ...), and see that the cluster serves it, and that no handler is for another version of"
                            + " it (K4-030)");
        }
        if (known != null && known.judgement().deleting()) {
            return ChildOutcome.of(configuration.title(), "it is being deleted, and is created anew after that");
        }
        if (known != null && isAsApplied(known, configuration)) {
            return settled(known, desired);
        }
        if (!resource.namespaced() && parent.reference().namespace() != null) {
            return failed(
                    configuration,
                    "ChildRefused",
                    "it is cluster-scoped, and cannot be owned by an object in a namespace; create it in a handler of"
                            + " changes");
        }
        if (hasNoPlace(desired)) {
            return failed(
                    configuration,
                    "ChildRefused",
                    "it needs metadata.namespace, as its parent is cluster-scoped and has none to give");
        }
        ChildOutcome occupied = known == null ? occupied(resource, configuration) : null;
        if (occupied != null) {
            return occupied;
        }
        ChildOutcome waiting = waiting(configuration.title(), false);
        return waiting != null ? waiting : write(resource, desired, known, new Liberties(handler, desired));
    }

    /** True if it needs a namespace, and neither it nor its parent says which: nobody knows which object is meant. */
    boolean hasNoPlace(DesiredChild desired) {
        ChildConfiguration configuration = desired.configuration();
        Resource resource = environment.index().resource(configuration.apiVersion(), configuration.kind());
        return resource != null && resource.namespaced() && configuration.namespace() == null;
    }

    /**
     * How a child is whose last attempt has failed, until the next one is due; null for others. If it has gone or come
     * since, what was refused may well be accepted.
     */
    private @Nullable ChildOutcome waiting(String title, boolean deletion) {
        WriteFailure failure = memory.writeFailure(title, deletion);
        return failure == null || failure.retryAt().hasPassed(platform) || !Objects.equals(failure.uid(), knownUid)
                ? null
                : new ChildOutcome(title, failure.message(), failure.reason(), failure.retryAt());
    }

    /** What the author allows beyond the usual: to take fields of other managers, to take over others' objects. */
    private record Liberties(boolean force, boolean adopt) {
        Liberties(RegisteredHandler handler, DesiredChild desired) {
            this(
                    handler.options().force() || desired.isForced(),
                    handler.options().adopt() || desired.isAdopted());
        }
    }

    /**
     * What is told if the child of that name belongs to another parent: applied by the same manager, it would be taken
     * away from it without a conflict. Null otherwise.
     */
    private @Nullable ChildOutcome occupied(Resource resource, ChildConfiguration configuration) {
        LiveChild other = environment.index().find(resource, namespace(resource, configuration), configuration.name());
        if (other == null
                || !other.isOwn()
                || other.belongsTo(String.valueOf(parent.reference().uid()))) {
            return null;
        }
        if (environment.index().hasParent(other)) {
            return failed(
                    configuration,
                    "ChildConflict",
                    "it belongs to another parent, whose child of that name this operator has made; give it another name");
        }
        return new ChildOutcome(
                configuration.title(),
                "it waits until the child of an earlier parent is deleted",
                ChildOutcome.NOT_READY,
                platform.after(LEFT_OVER));
    }

    private static boolean isAsApplied(LiveChild known, ChildConfiguration configuration) {
        JsonNode fields = known.judgement().fields();
        return known.isOwn()
                && known.seen().applied().equals(configuration.applied())
                && (known.judgement().settled()
                        || (fields != null && AppliedFields.cover(fields, configuration.node())));
    }

    /** No request is needed, unless only the body tells whether the child is ready. */
    private ChildOutcome settled(LiveChild known, DesiredChild desired) throws InterruptedException {
        String title = desired.configuration().title();
        Judgement judgement = known.judgement();
        if (desired.readyTest() == null) {
            if (!judgement.settled() || judgement.tested()) {
                environment.index().settle(known, judgement.trouble(), false);
            }
            return ChildOutcome.of(title, judgement.trouble());
        }
        ObjectNode body = judgement.body();
        if (body != null) {
            return tested(known, desired, body);
        }
        if (judgement.tested() && judgement.settled()) {
            return ChildOutcome.of(title, judgement.trouble());
        }
        return write(known.resource(), desired, known, new Liberties(false, false));
    }

    /** The test sees the whole child, of which a stream of such a kind may tell the metadata alone. */
    private ChildOutcome tested(LiveChild known, DesiredChild desired, ObjectNode body) throws InterruptedException {
        ObjectNode whole = body;
        if (Readiness.isAlwaysReady(known.resource())) {
            try {
                whole = environment.api().read(known.resource(), known.namespace(), known.name());
            } catch (LeadershipLostException e) {
                throw e;
            } catch (ClientException e) {
                return refused(desired.configuration().title(), false, e);
            }
        }
        String trouble = trouble(known.resource(), desired, whole);
        environment.index().settle(known, trouble, true);
        return ChildOutcome.of(desired.configuration().title(), trouble);
    }

    private ChildOutcome write(Resource resource, DesiredChild desired, @Nullable LiveChild known, Liberties liberties)
            throws InterruptedException {
        ChildConfiguration configuration = desired.configuration();
        if (!memory.mayWrite(platform, writesMax)) {
            return failed(
                    configuration,
                    "ChildChangedAgain",
                    "the children were written " + writesMax
                            + " times within a minute: somebody changes or deletes them again and again, such as"
                            + " another operator with the same children.fieldManager, '" + environment.fieldManager()
                            + "' (operator.name)",
                    memory.writesUntil());
        }
        try {
            ObjectNode answer = apply(resource, configuration, known, liberties);
            tellOfDroppedMarks(configuration, answer);
            String trouble = trouble(resource, desired, answer);
            environment.index().written(resource, answer, trouble, desired.readyTest() != null);
            memory.writeSucceeded(configuration.title());
            parent.localLogger()
                    .info(
                            "{} was {}.",
                            configuration.title(),
                            known == null ? "applied" : "brought to what it ought to be");
            return ChildOutcome.of(configuration.title(), trouble);
        } catch (LeadershipLostException e) {
            throw e;
        } catch (NotWritten e) {
            memory.writeRefused();
            return e.outcome;
        } catch (ClientException e) {
            memory.writeRefused();
            return refused(configuration.title(), false, e);
        }
    }

    /**
     * A policy may take off at admission what children are known by. That is told once for each child; to write it
     * again and again would change nothing.
     */
    private void tellOfDroppedMarks(ChildConfiguration configuration, ObjectNode answer) {
        String dropped =
                String.join(", ", droppedMarks(configuration.node().path("metadata"), answer.path("metadata")));
        if (!memory.reportsDroppedMarks(configuration.applied().handler(), configuration.title(), dropped)) {
            return;
        }
        String message = configuration.title() + ": the server has taken off " + dropped
                + ", as a policy or a webhook wants it: changes and the deletion of this child may go unnoticed, and it"
                + " may stay when nobody wants it any more, or its parent goes. Let the policy spare that";
        parent.localLogger().warn("{}", message);
        environment.events().post(ObjectEvent.warning(parent.reference(), "ChildMarksDropped", message));
    }

    private List<String> droppedMarks(JsonNode sent, JsonNode stored) {
        List<String> dropped = new ArrayList<>();
        if (differ(sent.path("labels"), stored.path("labels"), ChildMarks.MANAGED_BY)) {
            dropped.add("the label " + ChildMarks.MANAGED_BY);
        }
        if (differ(sent.path("annotations"), stored.path("annotations"), ChildMarks.APPLIED)) {
            dropped.add("the annotation " + ChildMarks.APPLIED);
        }
        if (!isOwned(stored)) {
            dropped.add("the owner");
        }
        return dropped;
    }

    /** True if an object with that metadata names the parent as an owner. */
    private boolean isOwned(JsonNode metadata) {
        return metadata.path("ownerReferences")
                .valueStream()
                .anyMatch(owner ->
                        owner.path("uid").asString("").equals(parent.reference().uid()));
    }

    private static boolean differ(JsonNode sent, JsonNode stored, String key) {
        return !sent.path(key).asString("").equals(stored.path(key).asString(""));
    }

    /** The child is not written, for a reason that is known. */
    private static final class NotWritten extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private final transient ChildOutcome outcome;

        NotWritten(ChildOutcome outcome, ApiException cause) {
            super(cause);
            this.outcome = outcome;
        }
    }

    private ObjectNode apply(
            Resource resource, ChildConfiguration configuration, @Nullable LiveChild known, Liberties liberties)
            throws InterruptedException {
        String uid = known == null ? null : known.uid();
        try {
            return send(resource, configuration, uid, liberties.force());
        } catch (ApiException e) {
            ApplyConflict conflict = ApplyConflict.of(e);
            if (known != null && known.isOwn()) {
                return applyAgainst(conflict, e, resource, configuration, known.uid(), liberties);
            }
            if (!mayBeAboutIdentity(e)) {
                throw e;
            }
            // There is one, or another one than was known.
            ObjectNode existing = existing(resource, configuration, e);
            checkThatItMayBeTaken(resource, existing, configuration, liberties, e);
            String found = existing.path("metadata").path("uid").asString("");
            try {
                return send(resource, configuration, found, liberties.force());
            } catch (ConflictException again) {
                return applyAgainst(ApplyConflict.of(again), again, resource, configuration, found, liberties);
            }
        }
    }

    /** True if it may succeed when the object is looked at again; what admission denies is denied again. */
    private static boolean mayBeAboutIdentity(ApiException refusal) {
        return (refusal instanceof ConflictException && !refusal.isDenied()) || refusal.isAboutIdentity();
    }

    /** If there is none, the refusal was about something else. */
    private ObjectNode existing(Resource resource, ChildConfiguration configuration, ApiException refusal)
            throws InterruptedException {
        try {
            return environment.api().read(resource, namespace(resource, configuration), configuration.name());
        } catch (NotFoundException _) {
            throw refusal;
        }
    }

    /** Changes by hand of what is the operator's own are undone; other appliers keep their fields, and mean to. */
    private ObjectNode applyAgainst(
            @Nullable ApplyConflict conflict,
            ApiException refusal,
            Resource resource,
            ChildConfiguration configuration,
            String uid,
            Liberties liberties)
            throws InterruptedException {
        if (conflict == null && mayBeAboutIdentity(refusal)) {
            throw new NotWritten(
                    new ChildOutcome(
                            configuration.title(),
                            "it was deleted or replaced in this moment, and is looked at again",
                            ChildOutcome.NOT_READY,
                            platform.after(LEFT_OVER)),
                    refusal);
        }
        if (conflict == null || liberties.force()) {
            throw refusal;
        }
        if (conflict.withAppliers()) {
            throw notWritten(
                    configuration,
                    "ChildConflict",
                    "its fields belong to another manager: " + conflict + ". "
                            + (conflict.isAboutMarks()
                                    ? "The marks kopf4j.dev are an operator's: if it is this one, whose"
                                            + " children.fieldManager was changed, take the fields by force = true"
                                            + " for one version; if it is another one, give the child another name"
                                    : "Leave these fields out, or take them by force = true"),
                    refusal);
        }
        parent.localLogger().info("{} was changed by {}.", configuration.title(), conflict);
        return send(resource, configuration, uid, true);
    }

    /**
     * An object is the operator's if it belongs to the parent already, or if nobody else controls it and the operator
     * has applied or labelled it, or has known this very object as a child of the parent that it has made: whoever
     * writes it as a whole takes off all marks.
     */
    private void checkThatItMayBeTaken(
            Resource resource,
            ObjectNode existing,
            ChildConfiguration configuration,
            Liberties liberties,
            ApiException refusal) {
        if (isOwned(existing.path("metadata"))) {
            return;
        }
        JsonNode controller = null;
        for (JsonNode owner : existing.path("metadata").path("ownerReferences")) {
            controller = owner.path("controller").asBoolean(false) ? owner : controller;
        }
        if (controller != null) {
            String name = controller.path("kind").asString("") + " "
                    + controller.path("name").asString("");
            throw notWritten(
                    configuration,
                    "ChildConflict",
                    "one exists that " + name + " controls: it is left alone. Give the child another name",
                    refusal);
        }
        boolean own = LiveChild.isOwn(existing, environment.fieldManager())
                || existing.path("metadata")
                        .path("labels")
                        .path(ChildMarks.MANAGED_BY)
                        .asString("")
                        .equals(environment.fieldManager())
                || environment
                        .index()
                        .wasChild(
                                resource,
                                namespace(resource, configuration),
                                existing.path("metadata").path("uid").asString(""),
                                String.valueOf(parent.reference().uid()));
        if (!own && !liberties.adopt()) {
            throw notWritten(
                    configuration,
                    "ChildExists",
                    "one exists that this operator has not made: it is left alone. Give the child another name,"
                            + " delete the existing one, or let it be taken over by adopt = true",
                    refusal);
        }
    }

    private static @Nullable String namespace(Resource resource, ChildConfiguration configuration) {
        return resource.namespaced() ? configuration.namespace() : null;
    }

    /** The uid is that of the child as it is known; null if there must be none yet. */
    private ObjectNode send(Resource resource, ChildConfiguration configuration, @Nullable String uid, boolean force)
            throws InterruptedException {
        ObjectNode sent = configuration.sent(resource.namespaced()).deepCopy();
        sent.withObject("/metadata").put(uid == null ? "resourceVersion" : "uid", uid == null ? NO_VERSION : uid);
        return environment
                .api()
                .apply(
                        resource,
                        namespace(resource, configuration),
                        configuration.name(),
                        environment.fieldManager(),
                        force,
                        sent);
    }

    /** The rule of the kind, or the handler's own test. */
    private @Nullable String trouble(Resource resource, DesiredChild desired, ObjectNode body) {
        if (desired.readyTest() == null) {
            return Readiness.trouble(resource, body);
        }
        try {
            return desired.readyTest().test(new BodyView(body)) ? null : "it is not ready, as the handler's test says";
        } catch (Throwable e) {
            TaskEndError.letThrough(e);
            Throwable told = Platform.tellable(e);
            parent.localLogger().error("The test whether {} is ready has failed.", desired, told);
            return "the test whether it is ready has failed: " + told;
        }
    }

    private NotWritten notWritten(
            ChildConfiguration configuration, String reason, String message, ApiException refusal) {
        return new NotWritten(failed(configuration, reason, message), refusal);
    }

    private ChildOutcome failed(ChildConfiguration configuration, String reason, String message) {
        return failed(configuration, reason, message, platform.after(backoff));
    }

    private ChildOutcome failed(ChildConfiguration configuration, String reason, String message, Deadline retryAt) {
        return failed(configuration.title(), new WriteFailure(knownUid, false, reason, message, retryAt, 0));
    }

    private ChildOutcome failed(String title, WriteFailure failure) {
        memory.writeFailures().put(title, failure);
        return new ChildOutcome(title, failure.message(), failure.reason(), failure.retryAt());
    }

    /** It is tried again: soon while the server is in trouble, or objects change under its hands. */
    private ChildOutcome refused(String title, boolean deletion, ClientException e) {
        String message = (deletion ? "it cannot be deleted: " : "")
                + Objects.requireNonNullElse(e.getMessage(), "")
                + (e instanceof ApiException refusal && refusal.isOfVersionThatIsGone() ? EMPTY_MANAGED_FIELDS : "");
        if (e instanceof ApiException refusal && refusal.isNamespaceEnding()) {
            // The parent goes with it, and nothing else is to be done.
            return ChildOutcome.of(title, "its namespace is being deleted: nothing new is made there");
        }
        if (e instanceof ApiException refusal
                && (refusal.status() < 500 || refusal.isRefusedApply())
                && refusal.status() != 429
                && !mayBeAboutIdentity(refusal)) {
            return failed(
                    title, new WriteFailure(knownUid, deletion, "ChildRefused", message, platform.after(backoff), 0));
        }
        WriteFailure before = memory.writeFailure(title, deletion);
        int inRow = before == null ? 0 : before.inRow();
        Duration quick = quickBackoff(inRow);
        String reason = quick == null ? "ChildRefused" : ChildOutcome.NOT_READY;
        Deadline retryAt = platform.after(quick == null ? backoff : quick);
        parent.localLogger().debug("{} could not be written or deleted, and is tried again: {}", title, message);
        return failed(title, new WriteFailure(knownUid, deletion, reason, message, retryAt, inRow + 1));
    }

    private @Nullable Duration quickBackoff(int inRow) {
        Iterator<Duration> delays = environment.quickBackoffs().iterator();
        Duration delay = null;
        for (int i = 0; i <= inRow; i++) {
            if (!delays.hasNext()) {
                return null;
            }
            delay = delays.next();
        }
        return delay;
    }

    /**
     * Deletes a child in the very state that says that it is to go: one that has changed meanwhile, without the index
     * knowing it yet, may be somebody else's by now, and is judged anew.
     */
    ChildOutcome delete(LiveChild judged) throws InterruptedException {
        LiveChild child = environment.index().find(judged.resource(), judged.namespace(), judged.name());
        if (child == null || !child.id().equals(judged.id()) || !isStillMeant(child, judged)) {
            return ChildOutcome.of(judged.title(), LEFT);
        }
        if (child.judgement().deleting()) {
            return ChildOutcome.of(child.title(), DELETING);
        }
        knownUid = child.uid();
        ChildOutcome waiting = waiting(child.title(), true);
        if (waiting != null) {
            return waiting;
        }
        try {
            return deleteAsJudged(child);
        } catch (LeadershipLostException e) {
            throw e;
        } catch (ClientException e) {
            // Gone, or another one has its name: the stream is going to tell. Conflicts of other kinds leave it there.
            boolean gone = (e instanceof NotFoundException missing && missing.isAbsenceOf(child.name()))
                    || (e instanceof ConflictException conflict && conflict.isAboutIdentity());
            return gone ? ChildOutcome.of(child.title(), DELETING) : refused(child.title(), true, e);
        }
    }

    private boolean isStillMeant(LiveChild child, LiveChild judged) {
        return child.isOwn()
                && child.seen()
                        .applied()
                        .handler()
                        .equals(judged.seen().applied().handler())
                && child.belongsTo(String.valueOf(parent.reference().uid()));
    }

    private ChildOutcome deleteAsJudged(LiveChild child) throws InterruptedException {
        String version =
                child.seen().version() < 0 ? "" : Long.toString(child.seen().version());
        ConflictException conflict = null;
        for (int i = 0; i < JUDGEMENTS_MAX; i++) {
            if (conflict != null || version.isEmpty()) {
                ObjectNode newest = newest(child, conflict);
                if (conflict != null && ResourceVersions.of(newest).equals(version)) {
                    throw conflict;
                }
                if (DeletionState.isRequested(newest)) {
                    return ChildOutcome.of(child.title(), DELETING);
                }
                if (!isStillMeant(newest, child)) {
                    return ChildOutcome.of(child.title(), LEFT);
                }
                version = ResourceVersions.of(newest);
            }
            try {
                delete(child, version);
                memory.writeSucceeded(child.title());
                parent.localLogger().info("{} was deleted.", child.title());
                return ChildOutcome.of(child.title(), DELETING);
            } catch (ConflictException e) {
                if (e.isDenied() || e.isAboutIdentity()) {
                    throw e;
                }
                conflict = e;
            }
        }
        return new ChildOutcome(
                child.title(),
                "it was changed in this moment, and is looked at again",
                ChildOutcome.NOT_READY,
                platform.after(LEFT_OVER));
    }

    /** The child as it is by now. If it cannot be read, what was in conflict before is told. */
    private ObjectNode newest(LiveChild child, @Nullable ConflictException conflict) throws InterruptedException {
        try {
            return environment.api().read(child.resource(), child.namespace(), child.name());
        } catch (NotFoundException | LeadershipLostException e) {
            throw e;
        } catch (ClientException e) {
            throw conflict == null ? e : conflict;
        }
    }

    private boolean isStillMeant(ObjectNode newest, LiveChild judged) {
        return isOwned(newest.path("metadata"))
                && newest.path("metadata").path("uid").asString("").equals(judged.uid())
                && AppliedFields.of(newest, environment.fieldManager()) != null
                && LiveChild.Applied.of(newest)
                        .handler()
                        .equals(judged.seen().applied().handler());
    }

    private void delete(LiveChild child, String version) throws InterruptedException {
        ObjectNode options = Json.object().put("kind", "DeleteOptions").put("apiVersion", "v1");
        options.put("propagationPolicy", "Background");
        options.putObject("preconditions").put("uid", child.uid()).put("resourceVersion", version);
        environment.api().delete(child.resource(), child.namespace(), child.name(), options);
    }

    /**
     * The fields that others own whom an apply has met. Immutable.
     *
     * @param fields the fields by the managers that own them
     * @param withAppliers true if one of these managers applies, and so means to keep its fields
     */
    private record ApplyConflict(Map<String, List<String>> fields, boolean withAppliers) {
        /**
         * A manager that does not apply is named with the version that it has used: {@code conflict with "kubectl-edit"
         * using apps/v1}.
         */
        private static final Pattern OWNER =
                Pattern.compile("conflict with \"([^\"]*)\"( with subresource \"[^\"]*\")?( using .*)?");

        /** Reads the refusal of an apply; null if it is about something else. */
        static @Nullable ApplyConflict of(ApiException refusal) {
            JsonNode details = refusal.details();
            if (!(refusal instanceof ConflictException) || details == null) {
                return null;
            }
            Map<String, List<String>> fields = new LinkedHashMap<>();
            boolean appliers = false;
            for (JsonNode cause : details.path("causes")) {
                Matcher owner = OWNER.matcher(cause.path("message").asString(""));
                if (cause.path("reason").asString("").equals("FieldManagerConflict") && owner.matches()) {
                    fields.computeIfAbsent(owner.group(1), manager -> new ArrayList<>())
                            .add(cause.path("field").asString("").replaceFirst("^\\.", ""));
                    appliers |= owner.group(3) == null;
                }
            }
            return fields.isEmpty() ? null : new ApplyConflict(fields, appliers);
        }

        /** True if it is about what an operator, and nobody else, sets by itself. */
        boolean isAboutMarks() {
            return fields.values().stream()
                    .flatMap(List::stream)
                    .anyMatch(field -> field.endsWith(ChildMarks.APPLIED) || field.endsWith(ChildMarks.MANAGED_BY));
        }

        /** Whom it is with, and about which fields. */
        @Override
        public String toString() {
            return fields.entrySet().stream()
                    .map(each -> "'" + each.getKey() + "' (" + String.join(", ", each.getValue()) + ")")
                    .collect(Collectors.joining(", "));
        }
    }

    /**
     * How a child is, after it was looked at. Immutable.
     *
     * @param title its kind and name
     * @param trouble what is wrong, or not ready; null if the child is as it ought to be, and ready
     * @param reason a word for machines
     * @param retryAt when it is written again; never if that is not to be
     */
    record ChildOutcome(String title, @Nullable String trouble, String reason, Deadline retryAt) {
        static final String NOT_READY = "ChildrenNotReady";
        static final String RECONCILE_FAILED = "ReconcileFailed";

        static ChildOutcome of(String title, @Nullable String trouble) {
            return new ChildOutcome(title, trouble, NOT_READY, Deadline.NEVER);
        }

        boolean isReady() {
            return trouble == null;
        }

        /** True if it could not be written. */
        boolean hasFailed() {
            return trouble != null && !reason.equals(NOT_READY);
        }
    }
}
