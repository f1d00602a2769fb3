package dev.kopf4j.runtime;

import dev.kopf4j.runtime.SimulatedPlatform.InterruptedRunException;
import dev.kopf4j.runtime.SimulatedPlatform.KilledError;
import dev.kopf4j.runtime.SimulatedPlatform.StuckException;
import dev.kopf4j.text.DurationText;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The scheduler of a simulated world. There is one turn, and only the thread that holds it runs: the driver (the test's
 * thread) or one of the tasks. All others are parked, so nothing here needs a lock.
 */
final class SimulationScheduler {
    /** While the time stands still, or in all where no limit would end the wait for what never comes. */
    private static final int STEPS_MAX = 500_000;

    /** How often a task may wait again while it ends. */
    private static final int TURNS_TO_END = 100;

    private final RandomGenerator random;
    private final Instant start;
    private long nanos;
    private final List<SimulatedTask> tasks = new ArrayList<>();
    private final List<AssertionError> failures = new ArrayList<>();
    private final Queue<String> intrusions = new ConcurrentLinkedQueue<>();
    private final Semaphore driver = new Semaphore(0);
    private Duration busyLimit = Duration.ofSeconds(30);
    private @Nullable SimulatedTask current;
    private @Nullable Thread driving;
    /** Why a turn has not ended. */
    private @Nullable IllegalStateException leftBy;
    /** The task of that turn. */
    private @Nullable SimulatedTask left;

    private boolean ended;

    SimulationScheduler(long seed, Instant start) {
        this.random = new java.util.Random(seed);
        this.start = start;
    }

    void busyLimit(Duration limit) {
        busyLimit = limit;
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
        refuseStrangers();
        SimulatedTask task = new SimulatedTask(this, owner, name, body);
        tasks.add(task);
        return task;
    }

    String describe() {
        StringBuilder text = new StringBuilder();
        tasks.forEach(task -> text.append(task.name())
                .append(task.isWaiting() ? " (waiting)" : " (runnable)")
                .append('\n'));
        return text.toString();
    }

    /** Runs tasks until the condition holds (true), or the limit has come or nothing can run any more (false). */
    boolean run(BooleanSupplier condition, Deadline limit) {
        if (leftBy != null) {
            throw new IllegalStateException("the simulation cannot go on: " + leftBy.getMessage(), leftBy);
        }
        Thread before = driving;
        driving = Thread.currentThread();
        try {
            return drive(condition, limit);
        } finally {
            driving = before;
        }
    }

    private boolean drive(BooleanSupplier condition, Deadline limit) {
        int steps = 0;
        while (steps < STEPS_MAX) {
            if (Thread.currentThread().isInterrupted()) {
                throw new InterruptedRunException();
            }
            if (condition.getAsBoolean()) {
                return true;
            }
            Optional<SimulatedTask> next = chooseReady();
            if (next.isPresent()) {
                step(next.get());
                failIfTaskFailed();
                steps++;
                continue;
            }
            long before = nanos;
            if (!advance(limit)) {
                return condition.getAsBoolean();
            }
            steps = nanos > before && !limit.isNever() ? 0 : steps + 1;
        }
        throw new IllegalStateException("the simulation does not come to rest; tasks:\n" + describe());
    }

    private void failIfTaskFailed() {
        if (!failures.isEmpty()) {
            throw failures.getFirst();
        }
    }

    /** Gives a task its turn, which ends when the task waits or ends. */
    private void step(SimulatedTask task) {
        SimulatedTask before = current;
        current = task;
        task.resume();
        awaitTurnEnd(task);
        current = before;
    }

    private void awaitTurnEnd(SimulatedTask task) {
        try {
            new TurnWatch(driver, task, busyLimit).await();
        } catch (IllegalStateException e) {
            leftBy = e;
            left = task;
            task.interrupt();
            throw e;
        }
    }

    /** Ends all tasks: each gets its turn until it is gone. One that does not give it back is left as it is. */
    void end() {
        if (ended) {
            return;
        }
        ended = true;
        for (SimulatedTask task : List.copyOf(tasks)) {
            for (int turns = 0;
                    leftBy == null && task.hasThread() && !task.isFinished() && turns < TURNS_TO_END;
                    turns++) {
                try {
                    step(task);
                } catch (IllegalStateException e) {
                    break; // its stack was told when it happened first, or it is one of code that ends by itself
                }
            }
        }
        tasks.clear();
    }

    boolean hasEnded() {
        return ended;
    }

    /** True if a turn was not ended by a task that has begun to run, and does not wait for anything. */
    boolean isLeftBusy() {
        return left != null && left.state() == Thread.State.RUNNABLE && left.stack().length > 0;
    }

    /** A task ends its turn. */
    void endTurn() {
        driver.release();
    }

    /** A task has ended; the failure is null if it ended well. */
    void ended(SimulatedTask task, @Nullable AssertionError failure) {
        if (failure != null) {
            failures.add(failure);
        }
        tasks.remove(task);
    }

    /**
     * Chooses a task at random among those that can go on: the first one whose attempt succeeds, from a random start.
     */
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
            earliest = earliest.orEarlier(task.deadline());
        }
        boolean within = earliest.compareTo(limit) <= 0 && !earliest.isNever();
        if (within) {
            nanos = Math.max(nanos, earliest.nanos());
        } else if (!limit.isNever()) {
            nanos = Math.max(nanos, limit.nanos());
        }
        return within;
    }

    <T> Optional<T> await(Supplier<Optional<T>> attempt, Deadline deadline) throws InterruptedException {
        refuseStrangers();
        SimulatedTask task = current;
        return task == null ? awaitAsDriver(attempt, deadline) : task.await(attempt, deadline);
    }

    /** True if the calling thread may act: it is the running task's, or nothing runs. */
    boolean isOwn() {
        Thread caller = Thread.currentThread();
        SimulatedTask task = current;
        return task == null ? driving == null || driving.equals(caller) : task.runs(caller);
    }

    /** What threads that take no part have tried; for all threads. */
    Queue<String> intrusions() {
        return intrusions;
    }

    private void refuseStrangers() {
        if (!isOwn()) {
            String words = "the thread '" + Thread.currentThread().getName()
                    + "' is not part of the simulation: time stands still for it. Do this in the handler's own thread,"
                    + " or test it in real time";
            intrusions.add(words);
            throw new IllegalStateException(words);
        }
    }

    /** The test's own thread waits by letting the tasks run. */
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

    /**
     * Waits until a simulated task ends its turn, and notices if it never will: it waits for something that is not part
     * of the simulation. Real time counts here.
     */
    static final class TurnWatch {
        private static final long FIRST_LOOK_MILLIS = 5;
        private static final long LOOK_MILLIS = 1000;
        private static final int LOOKS_WHILE_WAITING = 3;
        private static final int FRAMES_MAX = 20;
        private static final int FRAMES_OF_SLEEP = 6;

        private final Semaphore turn;
        private final SimulatedTask task;
        private final Duration busyLimit;

        TurnWatch(Semaphore turn, SimulatedTask task, Duration busyLimit) {
            this.turn = turn;
            this.task = task;
            this.busyLimit = busyLimit;
        }

        /**
         * Waits for the end of the turn.
         *
         * @throws StuckException if the task sleeps, has waited for three seconds, or has been busy up to the limit
         */
        void await() {
            int waiting = 0;
            long patience = FIRST_LOOK_MILLIS;
            for (int looks = 0; !acquired(patience); looks++) {
                patience = LOOK_MILLIS;
                StackTraceElement[] stack = task.stack();
                if (isWaiting() && sleeps(stack)) {
                    throw stuck("sleeps, and no time of the simulation passes meanwhile", stack);
                }
                waiting = isWaiting() && looks > 0 ? waiting + 1 : 0;
                if (waiting >= LOOKS_WHILE_WAITING) {
                    throw stuck("waits for something that is not part of the simulation", stack);
                }
                if (looks * LOOK_MILLIS >= busyLimit.toMillis()) {
                    throw busy(stack);
                }
            }
        }

        private static boolean sleeps(StackTraceElement[] stack) {
            return Arrays.stream(stack)
                    .limit(FRAMES_OF_SLEEP)
                    .anyMatch(frame -> frame.getClassName().equals("java.lang.Thread")
                            && frame.getMethodName().equals("sleep"));
        }

        private boolean acquired(long millis) {
            boolean interrupted = false;
            try {
                while (true) {
                    try {
                        return turn.tryAcquire(millis, TimeUnit.MILLISECONDS);
                    } catch (InterruptedException e) {
                        interrupted = true;
                    }
                }
            } finally {
                if (interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        private boolean isWaiting() {
            return switch (task.state()) {
                case WAITING, TIMED_WAITING, BLOCKED -> true;
                case NEW, RUNNABLE, TERMINATED -> false;
            };
        }

        private StuckException stuck(String how, StackTraceElement[] stack) {
            return new StuckException(place(
                    how
                            + " (a socket, Thread.sleep, a thread of its own, a lock that another handler holds during a"
                            + " request): use the injected client and the handler's own waiting, or test it in real time"
                            + hint(stack),
                    stack));
        }

        /** The client asks discovery for a kind that is named by texts, and holds a lock meanwhile. */
        private static String hint(StackTraceElement[] stack) {
            boolean looksUp =
                    Arrays.stream(stack).anyMatch(each -> each.getMethodName().equals("getResourceDefinitionContext"));
            return looksUp
                    ? "; take genericKubernetesResources(ResourceDefinitionContext) in place of the one with texts, which"
                            + " locks out other handlers while it asks the server"
                    : "";
        }

        private StuckException busy(StackTraceElement[] stack) {
            if (stack.length == 0 || isParked(stack[0])) {
                return new StuckException("the simulated task '" + task.name() + "' was given no processor for "
                        + DurationText.format(busyLimit)
                        + ": handlers that never end, of this test or of one before, keep all"
                        + " of those that virtual threads have");
            }
            return new StuckException(place(
                    "has been busy for " + DurationText.format(busyLimit)
                            + " without waiting for anything: if this is no"
                            + " endless loop, let it be busy for longer (busy of @Simulated), or test it in real"
                            + " time",
                    stack));
        }

        /** Awake, and still where it has waited: it has its turn, but no processor. */
        private static boolean isParked(StackTraceElement frame) {
            return frame.getClassName().equals("java.lang.VirtualThread")
                    && frame.getMethodName().startsWith("park");
        }

        private String place(String how, StackTraceElement[] stack) {
            String frames = Arrays.stream(stack)
                    .limit(FRAMES_MAX)
                    .map(frame -> "\n\tat " + frame)
                    .collect(Collectors.joining());
            return "the simulated task '" + task.name() + "' " + how + "; it is here:" + frames;
        }
    }

    /**
     * A task of a simulated world: a thread that runs only while it has its turn in its {@link SimulationScheduler}.
     */
    static final class SimulatedTask implements Task {
        private final SimulationScheduler scheduler;
        private final SimulatedPlatform owner;
        private final String name;
        private final Runnable body;
        private final Semaphore turn = new Semaphore(0);
        private @Nullable Thread thread;
        private @Nullable Wait waiting;
        private boolean interruptRequested;
        private boolean finished;

        SimulatedTask(SimulationScheduler scheduler, SimulatedPlatform owner, String name, Runnable body) {
            this.scheduler = scheduler;
            this.owner = owner;
            this.name = name;
            this.body = body;
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

        boolean isWaiting() {
            return waiting != null;
        }

        /** The moment when its wait ends, or its suspension; never if it does not wait. */
        Deadline deadline() {
            if (isSuspended()) {
                return owner.suspension();
            }
            return waiting == null ? Deadline.NEVER : waiting.deadline;
        }

        private boolean isSuspended() {
            return owner.suspension().nanos() > scheduler.nanos() && !owner.isKilled() && !scheduler.hasEnded();
        }

        /** True if it can go on; makes the attempt that it waits for. */
        boolean isReady() {
            Wait wait = waiting;
            if (isSuspended()) {
                return false;
            }
            if (wait == null || owner.isKilled() || scheduler.hasEnded() || interruptRequested) {
                return true;
            }
            wait.value = wait.attempt.get();
            return wait.value.isPresent() || (!wait.deadline.isNever() && wait.deadline.nanos() <= scheduler.nanos());
        }

        /** Whether it was started, and so has a thread that may be parked. */
        boolean hasThread() {
            return thread != null;
        }

        /** Starts the thread, or lets it go on. */
        void resume() {
            if (thread == null) {
                // Known before it runs: it asks who it is.
                thread = Thread.ofVirtual().name(name).unstarted(this::runBody);
                thread.start();
            } else {
                turn.release();
            }
        }

        /** Waits in the task itself: ends its turn until it is ready. */
        @SuppressWarnings("unchecked") // the value comes from the attempt
        <T> Optional<T> await(Supplier<Optional<T>> attempt, Deadline deadline) throws InterruptedException {
            throwIfInterrupted();
            Wait wait = new Wait(attempt, deadline);
            waiting = wait;
            scheduler.endTurn();
            turn.acquireUninterruptibly();
            waiting = null;
            owner.refuseIfKilled();
            throwIfInterrupted();
            return (Optional<T>) wait.value;
        }

        /** True if this is its thread. */
        boolean runs(Thread other) {
            return other.equals(thread);
        }

        /** What its thread does at the moment. */
        Thread.State state() {
            Thread started = thread;
            return started == null ? Thread.State.NEW : started.getState();
        }

        private void runBody() {
            AssertionError failure = null;
            try {
                owner.refuseIfKilled();
                if (interruptRequested) {
                    Thread.currentThread().interrupt();
                }
                owner.run(body);
            } catch (KilledError e) {
                // The machine was killed: nobody is left who could be told.
            } catch (RuntimeException | Error e) {
                failure = new AssertionError("task '" + name + "' has ended with an unexpected error", e);
            } finally {
                finished = true;
                scheduler.ended(this, failure);
                scheduler.endTurn();
            }
        }

        /** Parking hides the thread's own flag for moments, so the request is remembered beside it. */
        private void throwIfInterrupted() throws InterruptedException {
            boolean requested = interruptRequested;
            interruptRequested = false;
            if (Thread.interrupted() || requested) {
                throw new InterruptedException("interrupted at " + scheduler.now());
            }
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
            return scheduler.await(ended, deadline).isPresent();
        }

        @Override
        public StackTraceElement[] stack() {
            Thread started = thread;
            return started == null || finished ? new StackTraceElement[0] : started.getStackTrace();
        }
    }
}
