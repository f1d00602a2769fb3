package dev.kopf4j.runtime;

import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The real machine: its clocks, virtual threads, and unseeded randomness. Thread-safe. */
public final class SystemPlatform implements Platform {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.runtime");

    /** A view of the machine; all instances are alike. */
    public SystemPlatform() {}

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public long nanos() {
        return System.nanoTime();
    }

    @Override
    public Task spawn(String name, Runnable body) {
        Thread thread = Thread.ofVirtual().name(name).unstarted(() -> runLogged(name, body));
        thread.start();
        return new ThreadTask(this, thread);
    }

    @Override
    public void letOthersRun() {
        Thread.yield();
    }

    @Override
    public Monitor monitor() {
        return new LockMonitor(this);
    }

    @Override
    public RandomGenerator random() {
        return ThreadLocalRandom.current();
    }

    private static void runLogged(String name, Runnable body) {
        try {
            body.run();
        } catch (RuntimeException | Error e) {
            log.error("Task '{}' has ended with an unexpected error. This is a defect of the framework.", name, e);
        }
    }

    private record ThreadTask(Platform platform, Thread thread) implements Task {
        @Override
        public String name() {
            return thread.getName();
        }

        @Override
        public boolean isFinished() {
            return !thread.isAlive();
        }

        @Override
        public void interrupt() {
            thread.interrupt();
        }

        @Override
        public boolean join(Deadline deadline) throws InterruptedException {
            return thread.join(deadline.left(platform));
        }

        @Override
        public StackTraceElement[] stack() {
            return thread.getStackTrace();
        }
    }

    private static final class LockMonitor implements Monitor {
        private final Platform platform;
        private final ReentrantLock lock = new ReentrantLock();
        private final Condition changed = lock.newCondition();

        LockMonitor(Platform platform) {
            this.platform = platform;
        }

        @Override
        public void locked(Runnable section) {
            lock.lock();
            try {
                section.run();
            } finally {
                changed.signalAll();
                lock.unlock();
            }
        }

        @Override
        public <T> T locked(Supplier<T> section) {
            lock.lock();
            try {
                return section.get();
            } finally {
                changed.signalAll();
                lock.unlock();
            }
        }

        @Override
        public <T> Optional<T> await(Supplier<Optional<T>> attempt, Deadline deadline) throws InterruptedException {
            lock.lockInterruptibly();
            try {
                while (true) {
                    Optional<T> value = attempt.get();
                    if (value.isPresent()) {
                        changed.signalAll();
                        return value;
                    }
                    if (deadline.hasPassed(platform)) {
                        return value;
                    }
                    waitForChange(deadline);
                }
            } finally {
                lock.unlock();
            }
        }

        /** Its caller loops: it looks at the attempt and the deadline again. */
        @SuppressWarnings("WaitNotInLoop")
        private void waitForChange(Deadline deadline) throws InterruptedException {
            if (deadline.isNever()) {
                changed.await();
            } else {
                long nanos = deadline.left(platform).toNanos();
                // Woken by a change or by time: the caller looks at both.
                var _ = changed.await(nanos, TimeUnit.NANOSECONDS);
            }
        }
    }
}
