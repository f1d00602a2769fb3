package dev.kopf4j.engine.queueing;

import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.text.DurationText;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Lets the reader of a list or of a watch wait while the backlog is full, and tells the stream's health if that takes
 * too long: while nobody reads, nobody hears the server either. Thread-safe.
 *
 * <p>Each event may have to wait. Therefore all waits share one entry in the schedule, and none has a time limit of its
 * own.
 */
final class BacklogWait {
    /** After this time, the stream counts as held up. */
    private static final Duration SHORT = Duration.ofSeconds(1);

    private final Platform platform;
    private final Monitor monitor;
    private final ActionSchedule actionSchedule;
    private final BacklogLimits limits;
    private final StreamHealth health;
    private final StreamHealth.Reader reader;

    // Guarded by the monitor.
    private @Nullable Deadline tooLong;
    private boolean checking;

    /**
     * Nobody waits.
     *
     * @param monitor the dispatcher's
     */
    BacklogWait(
            Platform platform,
            Monitor monitor,
            ActionSchedule actionSchedule,
            BacklogLimits limits,
            StreamHealth health,
            StreamHealth.Reader reader) {
        this.platform = platform;
        this.monitor = monitor;
        this.actionSchedule = actionSchedule;
        this.limits = limits;
        this.health = health;
        this.reader = reader;
    }

    /** Waits for the attempt to succeed. Without the monitor. */
    <T> T until(Supplier<Optional<T>> attempt) throws InterruptedException {
        Optional<T> atOnce = monitor.locked(attempt);
        return atOnce.isPresent() ? atOnce.get() : waited(attempt);
    }

    private <T> T waited(Supplier<Optional<T>> attempt) throws InterruptedException {
        Deadline keepingUp = platform.after(SHORT);
        boolean unchecked = monitor.locked(() -> {
            boolean first = !checking;
            tooLong = platform.after(health.patience());
            checking = true;
            return first;
        });
        if (unchecked) {
            check();
        }
        health.waits(reader, true);
        try {
            return monitor.await(attempt, Deadline.NEVER).orElseThrow();
        } finally {
            health.waits(reader, false);
            monitor.locked(() -> {
                tooLong = null;
            });
            if (!keepingUp.hasPassed(platform) && monitor.locked(() -> limits.hasRoom())) {
                health.keepsUp();
            }
        }
    }

    /** Looks again when the present wait will have taken too long; not any more when nobody waits. */
    private void check() {
        Deadline limit = monitor.locked(() -> {
                    checking = tooLong != null;
                    return Optional.ofNullable(tooLong);
                })
                .orElse(Deadline.NEVER);
        if (limit.isNever()) {
            return;
        }
        boolean late = limit.hasPassed(platform);
        if (late) {
            health.heldUp(monitor.locked(limits::describe) + ", and none was taken for "
                    + DurationText.format(health.patience()) + ": handlers, or the API server, are slow");
        }
        actionSchedule.at(late ? platform.after(health.patience()) : limit, this::check);
    }
}
