package dev.kopf4j.engine.admission.server;

import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SystemPlatform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** The real machine, with a monotonic clock that a test puts forward. What waits for a deadline wakes up by itself. */
final class JumpingPlatform implements Platform {
    private final SystemPlatform real = new SystemPlatform();
    private final AtomicLong ahead = new AtomicLong();

    void jump(Duration time) {
        ahead.addAndGet(time.toNanos());
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
                return monitor.await(
                        attempt, deadline.isNever() ? deadline : new Deadline(deadline.nanos() - ahead.get()));
            }
        };
    }

    @Override
    public RandomGenerator random() {
        return real.random();
    }
}
