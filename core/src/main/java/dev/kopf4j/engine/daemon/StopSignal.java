package dev.kopf4j.engine.daemon;

import dev.kopf4j.StopReason;
import dev.kopf4j.Stopped;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Optional;
import java.util.Set;

/** Tells the user's code that it should stop. Thread-safe. */
final class StopSignal implements Stopped {
    private final Platform platform;
    private final Monitor monitor;
    private volatile Set<StopReason> reasons = Set.of();

    StopSignal(Platform platform) {
        this.platform = platform;
        this.monitor = platform.monitor();
    }

    /** Gives reasons, besides those that were given before. */
    void set(Set<StopReason> more) {
        monitor.locked(() -> {
            EnumSet<StopReason> all = EnumSet.copyOf(more);
            all.addAll(reasons);
            reasons = java.util.Collections.unmodifiableSet(all);
        });
    }

    @Override
    public boolean isSet() {
        return !reasons.isEmpty();
    }

    @Override
    public boolean await(Duration timeout) throws InterruptedException {
        return monitor.await(this::sign, platform.after(timeout)).isPresent();
    }

    @Override
    public void await() throws InterruptedException {
        var _ = monitor.await(this::sign, Deadline.NEVER);
    }

    /** An attempt to see the signal, for which a daemon waits as long as it lives; empty while it may go on. */
    private Optional<Set<StopReason>> sign() {
        return Optional.of(reasons).filter(given -> !given.isEmpty());
    }

    @Override
    public Set<StopReason> reasons() {
        return reasons;
    }
}
