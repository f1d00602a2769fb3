package dev.kopf4j.runtime;

import dev.kopf4j.runtime.SimulatedPlatform.KilledError;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The scheduler of a simulated world. One baton: whoever holds it runs, be it the driver (the test's thread) or one of
 * the tasks; everybody else is parked. So nothing here needs a lock.
 */
final class SimulationScheduler {
    private static final int STEPS_MAX = 500_000;

    private final RandomGenerator random;
    private final Instant start;
    private long nanos;
    private final List<SimulatedTask> tasks = new ArrayList<>();
    private final List<AssertionError> failures = new ArrayList<>();
    private final Semaphore driver = new Semaphore(0);
    private @Nullable SimulatedTask current;

    SimulationScheduler(long seed, Instant start) {
        this.random = new java.util.Random(seed);
        this.start = start;
    }

    Instant now() {
        return start.plusNanos(nanos);
    }

    long nanos() {
        return nanos;
    }

    RandomGenerator random() {
        return random;
    }

    Task spawn(SimulatedPlatform owner, String name, Runnable body) {
        SimulatedTask task = new SimulatedTask(owner, name, body);
        tasks.add(task);
        return task;
    }

    String describe() {
        StringBuilder text = new StringBuilder();
        tasks.forEach(task -> text.append(task.name)
                .append(task.waiting == null ? " (runnable)" : " (waiting)")
                .append('\n'));
        return text.toString();
    }

    /** Runs tasks until the condition holds (true), or the limit has come or nothing can run any more (false). */
    boolean run(BooleanSupplier condition, Deadline limit) {
        for (int step = 0; step < STEPS_MAX; step++) {
            if (condition.getAsBoolean()) {
                return true;
            }
            Optional<SimulatedTask> next = chooseReady();
            if (next.isPresent()) {
                next.get().step();
                failIfTaskFailed();
            } else if (!advance(limit)) {
                return condition.getAsBoolean();
            }
        }
        throw new IllegalStateException("the simulation does not come to rest; tasks:\n" + describe());
    }

    private void failIfTaskFailed() {
        if (!failures.isEmpty()) {
            throw failures.getFirst();
        }
    }

    /** A random one of the tasks that can go on; attempts are made in random order, the first success wins. */
    private Optional<SimulatedTask> chooseReady() {
        int count = tasks.size();
        int offset = count == 0 ? 0 : random.nextInt(count);
        for (int i = 0; i < count; i++) {
            SimulatedTask task = tasks.get((offset + i) % count);
            if (task.isReady()) {
                return Optional.of(task);
            }
        }
        return Optional.empty();
    }

    private boolean advance(Deadline limit) {
        Deadline earliest = Deadline.NEVER;
        for (SimulatedTask task : tasks) {
            if (task.waiting != null) {
                earliest = earliest.orEarlier(task.waiting.deadline);
            }
        }
        boolean within = earliest.compareTo(limit) <= 0 && !earliest.isNever();
        if (within) {
            nanos = Math.max(nanos, earliest.nanos());
        } else if (!limit.isNever()) {
            nanos = Math.max(nanos, limit.nanos());
        }
        return within;
    }

    @SuppressWarnings("unchecked")
    <T> Optional<T> await(Supplier<Optional<T>> attempt, Deadline deadline) throws InterruptedException {
        SimulatedTask task = current;
        if (task == null) {
            return awaitAsDriver(attempt, deadline);
        }
        if (task.takeInterrupt()) {
            throw new InterruptedException("interrupted at " + now());
        }
        Wait wait = new Wait(attempt, deadline);
        task.waiting = wait;
        task.park();
        task.waiting = null;
        task.owner.refuseIfKilled();
        if (task.takeInterrupt()) {
            throw new InterruptedException("interrupted at " + now());
        }
        return (Optional<T>) wait.value;
    }

    /** The test's own thread waits by letting the others run. */
    private <T> Optional<T> awaitAsDriver(Supplier<Optional<T>> attempt, Deadline deadline) {
        List<Optional<T>> holder = new ArrayList<>();
        var _ = run(
                () -> {
                    Optional<T> value = attempt.get();
                    if (value.isPresent()) {
                        holder.add(value);
                    }
                    return value.isPresent();
                },
                deadline);
        return holder.isEmpty() ? Optional.empty() : holder.getFirst();
    }

    /** What a parked task waits for. */
    private static final class Wait {
        final Supplier<? extends Optional<?>> attempt;
        final Deadline deadline;
        Optional<?> value = Optional.empty();

        Wait(Supplier<? extends Optional<?>> attempt, Deadline deadline) {
            this.attempt = attempt;
            this.deadline = deadline;
        }
    }

    private final class SimulatedTask implements Task {
        final SimulatedPlatform owner;
        final String name;
        private final Runnable body;
        private final Semaphore baton = new Semaphore(0);
        private @Nullable Thread thread;

        @Nullable Wait waiting;

        private boolean interruptRequested;
        private boolean finished;

        SimulatedTask(SimulatedPlatform owner, String name, Runnable body) {
            this.owner = owner;
            this.name = name;
            this.body = body;
        }

        boolean isReady() {
            Wait wait = waiting;
            if (wait == null || owner.isKilled() || interruptRequested) {
                return true;
            }
            wait.value = wait.attempt.get();
            return wait.value.isPresent() || (!wait.deadline.isNever() && wait.deadline.nanos() <= nanos);
        }

        /** Hands the baton to this task, and gets it back when the task waits or ends. */
        void step() {
            SimulatedTask before = current;
            current = this;
            if (thread == null) {
                thread = Thread.ofVirtual().name(name).start(this::runBody);
            } else {
                baton.release();
            }
            driver.acquireUninterruptibly();
            current = before;
        }

        /** Called by the task itself: gives the baton back, and waits for its next turn. */
        void park() {
            driver.release();
            baton.acquireUninterruptibly();
        }

        private void runBody() {
            try {
                owner.refuseIfKilled();
                if (interruptRequested) {
                    Thread.currentThread().interrupt();
                }
                body.run();
            } catch (KilledError e) {
                // The machine is gone; nobody is left to be told.
            } catch (RuntimeException | Error e) {
                failures.add(new AssertionError("task '" + name + "' has ended with an unexpected error", e));
            } finally {
                finished = true;
                tasks.remove(this);
                driver.release();
            }
        }

        /** Parking hides the thread's own flag for moments, so the request is remembered beside it. */
        boolean takeInterrupt() {
            boolean requested = interruptRequested;
            interruptRequested = false;
            return Thread.interrupted() || requested;
        }

        @Override
        public String name() {
            return name;
        }

        @Override
        public boolean isFinished() {
            return finished;
        }

        @Override
        public void interrupt() {
            interruptRequested = true;
            if (thread != null) {
                thread.interrupt();
            }
        }

        @Override
        public boolean join(Deadline deadline) throws InterruptedException {
            Supplier<Optional<Boolean>> ended = () -> finished ? Optional.of(Boolean.TRUE) : Optional.empty();
            return SimulationScheduler.this.await(ended, deadline).isPresent();
        }

        @Override
        public StackTraceElement[] stack() {
            Thread started = thread;
            return started == null || finished ? new StackTraceElement[0] : started.getStackTrace();
        }
    }
}
