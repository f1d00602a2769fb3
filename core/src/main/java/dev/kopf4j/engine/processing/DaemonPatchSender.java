package dev.kopf4j.engine.processing;

import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.engine.daemon.DaemonPatchWriter;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.patching.PatchResult;
import dev.kopf4j.engine.patching.PatchSender;
import dev.kopf4j.object.PatchContent;

/** Writes the changes of daemons and timers as all other changes are written. Thread-safe. */
public final class DaemonPatchSender implements DaemonPatchWriter {
    private final PatchSender sender;

    /** Writes through the given sender. */
    public DaemonPatchSender(PatchSender sender) {
        this.sender = sender;
    }

    @Override
    public Written write(ResourceObject resourceObject, PatchContent patch) throws InterruptedException {
        return switch (sender.send(resourceObject, patch)) {
            case PatchResult.NothingToSend(), PatchResult.Gone() -> new Written(null, new PatchContent());
            case PatchResult.Applied(var answered, PatchContent remaining) -> new Written(answered, remaining);
            case PatchResult.Invalid(ApiException refusal) -> {
                resourceObject
                        .localLogger()
                        .error(
                                "The server refuses the changes that a daemon or timer has made to this object; they are"
                                        + " dropped: {}",
                                refusal.getMessage());
                yield new Written(null, new PatchContent());
            }
        };
    }
}
