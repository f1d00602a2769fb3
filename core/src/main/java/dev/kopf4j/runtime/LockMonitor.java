package dev.kopf4j.runtime;

import dev.kopf4j.runtime.WaitingThreads.Waiter;
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
        Waiter<T> self = new Waiter<>(attempt);
        waiting.add(self);
        boolean interrupted = false;
        while (!self.isServed() && !interrupted && !deadline.hasPassed(platform)) {
            lock.unlock();
            if (deadline.isNever()) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, deadline.left(platform).toNanos());
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
        @Nullable Waiter<?> served = waiting.isEmpty() ? null : waiting.serveAll();
        lock.unlock();
        WaitingThreads.wake(served);
    }
}
