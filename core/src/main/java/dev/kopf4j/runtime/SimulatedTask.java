package dev.kopf4j.runtime;

import dev.kopf4j.runtime.SimulatedPlatform.KilledError;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A task of a simulated world: a thread that runs only while it has its turn in its {@link SimulationScheduler}. */
final class SimulatedTask implements Task {
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

    /** The moment when its wait ends; never if it does not wait. */
    Deadline deadline() {
        return waiting == null ? Deadline.NEVER : waiting.deadline;
    }

    /** True if it can go on; makes the attempt that it waits for. */
    boolean isReady() {
        Wait wait = waiting;
        if (wait == null || owner.isKilled() || interruptRequested) {
            return true;
        }
        wait.value = wait.attempt.get();
        return wait.value.isPresent() || (!wait.deadline.isNever() && wait.deadline.nanos() <= scheduler.nanos());
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
            body.run();
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
