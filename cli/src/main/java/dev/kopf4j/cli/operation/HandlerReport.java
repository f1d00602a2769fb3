package dev.kopf4j.cli.operation;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.Resource;
import dev.kopf4j.cli.process.CommandException;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.error.ApiException.ForbiddenException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.engine.ClusterSurvey;
import dev.kopf4j.engine.cause.DeletionState;
import dev.kopf4j.engine.children.ChildOutlook;
import dev.kopf4j.engine.cycle.HandlerOutlook;
import dev.kopf4j.engine.cycle.OutlookWords;
import dev.kopf4j.engine.cycle.Outlooks;
import dev.kopf4j.engine.cycle.Outlooks.Circumstances;
import dev.kopf4j.engine.cycle.Outlooks.ObjectOutlook;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.intervention.Interventions;
import dev.kopf4j.engine.intervention.Interventions.Pause;
import dev.kopf4j.engine.leaderelection.Leadership;
import dev.kopf4j.engine.orchestration.WatchPlan.PlannedStream;
import dev.kopf4j.engine.rights.RequiredRule;
import dev.kopf4j.engine.rights.RequiredRule.RightScope;
import dev.kopf4j.engine.rights.RightsPlan.RightsReview;
import dev.kopf4j.engine.sharding.ShardGroupReport;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.LoggedContent;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.text.ApiVersionOrder;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells what each handler of an operator would do for one object now, in words and as JSON. It only reads; that no
 * right is missing is asked if that is wanted, since the question is a request that creates nothing but an answer.
 * Immutable.
 */
public final class HandlerReport {
    private static final int FIELDS_MAX = 5;
    private static final String GONE =
            "which does not exist any more: the garbage collector of the cluster deletes the child";

    private final ClusterSurvey survey;
    private final ClusterSurvey.Found found;
    private final NamedObject object;
    private final @Nullable String handler;
    private final @Nullable String missingRight;

    private HandlerReport(
            ClusterSurvey survey,
            ClusterSurvey.Found found,
            NamedObject object,
            @Nullable String handler,
            @Nullable String missingRight) {
        this.survey = survey;
        this.found = found;
        this.object = object;
        this.handler = handler;
        this.missingRight = missingRight;
    }

    /**
     * A report of an object that may not exist.
     *
     * @param handler the id of the only handler to tell of; null for all
     * @param asksRights true to ask the server for rights that the account in use lacks
     */
    public static HandlerReport of(
            ClusterSurvey survey,
            ClusterSurvey.Found found,
            NamedObject object,
            @Nullable String handler,
            boolean asksRights)
            throws InterruptedException {
        NamedObject watched = asWatched(survey, found, object);
        String missing = null;
        if (asksRights) {
            boolean writes = concerned(survey, found, watched.resource())
                    .anyMatch(each -> survey.registry().of(each).writesObjects());
            String[] verbs = writes ? new String[] {"list", "watch", "patch"} : new String[] {"list", "watch"};
            RequiredRule rule = RequiredRule.of(RightScope.of(watched.namespace()), watched.resource(), "", verbs);
            List<String> all = new RightsReview(found.api()).missing(List.of(rule));
            missing = all.isEmpty() ? null : String.join("; ", all);
        }
        return new HandlerReport(survey, found, watched, handler, missing);
    }

    /**
     * The object in the version that the operator watches, which need not be the one that the server prefers; as it is
     * if the operator is not concerned.
     */
    private static NamedObject asWatched(ClusterSurvey survey, ClusterSurvey.Found found, NamedObject object) {
        List<Resource> concerned = concerned(survey, found, object.resource()).toList();
        return concerned.stream()
                .filter(object.resource()::equals)
                .findFirst()
                .or(() -> concerned.stream().findFirst())
                .map(each -> new NamedObject(each, object.namespace(), object.name()))
                .orElse(object);
    }

    /**
     * The versions of a resource that the operator is concerned with, the one that it watches first; others if handlers
     * are for them alone.
     */
    private static Stream<Resource> concerned(ClusterSurvey survey, ClusterSurvey.Found found, Resource resource) {
        List<Resource> versions = survey.watchPlan().asWatched(found.served()).stream()
                .filter(each -> isSame(each, resource))
                .sorted(Comparator.comparing(Resource::preferred)
                        .reversed()
                        .thenComparing(Resource::version, ApiVersionOrder.PREFERRED_FIRST))
                .toList();
        return versions.stream()
                .filter(each -> survey.registry().handlers().stream()
                        .anyMatch(handler -> isConcerned(handler, each)
                                && (each.equals(versions.getFirst()) || !isConcerned(handler, versions.getFirst()))));
    }

    private static boolean isSame(Resource one, Resource other) {
        return one.plural().equals(other.plural()) && one.group().equals(other.group());
    }

    private static boolean isConcerned(RegisteredHandler handler, Resource resource) {
        return handler.declaration().selector().matches(resource)
                || handler.declaration().concernsChildren(resource);
    }

    /** The object that an owner reference names, in the version that the operator watches; null if there is none. */
    private @Nullable NamedObject owner(JsonNode reference) throws InterruptedException {
        NamedObject owner = object.owner(found.api(), reference);
        return owner == null ? null : asWatched(survey, found, owner);
    }

    /** The object. */
    public NamedObject object() {
        return object;
    }

    /** Reads the object, and tells. */
    public Told read(Instant now) throws InterruptedException {
        return tell(object.read(found.api()), now);
    }

    /**
     * The objects whose functions say which children there ought to be, of which this is one: its owners; and the
     * object itself if it has children. Those that exist, as they are.
     */
    public Map<NamedObject, ObjectNode> parents() throws InterruptedException {
        Optional<ObjectNode> body = object.read(found.api());
        Map<NamedObject, ObjectNode> parents = new LinkedHashMap<>();
        if (body.isEmpty()) {
            return parents;
        }
        for (JsonNode reference :
                body.get().path("metadata").path("ownerReferences").values()) {
            NamedObject owner = owner(reference);
            if (owner != null && !of(owner, reconciling()).isEmpty()) {
                owner.read(found.api()).ifPresent(each -> parents.put(owner, each));
            }
        }
        if (survey.registry().watching(object.resource()).stream()
                .anyMatch(each -> each.kind() == HandlerKind.RECONCILE)) {
            parents.put(object, body.get());
        }
        return parents;
    }

    /**
     * Tells each time that the object has changed, until the thread is interrupted.
     *
     * @param from the version from which on changes are seen
     * @param told what was told last
     */
    public void follow(String from, Told told, Platform platform, Listener listener) throws InterruptedException {
        KubernetesApi api = found.api();
        boolean _ = object.await(platform, api, from, told.version(), Deadline.NEVER, body -> {
            listener.told(tell(body, platform.now()));
            return false;
        });
    }

    /** Is told of each state of the object. */
    @FunctionalInterface
    public interface Listener {
        /** The object has come to another state. */
        void told(Told told) throws InterruptedException;
    }

    /** The version from which on changes are to be followed. */
    public String version() throws InterruptedException {
        return object.version(found.api());
    }

    /**
     * What is told.
     *
     * @param uid the object's; empty if it does not exist
     * @param version of the object; empty if it does not exist
     * @param lines in words
     * @param json the same for programs
     */
    public record Told(String uid, String version, List<String> lines, ObjectNode json) {
        /** Copies the list. */
        public Told {
            lines = List.copyOf(lines);
        }

        /** With more words at the end. */
        public Told and(List<String> words) {
            return new Told(
                    uid, version, Stream.concat(lines.stream(), words.stream()).toList(), json);
        }

        /** With more of it at the end. */
        public Told and(List<String> words, String field, JsonNode more) {
            ObjectNode all = json.deepCopy();
            all.set(field, more);
            return new Told(uid, version, lines, all).and(words);
        }
    }

    private Told tell(Optional<ObjectNode> body, Instant now) throws InterruptedException {
        List<String> lines = new ArrayList<>();
        ObjectNode json = Json.object();
        String uid =
                body.map(each -> each.path("metadata").path("uid").asString("")).orElse("");
        identify(uid, json);
        json.put("exists", body.isPresent());
        List<HandlerReport> versions = inVersions();
        if (body.isEmpty()) {
            String words = "does not exist (any more): no handler is called for it.";
            lines.add(object + " " + words);
            json.put("state", "absent").put("stateWords", words);
        } else if (versions.isEmpty()) {
            lines.add(object + ": " + noHandler());
            json.put("state", "no-handler").put("stateWords", noHandler());
        } else {
            List<String> ids = new ArrayList<>();
            KubernetesApi once = found.api().with(found.api().settings().withErrorBackoffs());
            for (HandlerReport each : versions) {
                try {
                    Optional<ObjectNode> same = each.object.equals(object) ? body : each.object.read(once);
                    if (same.isPresent()) {
                        ids.addAll(each.tell(same.get(), versions.size() > 1, lines, json, now));
                    }
                } catch (ClientException | CommandException e) {
                    // Its conversion may fail alone, as long as the operator is down that has the webhook.
                    String version = each.object.resource().version();
                    lines.add(object + ", as " + version + ": cannot be read: " + e.getMessage());
                    json.withArray("/unread")
                            .addObject()
                            .put("version", version)
                            .put("message", e.getMessage());
                }
            }
            if (handler != null && json.path("handlers").isEmpty() && !json.has("unread")) {
                lines.add("  no handler for it has the id '" + handler + "'; there are: "
                        + ids.stream().distinct().collect(Collectors.joining(", ")));
            }
        }
        List<String> facts = body.isEmpty() ? List.of() : facts(body.get(), now);
        facts.forEach(json.putArray("facts")::add);
        lines.addAll(facts);
        return new Told(uid, NamedObject.versionOf(body), lines, json);
    }

    private void identify(String uid, ObjectNode json) {
        Resource resource = object.resource();
        json.put("object", object.toString())
                .put("resource", resource.plural())
                .put("group", resource.group())
                .put("version", resource.version())
                .put("kind", resource.kind());
        if (object.namespace() != null) {
            json.put("namespace", object.namespace());
        }
        json.put("name", object.name());
        if (!uid.isEmpty()) {
            json.put("uid", uid);
        }
    }

    /** Handlers may name a version of it that is not served. */
    private String noHandler() {
        String named = survey.watchPlan().unwatched(found.served()).stream()
                .filter(each -> each.others().stream().anyMatch(other -> isSame(other, object.resource())))
                .map(each -> each.selector().toString())
                .collect(Collectors.joining(", "));
        return named.isEmpty()
                ? "no handler of this operator is for " + object.resource().plural() + "."
                : "no handler is called for it, as they are for " + named + ", which the cluster does not serve.";
    }

    /** Of the object in each version that handlers are for; that of this report first. */
    private List<HandlerReport> inVersions() {
        return Stream.concat(Stream.of(object.resource()), concerned(survey, found, object.resource()))
                .distinct()
                .map(each -> new HandlerReport(
                        survey, found, new NamedObject(each, object.namespace(), object.name()), handler, missingRight))
                .filter(each -> !each.handlers().isEmpty())
                .toList();
    }

    private List<RegisteredHandler> handlers() {
        return survey.registry().handlers().stream()
                .filter(each -> each.declaration().selector().matches(object.resource()))
                .toList();
    }

    /**
     * Adds what is to be told of the object in the version of this report.
     *
     * @param several true if handlers are for other versions of it, too
     * @return the ids of all handlers for it
     */
    private List<String> tell(ObjectNode body, boolean several, List<String> lines, ObjectNode json, Instant now) {
        List<RegisteredHandler> handlers = handlers();
        Circumstances circumstances = Circumstances.running(now);
        String unwatched = unwatched(handlers);
        circumstances = unwatched == null ? circumstances : circumstances.unwatched(unwatched);
        circumstances = missingRight == null ? circumstances : circumstances.missingRight(missingRight);
        ObjectOutlook outlook =
                new Outlooks(survey.settings(), survey.registry()).of(object.resource(), body, circumstances);
        boolean shows = !LoggedContent.isSecret(object.resource());
        String state = OutlookWords.state(outlook, shows);
        lines.add(object + (several ? ", as " + object.resource().version() : "") + ": " + state);
        if (!json.has("state")) {
            json.put("state", OutlookWords.stateWord(outlook))
                    .put("stateWords", state)
                    .put("reason", outlook.reason().word())
                    .put("finalizer", word(outlook.finalizer()));
            OutlookWords.finalizer(outlook).ifPresent(words -> json.put("finalizerWords", words));
        }
        OutlookWords.finalizer(outlook).ifPresent(words -> lines.add("  " + words));
        if (outlook.retry() != null) {
            lines.add("  a retry was asked for (token '" + outlook.retry().token() + "'), and is followed first");
            json.put("retry", outlook.retry().token());
        }
        var all = json.withArray("/handlers");
        for (HandlerOutlook each : outlook.handlers()) {
            if (handler == null || each.id().equals(handler) || handler.equals(each.parent())) {
                String words = OutlookWords.words(each.verdict(), shows, now);
                lines.add((each.parent() == null ? "  " : "    ") + each.kind().annotation() + " '" + each.id() + "': "
                        + words);
                ObjectNode one = all.addObject();
                one.put("id", each.id()).put("kind", each.kind().name().toLowerCase(Locale.ROOT));
                if (each.parent() != null) {
                    one.put("parent", each.parent());
                }
                if (several) {
                    one.put("version", object.resource().version());
                }
                one.put("verdict", OutlookWords.word(each.verdict())).put("words", words);
            }
        }
        return outlook.handlers().stream().map(HandlerOutlook::id).distinct().toList();
    }

    /** Why the operator does not watch the object; null if it does. */
    private @Nullable String unwatched(List<RegisteredHandler> handlers) {
        List<PlannedStream> streams = survey.watchPlan().streams(found.served(), found.namespaces());
        List<PlannedStream> ofKind = streams.stream()
                .filter(stream -> stream.resource().equals(object.resource()))
                .filter(stream -> stream.handlers().stream().anyMatch(handlers::contains))
                .toList();
        boolean watched = ofKind.stream()
                .anyMatch(
                        stream -> stream.namespace() == null || Objects.equals(stream.namespace(), object.namespace()));
        if (watched || handlers.stream().allMatch(each -> each.kind().isAdmission())) {
            return null;
        }
        String versions = streams.stream()
                .map(PlannedStream::resource)
                .filter(resource -> isSame(resource, object.resource()) && !resource.equals(object.resource()))
                .map(Resource::version)
                .distinct()
                .collect(Collectors.joining(", "));
        if (!versions.isEmpty()) {
            return "the operator watches " + object.resource().plural() + " in the version " + versions
                    + " alone (K4-030)";
        }
        return ofKind.isEmpty()
                ? "the operator watches no " + object.resource().plural() + " in this cluster"
                : "the operator watches "
                        + ofKind.stream().map(PlannedStream::title).sorted().collect(Collectors.joining(", "))
                        + ", and the object is in '" + object.namespace() + "'";
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    // What else is to be known of it.

    private List<String> facts(ObjectNode body, Instant now) throws InterruptedException {
        List<String> facts = new ArrayList<>();
        Leadership.Report lease =
                Leadership.Report.read(found.api(), survey.settings().leaderElection());
        if (lease != null) {
            facts.add("  " + lease.words(now));
        }
        ShardGroupReport group = ShardGroupReport.read(found.api(), survey.settings());
        if (group != null) {
            facts.add("  " + group.placeOf(body.path("metadata").path("uid").asString("")));
        }
        List<RegisteredHandler> parents = survey.registry().ofChildren(object.resource());
        ChildOutlook child = ChildOutlook.of(body, survey.settings().children().fieldManager());
        List<RegisteredHandler> reconciling = reconciling();
        List<RegisteredHandler> ofOwners = new ArrayList<>();
        for (JsonNode owner : body.path("metadata").path("ownerReferences").values()) {
            NamedObject named = reconciling.isEmpty() ? null : owner(owner);
            String state = named == null ? "" : ownerState(named, owner);
            if (named != null && !state.equals(GONE)) {
                ofOwners.addAll(of(named, reconciling));
            }
            facts.add("  owned by " + owner.path("kind").asString("") + " "
                    + owner.path("name").asString("") + (state.isEmpty() ? "" : ", " + state));
        }
        if (child.made()) {
            facts.addAll(asChild(child, parents));
        } else if (!ofOwners.isEmpty()) {
            facts.add("  not made by this operator, but owned by an object of its handlers of children ("
                    + ids(ofOwners) + "): it becomes a child of that object if they want one of its name");
        } else if (!reconciling.isEmpty()) {
            facts.add("  not made by this operator: its handlers of children (" + ids(reconciling)
                    + ") leave it alone unless they adopt it");
        }
        return facts;
    }

    /** The handlers that say which objects of this kind there ought to be. */
    private List<RegisteredHandler> reconciling() {
        return survey.registry().ofChildren(object.resource()).stream()
                .filter(each -> each.kind() == HandlerKind.RECONCILE)
                .toList();
    }

    private static List<RegisteredHandler> of(NamedObject owner, List<RegisteredHandler> handlers) {
        return handlers.stream()
                .filter(each -> each.declaration().selector().matches(owner.resource()))
                .toList();
    }

    /** What the state of the owner means for its children; empty if nothing is special about it. */
    private String ownerState(NamedObject owner, JsonNode reference) throws InterruptedException {
        if (survey.registry().watching(owner.resource()).stream()
                .noneMatch(each -> each.kind() == HandlerKind.RECONCILE)) {
            return "";
        }
        try {
            Optional<ObjectNode> body = owner.read(found.api());
            if (body.isEmpty()
                    || !body.get()
                            .path("metadata")
                            .path("uid")
                            .asString("")
                            .equals(reference.path("uid").asString(""))) {
                return GONE;
            }
            if (Interventions.of(survey.settings()).pause(body.get()) != Pause.NONE) {
                return "which is paused: its children are left alone";
            }
            return DeletionState.isRequested(body.get())
                    ? "which is being deleted: children are made for it no more"
                    : "";
        } catch (ForbiddenException e) {
            return "which the account in use may not read";
        }
    }

    private static List<String> asChild(ChildOutlook child, List<RegisteredHandler> parents) {
        List<String> facts = new ArrayList<>();
        String id = child.handler();
        if (!id.isEmpty()) {
            boolean known = parents.stream().anyMatch(each -> each.id().equals(id));
            facts.add("  made by the handler '" + id + "'"
                    + (known
                            ? ""
                            : ", which this operator does not have: it is deleted unless another handler wants it"));
        }
        if (child.deleting()) {
            facts.add("  is being deleted: it is created anew after that, if it is still wanted");
            return facts;
        }
        for (String field : child.lost()) {
            facts.add("  would be applied, because field " + field + " is not as the operator has applied it");
        }
        for (ChildOutlook.Taken taken : child.taken()) {
            facts.add("  " + (taken.applies() ? "would be in conflict" : "would be applied anew")
                    + " if these fields were said otherwise, because "
                    + taken.manager() + " has " + (taken.applies() ? "applied" : "set") + " them at " + taken.time()
                    + ": "
                    + taken.fields().stream().limit(FIELDS_MAX).collect(Collectors.joining(", "))
                    + (taken.fields().size() > FIELDS_MAX
                            ? ", and " + (taken.fields().size() - FIELDS_MAX) + " more"
                            : ""));
        }
        return facts;
    }

    private static String ids(List<RegisteredHandler> handlers) {
        return handlers.stream().map(RegisteredHandler::id).distinct().collect(Collectors.joining(", "));
    }
}
