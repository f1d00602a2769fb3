package dev.kopf4j.engine.patching;

import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.ApiException.NotFoundException;
import dev.kopf4j.client.error.ApiException.UnprocessableException;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.patching.PatchRequests.MergePart;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonPatch;
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
    /** Bad request, too large, not valid: sending the same again does not help. */
    private static final Set<Integer> INVALID = Set.of(400, 413, 422);

    private static final String REPLACED =
            "Patching was skipped: the object was replaced by another one of the same name.";

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
        if (patch.isEmpty()) {
            return new PatchResult.NothingToSend();
        }
        PatchRequests requests = new PatchRequests(api, patchPreconditions, resourceObject);
        return unlessGone(resourceObject, () -> {
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
        PatchRequests requests = new PatchRequests(api, patchPreconditions, resourceObject);
        return unlessGone(resourceObject, () -> new PatchResult.Applied(requests.current(), new PatchContent()));
    }

    /** One or more requests. */
    @FunctionalInterface
    private interface Requesting {
        PatchResult send() throws InterruptedException;
    }

    private static PatchResult unlessGone(ResourceObject resourceObject, Requesting requesting)
            throws InterruptedException {
        try {
            return requesting.send();
        } catch (PatchRequests.ReplacedException e) {
            resourceObject.localLogger().debug(REPLACED);
            return new PatchResult.Gone();
        } catch (NotFoundException e) {
            resourceObject.localLogger().debug("Patching was skipped: the object does not exist anymore.");
            return new PatchResult.Gone();
        } catch (ApiException e) {
            return refused(resourceObject, e);
        }
    }

    private static PatchResult refused(ResourceObject resourceObject, ApiException e) {
        if (PatchPreconditions.isAboutIdentity(e)) {
            resourceObject.localLogger().debug(REPLACED);
            return new PatchResult.Gone();
        }
        if (INVALID.contains(e.status())) {
            return new PatchResult.Invalid(e);
        }
        throw e;
    }

    /**
     * Sends a patch in parts, one request for each. The status is a part of its own if the resource has it as a
     * subresource.
     */
    private record PatchPartsSender(ResourceObject resourceObject, PatchContent patch, PatchRequests requests) {
        /**
         * Sends all parts.
         *
         * @return what could not be sent, as the object has changed meanwhile
         */
        PatchContent send() throws InterruptedException {
            sendMerge();
            PatchContent remaining = new PatchContent();
            if (!patch.transformations().isEmpty() && !sendTransformations()) {
                remaining.transformAll(patch.transformations());
            }
            return remaining;
        }

        private boolean isStatusApart() {
            return resourceObject.resource().subresources().contains("status");
        }

        private void sendMerge() throws InterruptedException {
            ObjectNode rest = patch.merge().deepCopy();
            if (!isStatusApart()) {
                requests.merge(null, new MergePart(rest, patch.conditions()));
                return;
            }
            ObjectNode status = Json.object();
            if (rest.has("status")) {
                status.set("status", rest.remove("status"));
            }
            requests.merge("status", new MergePart(status, patch.conditions()));
            requests.merge(null, new MergePart(rest, new PatchContent().conditions()));
        }

        /** False if the object has changed meanwhile: all transformations have to be made again. */
        private boolean sendTransformations() throws InterruptedException {
            ObjectNode fresh = requests.newest();
            ArrayNode status = Json.mapper().createArrayNode();
            ArrayNode body = Json.mapper().createArrayNode();
            for (JsonNode operation : JsonPatch.diff(fresh, transformed(fresh))) {
                (isStatusApart() && isOnStatus(operation) ? status : body).add(operation);
            }
            return transform("status", status) && transform(null, body);
        }

        private ObjectNode transformed(ObjectNode fresh) {
            ObjectNode state = fresh;
            for (PatchTransformation patchTransformation : patch.transformations()) {
                state = transformed(state, patchTransformation);
            }
            return state;
        }

        /** A transformation that fails would fail again, so it must not hold up the progress of the handlers. */
        private ObjectNode transformed(ObjectNode state, PatchTransformation patchTransformation) {
            ObjectNode copy = state.deepCopy();
            try {
                patchTransformation.apply(copy);
                return copy;
            } catch (RuntimeException | StackOverflowError | AssertionError | LinkageError e) {
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

        private boolean transform(@Nullable String subresource, ArrayNode operations) throws InterruptedException {
            if (operations.isEmpty()) {
                return true;
            }
            resourceObject
                    .localLogger()
                    .debug("JSON-patching the {} with: {}", subresource == null ? "resource" : subresource, operations);
            try {
                requests.transform(subresource, operations);
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
                return false;
            }
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
         */
        record Invalid(ApiException refusal) implements PatchResult {}

        /** The object does not exist any more. */
        record Gone() implements PatchResult {}
    }
}
