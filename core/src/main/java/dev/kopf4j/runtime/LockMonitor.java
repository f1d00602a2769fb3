package dev.kopf4j.runtime;

import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A monitor for real threads. Whoever ends a section makes the attempts of those that wait, so that nobody is woken in
 * vain. It keeps its own list of them, where conditions of the lock would do: with these, the stack of a waiting
 * virtual thread is larger by half, and there may be thousands.
 */
final class LockMonitor implements Monitor {
    private final Platform platform;
    private final ReentrantLock lock = new ReentrantLock();

    // Those that wait, guarded by the lock.
    private @Nullable Waiter<?> first;
    private @Nullable Waiter<?> last;

    LockMonitor(Platform platform) {
        this.platform = platform;
    }

    /** A thread that waits. Guarded by the lock. */
    private static final class Waiter<T> {
        private final Thread thread = Thread.currentThread();
        private final Supplier<Optional<T>> attempt;
        private Optional<T> value = Optional.empty();
        private boolean served;
        private @Nullable Waiter<?> next;

        Waiter(Supplier<Optional<T>> attempt) {
            this.attempt = attempt;
        }

        /** Makes the attempt for the thread; true if there is something to be woken for. */
        boolean attempt() {
            try {
                value = attempt.get();
                served = value.isPresent();
            } catch (RuntimeException | Error e) {
                // That is for the thread itself to hear: it makes the attempt again.
                served = true;
            }
            return served;
        }
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
        add(self);
        boolean interrupted = false;
        while (!self.served && !interrupted && !deadline.hasPassed(platform)) {
            lock.unlock();
            if (deadline.isNever()) {
                LockSupport.park(this);
            } else {
                LockSupport.parkNanos(this, deadline.left(platform).toNanos());
            }
            lock.lock();
            interrupted = Thread.interrupted();
        }
        if (!self.served) {
            remove(self);
        }
        if (interrupted) {
            if (self.value.isEmpty()) {
                throw new InterruptedException();
            }
            // It has what it was waiting for; its next wait hears of the interruption.
            Thread.currentThread().interrupt();
        }
        return self.value.isPresent() ? self.value : attempt.get();
    }

    private void add(Waiter<?> waiter) {
        if (last == null) {
            first = waiter;
        } else {
            last.next = waiter;
        }
        last = waiter;
    }

    private void remove(Waiter<?> waiter) {
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

    private void unlock() {
        Waiter<?> served = first == null ? null : serveAll();
        lock.unlock();
        for (Waiter<?> each = served; each != null; each = each.next) {
            LockSupport.unpark(each.thread);
        }
    }

    /** The chain of those that have what they wait for. What one has taken or changed may be what another waits for. */
    private @Nullable Waiter<?> serveAll() {
        Waiter<?> chain = null;
        for (Waiter<?> each = serveOne(); each != null; each = serveOne()) {
            each.next = chain;
            chain = each;
        }
        return chain;
    }

    /** The one that has waited longest of those whose attempts succeed; null if there is none. */
    private @Nullable Waiter<?> serveOne() {
        for (Waiter<?> each = first; each != null; each = each.next) {
            if (each.attempt()) {
                remove(each);
                return each;
            }
        }
        return null;
    }
}
