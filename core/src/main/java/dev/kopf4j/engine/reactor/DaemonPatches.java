package dev.kopf4j.engine.reactor;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.error.ApiException;
import dev.kopf4j.engine.daemon.Daemons;
import dev.kopf4j.engine.daemon.PatchWriter;
import dev.kopf4j.engine.handling.call.BackgroundCalls;
import dev.kopf4j.engine.handling.context.Subject;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.runtime.Platform;

/** Writes the changes of daemons and timers in the way of all other changes. Thread-safe. */
public final class DaemonPatches implements PatchWriter {
    private final PatchSender sender;

    private DaemonPatches(PatchSender sender) {
        this.sender = sender;
    }

    /** An operator's daemons and timers, none yet, whose changes go through the given sender. */
    public static Daemons daemons(
            Platform platform, OperatorSettings settings, BackgroundCalls calls, PatchSender sender) {
        ErrorDelays delays = new ErrorDelays(settings.queueing().errorDelays());
        return new Daemons(platform, settings.background(), calls, new DaemonPatches(sender), delays::ofConflict);
    }

    @Override
    public Written write(Subject subject, PatchContent patch) throws InterruptedException {
        return switch (sender.send(subject, patch)) {
            case Sent.Nothing(), Sent.Gone() -> new Written(null, new PatchContent());
            case Sent.Changed(var answered, PatchContent remaining) -> new Written(answered, remaining);
            case Sent.Refused(ApiException refusal) -> {
                subject.logger()
                        .error(
                                "The server refuses the changes that a daemon or timer has made to this object; they are"
                                        + " dropped: {}",
                                refusal.getMessage());
                yield new Written(null, new PatchContent());
            }
        };
    }
}
