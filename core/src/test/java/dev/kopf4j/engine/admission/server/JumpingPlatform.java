package dev.kopf4j.engine.admission.server;

import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SystemPlatform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** The real machine, with a monotonic clock that a test puts forward. What waits for a deadline hears of it at once. */
public final class JumpingPlatform implements Platform {
    private final SystemPlatform real = new SystemPlatform();
    private final AtomicLong ahead = new AtomicLong();
    private final Queue<Monitor> monitors = new ConcurrentLinkedQueue<>();

    /** The clock goes forward at once. */
    public void jump(Duration time) {
        ahead.addAndGet(time.toNanos());
        monitors.forEach(each -> each.locked(() -> {})); // lets those who wait look at the clock
    }

    @Override
    public Instant now() {
        return real.now();
    }

    @Override
    public long nanos() {
        return real.nanos() + ahead.get();
    }

    @Override
    public Task spawn(String name, Runnable body) {
        return real.spawn(name, body);
    }

    @Override
    public Monitor monitor() {
        Monitor monitor = real.monitor();
        monitors.add(monitor);
        return new Monitor() {
            @Override
            public void locked(Runnable section) {
                monitor.locked(section);
            }

            @Override
            public <T> T locked(Supplier<T> section) {
                return monitor.locked(section);
            }

            @Override
            public <T> Optional<T> await(Supplier<Optional<T>> attempt, Deadline deadline) throws InterruptedException {
                while (true) {
                    long before = ahead.get();
                    Optional<Optional<T>> end =
                            monitor.await(() -> ended(attempt, before), onRealClock(deadline, before));
                    if (end.isEmpty() || end.get().isPresent()) {
                        return end.orElse(Optional.empty());
                    }
                }
            }
        };
    }

    /** The attempt's value; empty inside if the clock was put forward; empty if neither is the case. */
    private <T> Optional<Optional<T>> ended(Supplier<Optional<T>> attempt, long before) {
        Optional<T> value = attempt.get();
        return value.isPresent() || ahead.get() != before ? Optional.of(value) : Optional.empty();
    }

    private static Deadline onRealClock(Deadline deadline, long ahead) {
        return deadline.isNever() ? deadline : new Deadline(deadline.nanos() - ahead);
    }

    @Override
    public RandomGenerator random() {
        return real.random();
    }
}
