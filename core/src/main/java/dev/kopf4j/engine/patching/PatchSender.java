package dev.kopf4j.engine.patching;

import dev.kopf4j.client.api.PatchType;
import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ConflictException;
import dev.kopf4j.client.error.NotFoundException;
import dev.kopf4j.client.error.UnprocessableException;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonPatch;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.object.PatchTransformation;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sends the changes of one cycle: the status part first, so that a crash in between repeats rather than loses; then the
 * rest, in which the progress is; then the transformations as JSON patches. Thread-safe.
 */
public final class PatchSender {
    /** Bad request, too large, not valid: what no repetition mends. */
    private static final Set<Integer> INVALID = Set.of(400, 413, 422);

    /** How many times a patch is merged into a newer state before that is an error. */
    private static final int CONFLICTS_MAX = 5;

    private final PatchApi api;
    private final PatchPreconditions patchPreconditions;
    private final PatchInconsistencies patchInconsistencies = new PatchInconsistencies();

    /** A sender through the given API. */
    public PatchSender(PatchApi api, PatchPreconditions patchPreconditions) {
        this.api = api;
        this.patchPreconditions = patchPreconditions;
    }

    /**
     * Sends a patch.
     *
     * @throws dev.kopf4j.client.error.ClientException if a request has failed for good
     * @throws InterruptedException if the operator stops
     */
    public PatchResult send(ResourceObject resourceObject, PatchContent patch) throws InterruptedException {
        return patch.isEmpty() ? new PatchResult.NothingToSend() : new Sending(resourceObject, patch).send();
    }

    /**
     * Asks for the object as it is now, by a patch that changes nothing: an operator may patch what it handles, but
     * need not be allowed to read single objects.
     *
     * @throws dev.kopf4j.client.error.ClientException if the request has failed for good
     * @throws InterruptedException if the operator stops
     */
    public PatchResult refresh(ResourceObject resourceObject) throws InterruptedException {
        return new Sending(resourceObject, new PatchContent()).refresh();
    }

    /** One or more requests. */
    @FunctionalInterface
    private interface Requesting {
        PatchResult send() throws InterruptedException;
    }

    /** One patch on its way. Confined. */
    private final class Sending {
        private final ResourceObject resourceObject;
        private final PatchContent patch;
        private final boolean statusApart;
        private final PatchContent remaining = new PatchContent();
        private @Nullable ObjectNode answered;

        Sending(ResourceObject resourceObject, PatchContent patch) {
            this.resourceObject = resourceObject;
            this.patch = patch;
            this.statusApart = resourceObject.resource().subresources().contains("status");
        }

        PatchResult send() throws InterruptedException {
            return unlessGone(() -> {
                sendMerge();
                sendTransformations();
                if (answered != null) {
                    patchInconsistencies.report(resourceObject, patch.merge(), answered);
                }
                boolean nothing = answered == null && remaining.isEmpty();
                return nothing ? new PatchResult.NothingToSend() : new PatchResult.Applied(answered, remaining);
            });
        }

        PatchResult refresh() throws InterruptedException {
            return unlessGone(() -> {
                answered = current();
                return new PatchResult.Applied(answered, remaining);
            });
        }

        private ObjectNode current() throws InterruptedException {
            ObjectNode nothing = Json.object();
            PatchPreconditions.SAME_OBJECT.addTo(nothing, resourceObject.node());
            return request(null, PatchType.MERGE, nothing);
        }

        private PatchResult unlessGone(Requesting requesting) throws InterruptedException {
            try {
                return requesting.send();
            } catch (NotFoundException e) {
                resourceObject.localLogger().debug("Patching was skipped: the object does not exist anymore.");
                return new PatchResult.Gone();
            } catch (ApiException e) {
                return refused(e);
            }
        }

        private PatchResult refused(ApiException e) {
            if (isAboutIdentity(e)) {
                resourceObject
                        .localLogger()
                        .debug("Patching was skipped: the object was replaced by another one of the same name.");
                return new PatchResult.Gone();
            }
            if (INVALID.contains(e.status())) {
                return new PatchResult.Invalid(e);
            }
            throw e;
        }

        /** The refusal of another uid: the object we know has gone, and another one has its name. */
        private static boolean isAboutIdentity(ApiException refusal) {
            return refusal.serverMessage().contains("metadata.uid")
                    || refusal.serverMessage().contains("Precondition failed: UID");
        }

        private void sendMerge() throws InterruptedException {
            ObjectNode rest = patch.merge().deepCopy();
            if (statusApart && rest.has("status")) {
                ObjectNode status = Json.object();
                status.set("status", rest.remove("status"));
                resourceObject.localLogger().debug("Merge-patching the status with: {}", status);
                merge("status", status);
            }
            if (!rest.isEmpty()) {
                resourceObject.localLogger().debug("Merge-patching the resource with: {}", rest);
                merge(null, rest);
            }
        }

        private void merge(@Nullable String subresource, ObjectNode payload) throws InterruptedException {
            patchPreconditions.addTo(payload, answered == null ? resourceObject.node() : answered);
            for (int conflicts = 0; conflicts < CONFLICTS_MAX; conflicts++) {
                try {
                    answered = request(subresource, PatchType.MERGE, payload);
                    return;
                } catch (ConflictException e) {
                    if (isAboutIdentity(e)) {
                        throw e;
                    }
                    // Somebody else has changed the object, and we are still entitled to: merged into the newest state.
                    patchPreconditions.addTo(payload, current());
                }
            }
            answered = request(subresource, PatchType.MERGE, payload);
        }

        private void sendTransformations() throws InterruptedException {
            if (patch.transformations().isEmpty()) {
                return;
            }
            ObjectNode fresh = answered == null ? resourceObject.node() : answered;
            ArrayNode all = JsonPatch.diff(fresh, transformed(fresh));
            ArrayNode status = Json.mapper().createArrayNode();
            ArrayNode body = Json.mapper().createArrayNode();
            all.forEach(operation -> (statusApart && isOnStatus(operation) ? status : body).add(operation));
            if (transform("status", status)) {
                transform(null, body);
            }
        }

        private ObjectNode transformed(ObjectNode fresh) {
            ObjectNode state = fresh;
            for (PatchTransformation patchTransformation : patch.transformations()) {
                state = transformed(state, patchTransformation);
            }
            return state;
        }

        /** One that fails must not hold up the progress of the handlers: it would fail again. */
        private ObjectNode transformed(ObjectNode state, PatchTransformation patchTransformation) {
            ObjectNode copy = state.deepCopy();
            try {
                patchTransformation.apply(copy);
                return copy;
            } catch (RuntimeException e) {
                resourceObject
                        .localLogger()
                        .error("A transformation of the object has failed, and is left out: {}", e, e);
                return state;
            }
        }

        private static boolean isOnStatus(JsonNode operation) {
            String path = operation.path("path").asString("");
            return path.equals("/status") || path.startsWith("/status/");
        }

        /** False if the object has changed meanwhile: all transformations have to be made again. */
        private boolean transform(@Nullable String subresource, ArrayNode operations) throws InterruptedException {
            if (operations.isEmpty()) {
                return true;
            }
            resourceObject
                    .localLogger()
                    .debug("JSON-patching the {} with: {}", subresource == null ? "resource" : subresource, operations);
            patchPreconditions.addTo(operations, answered == null ? resourceObject.node() : answered);
            try {
                answered = request(subresource, PatchType.JSON, operations);
                return true;
            } catch (UnprocessableException e) {
                if (e.serverMessage().contains(" is invalid: ")) {
                    throw e;
                }
                resourceObject
                        .localLogger()
                        .debug(
                                "Could not apply the patch in full due to conflicts with newer changes. Will try on the"
                                        + " next cycle soon. Remaining: {} transformations",
                                patch.transformations().size());
                remaining.transformAll(patch.transformations());
                return false;
            }
        }

        private ObjectNode request(@Nullable String subresource, PatchType type, JsonNode payload)
                throws InterruptedException {
            ObjectReference reference = resourceObject.reference();
            String name = reference.name();
            if (name == null) {
                throw new IllegalStateException("an object without a name cannot be patched: " + reference.describe());
            }
            String namespace = resourceObject.resource().namespaced() ? reference.namespace() : null;
            return api.patch(resourceObject.resource(), namespace, name, subresource, type, payload);
        }
    }
}
