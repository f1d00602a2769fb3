package dev.kopf4j.engine.cycle;

import dev.kopf4j.client.api.KubernetesApi.PatchType;
import dev.kopf4j.client.error.ApiException.ConflictException;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.cycle.PatchSender.PatchApi;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.MergePatch;
import dev.kopf4j.object.ConditionChanges;
import dev.kopf4j.object.LoggedContent;
import dev.kopf4j.object.ObjectReference;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The requests of one patch, each made for what the server has answered to the one before. All of them are bound to the
 * handled object: another one may have taken its name meanwhile. The main resource refuses a foreign uid. The status
 * does not, as a server drops the metadata of a change of the status, and answers with the other object; but it looks
 * at the version, which no two objects share. So a change of the status names the version that it is made for, and is
 * merged into the newest state if somebody else was faster. Confined.
 */
final class PatchRequests {
    /** How many times a patch is merged into a newer state before that is an error. */
    private static final int CONFLICTS_MAX = 5;

    private final PatchApi api;
    private final PatchPreconditions patchPreconditions;
    private final ResourceObject resourceObject;
    private @Nullable ObjectNode answered;

    PatchRequests(PatchApi api, PatchPreconditions patchPreconditions, ResourceObject resourceObject) {
        this.api = api;
        this.patchPreconditions = patchPreconditions;
        this.resourceObject = resourceObject;
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
                if (PatchPreconditions.isAboutIdentity(e) || ++conflicts > CONFLICTS_MAX) {
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
        }
        return payload;
    }

    /** Sends a JSON patch that was made for the newest known state. */
    void transform(@Nullable String subresource, ArrayNode operations) throws InterruptedException {
        patchPreconditions.addTo(operations, newest());
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
        if (!uid.isMissingNode() && !uid.equals(answer.path("metadata").path("uid"))) {
            throw new ReplacedException();
        }
        return answer;
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
         * What must hold for the patch: if it sets the list of conditions, it is for no other state, as otherwise the
         * conditions of others would be lost that have come meanwhile.
         */
        PatchPreconditions preconditions(ObjectNode payload, PatchPreconditions otherwise) {
            boolean setsList = !conditions.isEmpty() && payload.path("status").has("conditions");
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
