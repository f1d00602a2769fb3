package dev.kopf4j.engine.simulation;

import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.runtime.Task;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/** A clock that shows another time, and runs at another speed; in a process that may be suspended. */
public record DriftingPlatform(SimulatedPlatform real, double speed, Duration skew, Suspension suspension)
        implements Platform {
    @Override
    public Instant now() {
        return real.now().plus(skew);
    }

    @Override
    public long nanos() {
        return (long) ((real.nanos() - suspension.asleep()) * speed);
    }

    @Override
    public Task spawn(String name, Runnable body) {
        return real.spawn(name, () -> {
            suspension.pass();
            body.run();
        });
    }

    @Override
    public RandomGenerator random() {
        return real.random();
    }

    @Override
    public Monitor monitor() {
        Monitor inner = real.monitor();
        return new Monitor() {
            @Override
            public void locked(Runnable section) {
                inner.locked(section);
            }

            @Override
            public <T> T locked(Supplier<T> section) {
                return inner.locked(section);
            }

            @Override
            public <T> Optional<T> await(Supplier<Optional<T>> attempt, Deadline deadline) throws InterruptedException {
                Optional<T> value;
                do {
                    value = awaitOnce(attempt, deadline);
                } while (value.isEmpty() && !deadline.hasPassed(DriftingPlatform.this));
                return value;
            }

            private <T> Optional<T> awaitOnce(Supplier<Optional<T>> attempt, Deadline deadline)
                    throws InterruptedException {
                Deadline translated = deadline.isNever()
                        ? deadline
                        : new Deadline((long) Math.ceil(deadline.nanos() / speed) + 1 + suspension.asleep());
                try {
                    return inner.await(attempt, translated);
                } finally {
                    suspension.pass();
                }
            }
        };
    }

    /**
     * Stops all tasks of a process for a while, as SIGSTOP does: they go on where they were, and only their clock
     * tells. Or it stops the whole machine, as the lid of a laptop does: only its wall clock tells.
     */
    public static final class Suspension {
        private final SimulatedPlatform real;
        private long until;
        private long asleepFrom;
        private long asleepUntil;
        private long asleepBefore;

        public Suspension(SimulatedPlatform real) {
            this.real = real;
            this.until = real.nanos();
        }

        /** From now on, for so long. */
        public void begin(Duration time) {
            until = real.nanos() + time.toNanos();
        }

        /** From now on, for so long, the whole machine: its monotonic clock stands still. */
        public void sleep(Duration time) {
            asleepBefore = asleep();
            asleepFrom = real.nanos();
            begin(time);
            asleepUntil = until;
        }

        /** For how long the monotonic clock has stood still, in nanoseconds. */
        long asleep() {
            return asleepBefore + Math.max(0, Math.min(real.nanos(), asleepUntil) - asleepFrom);
        }

        /** True while it lasts. */
        public boolean isOn() {
            return real.nanos() < until;
        }

        /** Waits for the end of the suspension. */
        public void pass() {
            boolean interrupted = false;
            while (real.nanos() < until) {
                try {
                    real.sleep(Duration.ofNanos(until - real.nanos()));
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
