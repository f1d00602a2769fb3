package dev.kopf4j.engine.processing;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.engine.daemon.DaemonPatchWriter;
import dev.kopf4j.engine.daemon.OperatorDaemons;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.invocation.DaemonCalls;
import dev.kopf4j.engine.patching.PatchResult;
import dev.kopf4j.engine.patching.PatchSender;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.runtime.Platform;

/** Writes the changes of daemons and timers in the way of all other changes. Thread-safe. */
public final class DaemonPatchSender implements DaemonPatchWriter {
    private final PatchSender sender;

    private DaemonPatchSender(PatchSender sender) {
        this.sender = sender;
    }

    /** An operator's daemons and timers, none yet, whose changes go through the given sender. */
    public static OperatorDaemons daemons(
            Platform platform, OperatorSettings settings, DaemonCalls calls, PatchSender sender) {
        ErrorDelays delays = new ErrorDelays(settings.queueing().errorDelays());
        return new OperatorDaemons(
                platform, settings.background(), calls, new DaemonPatchSender(sender), delays::ofConflict);
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
