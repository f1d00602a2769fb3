package dev.kopf4j.runtime;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
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
        Thread thread = Thread.ofVirtual().name(name).unstarted(new Body(name, body));
        thread.start();
        return new ThreadTask(this, thread);
    }

    @Override
    @SuppressWarnings("ThreadPriorityCheck") // it saves work where it is obeyed, and nothing depends on it
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

    /** What a thread runs: without detours, as each call on the stack of a waiting thread takes memory. */
    private record Body(String name, Runnable body) implements Runnable {
        @Override
        public void run() {
            try {
                body.run();
            } catch (RuntimeException | Error e) {
                log.error("Task '{}' has ended with an unexpected error. This is a defect of the framework.", name, e);
            }
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

    /** Whoever ends a section makes the attempts of those that wait: nobody is woken up in vain. */
    private static final class LockMonitor implements Monitor {
        private final Platform platform;
        private final ReentrantLock lock = new ReentrantLock();
        private final List<Waiter<?>> waiters = new ArrayList<>(0);

        LockMonitor(Platform platform) {
            this.platform = platform;
        }

        @Override
        public void locked(Runnable section) {
            lock.lock();
            try {
                section.run();
            } finally {
                unlock();
            }
        }

        @Override
        public <T> T locked(Supplier<T> section) {
            lock.lock();
            try {
                return section.get();
            } finally {
                unlock();
            }
        }

        @Override
        public <T> Optional<T> await(Supplier<Optional<T>> attempt, Deadline deadline) throws InterruptedException {
            lock.lockInterruptibly();
            try {
                Optional<T> value = attempt.get();
                return value.isPresent() || deadline.hasPassed(platform) ? value : awaitTurn(attempt, deadline);
            } finally {
                unlock();
            }
        }

        private <T> Optional<T> awaitTurn(Supplier<Optional<T>> attempt, Deadline deadline)
                throws InterruptedException {
            Waiter<T> waiter = new Waiter<>(attempt, lock.newCondition());
            waiters.add(waiter);
            try {
                while (!waiter.hasSucceeded() && !deadline.hasPassed(platform)) {
                    waiter.sleep(deadline, platform);
                }
            } catch (InterruptedException e) {
                if (!waiter.hasSucceeded()) {
                    throw e;
                }
                // It has what it was waiting for; its next wait hears of the interruption.
                Thread.currentThread().interrupt();
            } finally {
                waiters.remove(waiter);
            }
            return waiter.hasSucceeded() ? waiter.value : attempt.get();
        }

        private void unlock() {
            try {
                while (serveOne()) {
                    // What one has taken or changed may be what the next one waits for.
                }
            } finally {
                lock.unlock();
            }
        }

        private boolean serveOne() {
            for (Waiter<?> waiter : waiters) {
                if (!waiter.hasSucceeded() && waiter.attempt()) {
                    return true;
                }
            }
            return false;
        }
    }

    /** A task that waits. Guarded by the monitor's lock. */
    private static final class Waiter<T> {
        private final Supplier<Optional<T>> attempt;
        private final Condition success;
        private Optional<T> value = Optional.empty();

        Waiter(Supplier<Optional<T>> attempt, Condition success) {
            this.attempt = attempt;
            this.success = success;
        }

        boolean hasSucceeded() {
            return value.isPresent();
        }

        /** Makes the attempt for the task, and wakes it up if that succeeds. */
        boolean attempt() {
            value = attempt.get();
            if (hasSucceeded()) {
                success.signal();
            }
            return hasSucceeded();
        }

        /** Its caller loops: it looks at the success and the deadline again. */
        @SuppressWarnings("WaitNotInLoop")
        void sleep(Deadline deadline, Platform platform) throws InterruptedException {
            if (deadline.isNever()) {
                success.await();
            } else {
                long nanos = deadline.left(platform).toNanos();
                var _ = success.await(nanos, TimeUnit.NANOSECONDS);
            }
        }
    }
}
