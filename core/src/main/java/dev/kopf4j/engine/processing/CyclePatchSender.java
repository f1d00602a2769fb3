package dev.kopf4j.engine.processing;

import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.patching.FrameworkPatch;
import dev.kopf4j.engine.patching.PatchResult;
import dev.kopf4j.engine.patching.PatchSender;
import dev.kopf4j.object.PatchContent;

/**
 * Sends the patches of cycles. If the server refuses the changes of handlers, they are dropped with an error in the
 * log; the progress of the handlers is written all the same. Thread-safe.
 *
 * @param sender sends requests
 * @param frameworkPatch knows the framework's own part of a patch
 */
record CyclePatchSender(PatchSender sender, FrameworkPatch frameworkPatch) {
    /**
     * Sends a patch; never answers that it is invalid.
     *
     * @throws ApiException if the server refuses even the framework's own part
     * @throws dev.kopf4j.client.error.ClientException if a request has failed for good
     * @throws InterruptedException if the operator stops
     */
    PatchResult send(ResourceObject object, PatchContent patch) throws InterruptedException {
        PatchResult result = sender.send(object, patch);
        if (!(result instanceof PatchResult.Invalid(ApiException refusal))) {
            return result;
        }
        object.localLogger()
                .error(
                        "The server refuses the changes that the handlers have made to this object; they are dropped, and"
                                + " the handlers are not called again for it: {}",
                        refusal.getMessage());
        PatchResult again = sender.send(object, frameworkPatch.extractFrom(patch));
        if (again instanceof PatchResult.Invalid(ApiException second)) {
            throw second;
        }
        return again;
    }

    /** Asks for the object as it is now. */
    PatchResult refresh(ResourceObject object) throws InterruptedException {
        return sender.refresh(object);
    }
}
