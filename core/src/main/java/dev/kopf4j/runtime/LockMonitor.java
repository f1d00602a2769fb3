package dev.kopf4j.runtime;

import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A monitor for real threads. The thread that leaves a locked section tries the attempts of all waiting threads, and
 * wakes only those that have a result.
 */
final class LockMonitor implements Monitor {
    private final Platform platform;
    private final ReentrantLock lock = new ReentrantLock();
    private final WaitingThreads waiting = new WaitingThreads();

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
            return value.isPresent() || deadline.hasPassed(platform) ? value : awaitSections(attempt, deadline);
        } finally {
            unlock();
        }
    }

    private <T> Optional<T> awaitSections(Supplier<Optional<T>> attempt, Deadline deadline)
            throws InterruptedException {
        WaitingThreads.Waiter<T> self = new WaitingThreads.Waiter<>(attempt);
        waiting.add(self);
        boolean interrupted = false;
        while (!self.isServed() && !interrupted && !deadline.hasPassed(platform)) {
            lock.unlock();
            if (deadline.isNever()) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, deadline.remaining(platform).toNanos());
            }
            lock.lock();
            interrupted = Thread.interrupted();
        }
        if (!self.isServed()) {
            waiting.remove(self);
        }
        if (interrupted) {
            if (self.value().isEmpty()) {
                throw new InterruptedException();
            }
            // The thread has the result that it was waiting for; its next wait throws the exception.
            Thread.currentThread().interrupt();
        }
        return self.value().isPresent() ? self.value() : attempt.get();
    }

    private void unlock() {
        WaitingThreads.@Nullable Waiter<?> served = waiting.isEmpty() ? null : waiting.serveAll();
        lock.unlock();
        WaitingThreads.wake(served);
    }

    /**
     * The threads that wait at a {@link LockMonitor}, the first one longest. The conditions of a lock would do the
     * same, but with them the stack of a waiting virtual thread is larger by half, and thousands may wait. Guarded by
     * the lock.
     */
    private static final class WaitingThreads {
        private @Nullable Waiter<?> first;
        private @Nullable Waiter<?> last;

        /** A thread with its attempt. */
        static final class Waiter<T> {
            private final Thread thread = Thread.currentThread();
            private final Supplier<Optional<T>> attempt;
            private Optional<T> value = Optional.empty();
            private boolean served;
            private @Nullable Waiter<?> next;

            Waiter(Supplier<Optional<T>> attempt) {
                this.attempt = attempt;
            }

            /** True if somebody else has made the attempt, and the thread does not wait any more. */
            boolean isServed() {
                return served;
            }

            /** The result of the attempt; empty also if it has thrown an exception. */
            Optional<T> value() {
                return value;
            }

            /** Makes the attempt for the thread; true if the thread has to be woken. */
            private boolean attempt() {
                try {
                    value = attempt.get();
                    served = value.isPresent();
                } catch (RuntimeException | Error e) {
                    // The thread itself has to get the exception: it makes the attempt again.
                    served = true;
                }
                return served;
            }
        }

        boolean isEmpty() {
            return first == null;
        }

        void add(Waiter<?> waiter) {
            if (last == null) {
                first = waiter;
            } else {
                last.next = waiter;
            }
            last = waiter;
        }

        void remove(Waiter<?> waiter) {
            Waiter<?> before = null;
            for (Waiter<?> each = first; each != null && each != waiter; each = each.next) {
                before = each;
            }
            if (before == null) {
                first = waiter.next;
            } else {
                before.next = waiter.next;
            }
            if (last == waiter) {
                last = before;
            }
            waiter.next = null;
        }

        /**
         * Takes out all threads whose attempts succeed, and returns them as a chain; null if there are none. An attempt
         * may take or change what another thread waits for, so each success begins the search again.
         */
        @Nullable Waiter<?> serveAll() {
            Waiter<?> chain = null;
            for (Waiter<?> each = serveOne(); each != null; each = serveOne()) {
                each.next = chain;
                chain = each;
            }
            return chain;
        }

        private @Nullable Waiter<?> serveOne() {
            for (Waiter<?> each = first; each != null; each = each.next) {
                if (each.attempt()) {
                    remove(each);
                    return each;
                }
            }
            return null;
        }

        /** Wakes the threads of a chain; called without the lock. */
        static void wake(@Nullable Waiter<?> chain) {
            for (Waiter<?> each = chain; each != null; each = each.next) {
                LockSupport.unpark(each.thread);
            }
        }
    }
}
