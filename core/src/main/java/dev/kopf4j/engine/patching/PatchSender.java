package dev.kopf4j.engine.patching;

import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.client.error.NotFoundException;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.object.PatchContent;
import java.util.Set;

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
}
