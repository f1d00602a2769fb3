package dev.kopf4j.engine.cycle;

import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.KubernetesApi.PatchType;
import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ApiException.ConflictException;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.client.error.ApiException.UnprocessableException;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.client.error.ConnectionFailedException;
import dev.kopf4j.client.request.LeadershipFence;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.cycle.PatchSender.PatchRequests.MergePart;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonDiff;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.json.JsonPatch;
import dev.kopf4j.json.MergePatch;
import dev.kopf4j.object.ConditionChanges;
import dev.kopf4j.object.LoggedContent;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.text.TextShortener;
import java.io.IOException;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sends the changes of one cycle: the status part first, so that a crash in between repeats rather than loses; then the
 * rest, in which the progress is; then the transformations as JSON patches. Thread-safe.
 */
public final class PatchSender {
    /** Bad request, not valid: sending the same again does not help. */
    private static final Set<Integer> INVALID = Set.of(400, 422);

    private static final String REPLACED =
            "Patching was skipped: the object was replaced by another one of the same name.";

    private final PatchApi api;
    private final PatchPreconditions patchPreconditions;
    private final Platform platform;
    private final FailingWrites failing;
    private final PatchInconsistencies patchInconsistencies = new PatchInconsistencies();

    /** A sender through the given API. */
    public PatchSender(PatchApi api, PatchPreconditions patchPreconditions, Platform platform) {
        this.api = api;
        this.patchPreconditions = patchPreconditions;
        this.platform = platform;
        this.failing = new FailingWrites(platform);
    }

    /** What cannot be written at the moment. */
    public FailingWrites failing() {
        return failing;
    }

    /**
     * Sends a patch.
     *
     * @throws StaleVersionException if the patch itself is for one version of the object, which has changed since
     * @throws dev.kopf4j.client.error.ClientException if a request has failed for good
     * @throws InterruptedException if the operator stops
     */
    public PatchResult send(ResourceObject resourceObject, PatchContent patch) throws InterruptedException {
        if (patch.isEmpty()) {
            return new PatchResult.NothingToSend();
        }
        String version = patch.merge().path("metadata").path("resourceVersion").asString("");
        PatchRequests requests = new PatchRequests(api(resourceObject), patchPreconditions, resourceObject, version);
        return unlessGone(resourceObject, requests, () -> {
            PatchContent remaining = new PatchPartsSender(resourceObject, patch, requests).send();
            if (requests.answered() != null) {
                patchInconsistencies.report(resourceObject, patch, requests.answered());
            }
            boolean nothing = requests.answered() == null && remaining.isEmpty();
            return nothing ? new PatchResult.NothingToSend() : new PatchResult.Applied(requests.answered(), remaining);
        });
    }

    /**
     * Asks for the object as it is now, by a patch that changes nothing: an operator may patch what it handles, but
     * need not be allowed to read single objects.
     *
     * @throws dev.kopf4j.client.error.ClientException if the request has failed for good
     * @throws InterruptedException if the operator stops
     */
    public PatchResult refresh(ResourceObject resourceObject) throws InterruptedException {
        PatchRequests requests = new PatchRequests(api(resourceObject), patchPreconditions, resourceObject, "");
        return unlessGone(
                resourceObject, requests, () -> new PatchResult.Applied(requests.current(), new PatchContent()));
    }

    private PatchApi api(ResourceObject resourceObject) {
        String uid = resourceObject.reference().uid();
        return uid == null ? api : api.of(uid);
    }

    /** One or more requests. */
    @FunctionalInterface
    private interface Requesting {
        PatchResult send() throws InterruptedException;
    }

    private PatchResult unlessGone(ResourceObject resourceObject, PatchRequests requests, Requesting requesting)
            throws InterruptedException {
        long begun = platform.nanos();
        try {
            PatchResult result = unlessRefused(resourceObject, requests, requesting);
            if (!(result instanceof PatchResult.NothingToSend)) {
                failing.succeeded(resourceObject.resource());
            }
            return result;
        } catch (ClientException e) {
            failing.failed(resourceObject.resource(), begun, e);
            throw e;
        }
    }

    private static PatchResult unlessRefused(
            ResourceObject resourceObject, PatchRequests requests, Requesting requesting) throws InterruptedException {
        try {
            return requesting.send();
        } catch (PatchRequests.ReplacedException e) {
            resourceObject.localLogger().debug(REPLACED);
            return new PatchResult.Gone();
        } catch (NotFoundException e) {
            if (!e.isAbsenceOf(resourceObject.reference().name())) {
                throw e;
            }
            resourceObject.localLogger().debug("Patching was skipped: the object does not exist anymore.");
            return new PatchResult.Gone();
        } catch (ApiException e) {
            return refused(resourceObject, requests, e);
        }
    }

    private static PatchResult refused(ResourceObject resourceObject, PatchRequests requests, ApiException e) {
        if (e.isAboutIdentity()) {
            resourceObject.localLogger().debug(REPLACED);
            return new PatchResult.Gone();
        }
        if (e instanceof ConflictException && requests.isForOneVersion()) {
            throw new StaleVersionException(requests.onlyFor, e);
        }
        if (INVALID.contains(e.status()) || e.isDenied() || e.isTooLarge()) {
            return new PatchResult.Invalid(e, requests.answered());
        }
        throw e;
    }

    /**
     * Sends a patch in parts, one request for each. The status is a part of its own if the resource has it as a
     * subresource.
     */
    private static final class PatchPartsSender {
        private static final List<String> WRITTEN_BY_SERVER =
                List.of("resourceVersion", "managedFields", "uid", "generation", "creationTimestamp");

        private final ResourceObject resourceObject;
        private final PatchContent patch;
        private final PatchRequests requests;
        private boolean statusApart;

        PatchPartsSender(ResourceObject resourceObject, PatchContent patch, PatchRequests requests) {
            this.resourceObject = resourceObject;
            this.patch = patch;
            this.requests = requests;
            this.statusApart = resourceObject.resource().subresources().contains("status");
        }

        /**
         * Sends all parts.
         *
         * @return what could not be sent, as the object has changed meanwhile
         */
        PatchContent send() throws InterruptedException {
            sendMerge();
            PatchContent remaining = new PatchContent();
            if (!patch.transformations().isEmpty() && !sendTransformations()) {
                patch.transformations().forEach(remaining::transform);
            }
            return remaining;
        }

        private void sendMerge() throws InterruptedException {
            MergePart whole = new MergePart(patch.merge(), patch.conditions());
            if (!statusApart) {
                requests.merge(null, whole);
                return;
            }
            ObjectNode rest = Json.object().setAll(patch.merge());
            ObjectNode status = Json.object();
            if (rest.has("status")) {
                status.set("status", rest.remove("status"));
            }
            boolean sent = mergeStatus(new MergePart(status, patch.conditions()));
            requests.merge(null, sent ? new MergePart(rest, new PatchContent().conditions()) : whole);
        }

        private boolean mergeStatus(MergePart part) throws InterruptedException {
            try {
                requests.merge("status", part);
            } catch (NotFoundException e) {
                joinStatus(e);
            }
            return statusApart;
        }

        /**
         * The definition of the resource may have lost the subresource meanwhile; of an object that does not exist,
         * servers say the same. If the object answers, its status is changed with the rest of it.
         */
        private void joinStatus(NotFoundException e) throws InterruptedException {
            if (!e.isAbsenceOf(resourceObject.reference().name())) {
                throw e;
            }
            requests.refresh();
            statusApart = false;
            resourceObject
                    .localLogger()
                    .debug("There is no subresource for the status of {} any more.", resourceObject.resource());
        }

        /** False if the object has changed meanwhile: all transformations have to be made again. */
        private boolean sendTransformations() throws InterruptedException {
            ObjectNode fresh = requests.newest();
            ArrayNode status = Json.mapper().createArrayNode();
            ArrayNode body = Json.mapper().createArrayNode();
            ObjectNode wanted = patch.transformed(fresh, this::tellOfFailure);
            keepWhatTheServerWrites(fresh, wanted);
            for (JsonNode operation : JsonPatch.diff(fresh, wanted)) {
                (statusApart && isOnStatus(operation) ? status : body).add(operation);
            }
            try {
                if (!transform("status", status)) {
                    return false;
                }
            } catch (NotFoundException e) {
                joinStatus(e);
                return sendTransformations();
            }
            return transform(null, body);
        }

        /**
         * Nobody else can change these fields, but whoever puts an edited copy in the place of the object brings older
         * ones: with the version of the copy, the patch would be refused each time as one for an outdated object.
         */
        private static void keepWhatTheServerWrites(ObjectNode fresh, ObjectNode wanted) {
            if (fresh.get("metadata") instanceof ObjectNode now && wanted.get("metadata") instanceof ObjectNode made) {
                for (String field : WRITTEN_BY_SERVER) {
                    JsonNode value = now.get(field);
                    if (value == null) {
                        made.remove(field);
                    } else {
                        made.set(field, value);
                    }
                }
            }
        }

        /**
         * False if the server says what is wrong with the object: a test of its version that fails says nothing of it.
         */
        private static boolean isConflict(UnprocessableException refusal) {
            String message = refusal.serverMessage();
            return !message.contains(" is invalid: ") && !message.contains(" is forbidden: ") && !refusal.isDenied();
        }

        private void tellOfFailure(Throwable failure) {
            Throwable told = Platform.tellable(failure);
            resourceObject
                    .localLogger()
                    .error("A transformation of the object has failed, and is left out: {}", told, told);
        }

        private static boolean isOnStatus(JsonNode operation) {
            String path = operation.path("path").asString("");
            return path.equals("/status") || path.startsWith("/status/");
        }

        private boolean transform(@Nullable String subresource, ArrayNode operations) throws InterruptedException {
            if (operations.isEmpty()) {
                return true;
            }
            resourceObject
                    .localLogger()
                    .debug(
                            "JSON-patching the {} with: {}",
                            subresource == null ? "resource" : subresource,
                            LoggedContent.of(resourceObject.resource(), operations));
            try {
                requests.transform(subresource, operations);
                return true;
            } catch (UnprocessableException e) {
                if (!isConflict(e)) {
                    throw e;
                }
                resourceObject
                        .localLogger()
                        .debug(
                                "Could not apply the patch in full due to conflicts with newer changes. Will try on the"
                                        + " next cycle soon. Remaining: {} transformations",
                                patch.transformations().size());
                return false;
            }
        }
    }

    /** The changes are for a version of the object that is not the newest one: they can never be made. */
    static final class StaleVersionException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private StaleVersionException(String version, ApiException refusal) {
            super(
                    "The changes are for version " + version + " of the object (metadata.resourceVersion in the patch),"
                            + " and it has changed since, so they are dropped. Where no handler has set that to change the"
                            + " object in that version only, take it out of the patch: "
                            + refusal.getMessage(),
                    refusal);
        }
    }

    /** The result of sending a patch. */
    public sealed interface PatchResult {
        /** There was nothing to change. */
        record NothingToSend() implements PatchResult {}

        /**
         * The object was changed, maybe not in full.
         *
         * @param newState the object after it; null if not even the first request was made
         * @param remaining what has to be tried again on a newer state; empty if nothing
         */
        record Applied(@Nullable ObjectNode newState, PatchContent remaining) implements PatchResult {}

        /**
         * The server finds the changes invalid: sending them again would not help.
         *
         * @param refusal what it has said
         * @param newState the object after what it has taken before; null if that was nothing
         */
        record Invalid(ApiException refusal, @Nullable ObjectNode newState) implements PatchResult {}

        /** The object does not exist any more. */
        record Gone() implements PatchResult {}
    }

    /**
     * Warns of changes that the server has accepted and not made: mostly fields that the schema of a CRD does not know.
     * Once for each field of an object, as long as no more than 10,000 such fields are known. Thread-safe.
     */
    static final class PatchInconsistencies {
        private static final int REMEMBERED_MAX = 10_000;
        private static final int LONGEST_VALUE = 100;
        private static final FieldPath VERSION = FieldPath.of("metadata", "resourceVersion");
        private static final Set<FieldPath> EMPTIED = Set.of(
                FieldPath.of("metadata", "annotations"),
                FieldPath.of("metadata", "labels"),
                FieldPath.of("metadata", "finalizers"));

        private record DroppedField(ObjectReference object, FieldPath field) {}

        private final Set<DroppedField> warned =
                Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
                    private static final long serialVersionUID = 1L;

                    @Override
                    protected boolean removeEldestEntry(Map.Entry<DroppedField, Boolean> eldest) {
                        return size() > REMEMBERED_MAX;
                    }
                }));

        void report(ResourceObject resourceObject, PatchContent patch, ObjectNode answered) {
            ArrayNode missing = patch.conditions().differenceTo(answered);
            ObjectNode wanted = patch.merge();
            if (missing != null) {
                wanted = wanted.deepCopy();
                wanted.withObject("/status").set("conditions", missing);
            }
            JsonDiff difference = JsonDiff.between(wanted, answered, JsonDiff.Scope.LEFT);
            if (!difference.isEmpty()) {
                warn(resourceObject, difference);
            }
        }

        private void warn(ResourceObject resourceObject, JsonDiff difference) {
            List<JsonDiff.Item> missing = difference.items().stream()
                    .filter(item -> !isHarmless(item))
                    .filter(item -> warned.add(new DroppedField(resourceObject.reference(), item.field())))
                    .toList();
            if (!missing.isEmpty()) {
                resourceObject
                        .localLogger()
                        .warn(
                                "Merge-patching finished with inconsistencies: {}. The server has dropped or changed these"
                                        + " fields. If the schema of {} does not declare them, declare them there, or set"
                                        + " x-kubernetes-preserve-unknown-fields: true on the stanza.",
                                LoggedContent.of(resourceObject.resource(), new JsonDiff(missing)).items().stream()
                                        .map(PatchInconsistencies::describe)
                                        .collect(Collectors.joining("; ")),
                                resourceObject.resource());
            }
        }

        private static boolean isHarmless(JsonDiff.Item item) {
            return item.field().equals(VERSION)
                    || (EMPTIED.contains(item.field()) && isEmpty(item.oldValue()) && isEmpty(item.newValue()));
        }

        private static boolean isEmpty(@Nullable JsonNode value) {
            return value == null
                    || JsonEquality.equal(value, null)
                    || (value.isContainer() && value.valueStream().allMatch(JsonNode::isNull));
        }

        /** What the server has made of it, in words: what was asked for, and what is there. */
        private static String describe(JsonDiff.Item item) {
            return item.field() + " was set to " + shown(item.oldValue()) + ", but is " + shown(item.newValue());
        }

        private static String shown(@Nullable JsonNode value) {
            return value == null || value.isNull() ? "absent" : TextShortener.middle(value.toString(), LONGEST_VALUE);
        }
    }

    /**
     * The one way in which the engine changes objects. {@link dev.kopf4j.client.api.KubernetesApi#patch} in real life.
     */
    @FunctionalInterface
    public interface PatchApi {
        /** Changes an object or a subresource of it; answers the object after it. */
        ObjectNode patch(
                Resource resource,
                @Nullable String namespace,
                String name,
                @Nullable String subresource,
                PatchType type,
                JsonNode payload)
                throws InterruptedException;

        /** The same for one object: no request begins when this replica must not act on that object any more. */
        default PatchApi of(String uid) {
            return this;
        }

        /**
         * An API whose requests begin only as long as the fence permits it for the object.
         *
         * @param managedFields whether the answers need them; bodies that are kept for later have none anyway
         */
        static PatchApi fenced(KubernetesApi api, LeadershipFence fence, boolean managedFields) {
            return new FencedPatchApi(api, fence, managedFields);
        }
    }

    private record FencedPatchApi(KubernetesApi api, LeadershipFence fence, boolean managedFields) implements PatchApi {
        @Override
        public ObjectNode patch(
                Resource resource,
                @Nullable String namespace,
                String name,
                @Nullable String subresource,
                PatchType type,
                JsonNode payload)
                throws InterruptedException {
            KubernetesApi fenced = api.fenced(fence);
            return managedFields
                    ? fenced.patch(resource, namespace, name, subresource, type, payload)
                    : fenced.patchWithoutManagedFields(resource, namespace, name, subresource, type, payload);
        }

        @Override
        public PatchApi of(String uid) {
            return new FencedPatchApi(api, fence.of(uid), managedFields);
        }
    }

    /**
     * The requests of one patch, each made for what the server has answered to the one before. All of them are bound to
     * the handled object: another one may have taken its name meanwhile. The main resource refuses a foreign uid. The
     * status does not, as a server drops the metadata of a change of the status, and answers with the other object; but
     * it looks at the version, which no two objects share. So a change of the status names the version that it is made
     * for, and is merged into the newest state if somebody else was faster. Confined.
     */
    static final class PatchRequests {
        /** How many times a patch is merged into a newer state before that is an error. */
        private static final int CONFLICTS_MAX = 5;

        private final PatchApi api;
        private final PatchPreconditions patchPreconditions;
        private final ResourceObject resourceObject;
        private final String onlyFor;
        private @Nullable ObjectNode answered;

        /** @param onlyFor the version that whoever has made the patch has set as its condition; empty for any */
        PatchRequests(
                PatchApi api, PatchPreconditions patchPreconditions, ResourceObject resourceObject, String onlyFor) {
            this.api = api;
            this.patchPreconditions = patchPreconditions;
            this.resourceObject = resourceObject;
            this.onlyFor = onlyFor;
        }

        /** True if the patch must not be merged into another state than the one that it names. */
        boolean isForOneVersion() {
            return !onlyFor.isEmpty();
        }

        /** The name belongs to another object by now. */
        static final class ReplacedException extends RuntimeException {
            private static final long serialVersionUID = 1L;
        }

        /** The object as the server has answered it last; null before the first answer. */
        @Nullable ObjectNode answered() {
            return answered;
        }

        /** The newest known state. */
        ObjectNode newest() {
            return answered == null ? resourceObject.node() : answered;
        }

        /** Asks for the object, by a patch that changes nothing. */
        ObjectNode current() throws InterruptedException {
            ObjectNode nothing = Json.object();
            PatchPreconditions.SAME_OBJECT.addTo(nothing, resourceObject.node());
            return request(null, PatchType.MERGE, nothing);
        }

        /** Takes the object as it is now as the newest known state. */
        void refresh() throws InterruptedException {
            answered = current();
        }

        /**
         * Sends a merge patch, if it changes anything; if somebody else has changed the object, it is merged into the
         * newest state.
         */
        void merge(@Nullable String subresource, MergePart part) throws InterruptedException {
            ObjectNode base = newest();
            if (subresource != null && ResourceVersions.of(base).isEmpty()) {
                base = current();
            }
            int conflicts = 0;
            for (ObjectNode payload = payload(subresource, part, base); payload != null; ) {
                try {
                    answered = request(subresource, PatchType.MERGE, payload);
                    return;
                } catch (ConflictException e) {
                    if (e.isAboutIdentity() || isForOneVersion() || ++conflicts > CONFLICTS_MAX) {
                        throw e;
                    }
                    // Somebody else has changed the object. This operator may still change it, too: the patch is merged
                    // into the newest state.
                    base = current();
                    payload = payload(subresource, part, base);
                }
            }
            if (conflicts > 0) {
                // Others have made the change meanwhile.
                answered = base;
            }
        }

        private @Nullable ObjectNode payload(@Nullable String subresource, MergePart part, ObjectNode base) {
            ObjectNode payload = part.payload(base);
            if (payload != null) {
                resourceObject
                        .localLogger()
                        .debug(
                                "Merge-patching the {} with: {}",
                                subresource == null ? "resource" : subresource,
                                LoggedContent.of(resourceObject.resource(), payload));
                PatchPreconditions usual = subresource == null ? patchPreconditions : PatchPreconditions.SAME_VERSION;
                part.preconditions(payload, usual).addTo(payload, base);
                ObjectNode own = answered;
                if (isForOneVersion() && own == null) {
                    payload.withObject("/metadata").put("resourceVersion", onlyFor);
                } else if (isForOneVersion() && own != null) {
                    // Nobody but the request before has changed it.
                    PatchPreconditions.SAME_VERSION.addTo(payload, own);
                }
            }
            return payload;
        }

        /** Sends a JSON patch that was made for the newest known state: no two objects share its version. */
        void transform(@Nullable String subresource, ArrayNode operations) throws InterruptedException {
            ObjectNode sameVersion = Json.object().put("op", "test").put("path", "/metadata/resourceVersion");
            sameVersion.set("value", newest().path("metadata").path("resourceVersion"));
            operations.insert(0, sameVersion);
            answered = request(subresource, PatchType.JSON, operations);
        }

        private ObjectNode request(@Nullable String subresource, PatchType type, JsonNode payload)
                throws InterruptedException {
            ObjectReference reference = resourceObject.reference();
            String name = reference.name();
            if (name == null) {
                throw new IllegalStateException("an object without a name cannot be patched: " + reference.describe());
            }
            String namespace = resourceObject.resource().namespaced() ? reference.namespace() : null;
            ObjectNode answer = api.patch(resourceObject.resource(), namespace, name, subresource, type, payload);
            JsonNode uid = resourceObject.node().path("metadata").path("uid");
            JsonNode answered = answer.path("metadata").path("uid");
            if (uid.isMissingNode() || uid.equals(answered)) {
                return answer;
            }
            if (answered.isMissingNode()) {
                throw new ConnectionFailedException(
                        "The patch of " + reference.describe(),
                        "the API server",
                        new IOException("the answer is not the object: something in between has given it, such as a"
                                + " proxy, or the server does not say what it has stored"));
            }
            throw new ReplacedException();
        }

        /**
         * What one merge patch says. Immutable.
         *
         * @param fragment of the object
         * @param conditions what is said of single conditions: a merge patch can only set the whole list
         */
        record MergePart(ObjectNode fragment, ConditionChanges conditions) {
            /** The patch for an object in that state; null if nothing is to be changed. */
            @Nullable ObjectNode payload(ObjectNode newest) {
                ArrayNode list =
                        conditions.isEmpty() ? null : conditions.differenceTo(MergePatch.overlay(newest, fragment));
                if (list == null && fragment.isEmpty()) {
                    return null;
                }
                ObjectNode payload = fragment.deepCopy();
                if (list != null) {
                    status(payload, newest).set("conditions", list);
                }
                return payload;
            }

            /**
             * What must hold for the patch: if it sets the list of conditions, it is for no other state, as otherwise
             * the conditions of others would be lost that have come meanwhile.
             */
            PatchPreconditions preconditions(ObjectNode payload, PatchPreconditions otherwise) {
                boolean setsList =
                        !conditions.isEmpty() && payload.path("status").has("conditions");
                return setsList ? PatchPreconditions.SAME_VERSION : otherwise;
            }

            /** If all of the status is to be removed, its fields are, one by one. */
            private static ObjectNode status(ObjectNode payload, ObjectNode newest) {
                if (!payload.path("status").isNull()) {
                    return payload.withObject("/status");
                }
                ObjectNode removals = Json.object();
                newest.path("status").propertyNames().forEach(removals::putNull);
                payload.set("status", removals);
                return removals;
            }
        }
    }

    /** What must hold on the server for a merge patch to be made. */
    public enum PatchPreconditions {
        /** The same object: the server refuses another uid, as the uid of an object cannot change. */
        SAME_OBJECT,

        /** The same object in the same state: a patch that comes late conflicts instead of overwriting. */
        SAME_VERSION;

        private void addTo(ObjectNode mergePatch, ObjectNode body) {
            addTo(mergePatch, body, "uid");
            if (this == SAME_VERSION) {
                addTo(mergePatch, body, "resourceVersion");
            }
        }

        private static void addTo(ObjectNode mergePatch, ObjectNode body, String field) {
            JsonNode value = body.path("metadata").get(field);
            if (value != null) {
                JsonNode metadata = mergePatch.get("metadata");
                ObjectNode meta = metadata instanceof ObjectNode object ? object : mergePatch.putObject("metadata");
                meta.set(field, value);
            }
        }
    }
}
