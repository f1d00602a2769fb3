package dev.kopf4j.runtime;

import dev.kopf4j.runtime.Task.TaskEndError;
import java.io.Serial;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * A simulated machine: one task runs at a time, a seed chooses the next one, and the clock stands still until all tasks
 * wait. The same seed gives the same run.
 *
 * <p>A test drives it: {@link #runFor} and {@link #runUntil} let the tasks run, and return with all of them waiting.
 * {@link #machine} adds another machine on the same clock, which can be killed as a process would be.
 */
public final class SimulatedPlatform implements Platform {
    private static final long HEAP_BYTES = 256 * 1024 * 1024;
    private static final ScopedValue<SimulatedPlatform> CURRENT = ScopedValue.newInstance();

    private final SimulationScheduler simulationScheduler;
    private final String name;
    private volatile boolean killed;
    private long suspendedUntil;
    private int suspensions;

    /** Makes a simulated world that starts at the given wall-clock time. */
    public SimulatedPlatform(long seed, Instant start) {
        this(new SimulationScheduler(seed, start), "main");
    }

    private SimulatedPlatform(SimulationScheduler simulationScheduler, String name) {
        this.simulationScheduler = simulationScheduler;
        this.name = name;
    }

    /**
     * How long a task of this world may be busy at a stretch, in real time and whole seconds, until it is taken for one
     * that never ends; 30 seconds if nothing is said. To be said before anything runs.
     */
    public void busyLimit(Duration limit) {
        simulationScheduler.busyLimit(limit);
    }

    /** Adds a machine to the same world, with the same clock and randomness, and tasks of its own. */
    public SimulatedPlatform machine(String machineName) {
        return new SimulatedPlatform(simulationScheduler, machineName);
    }

    /**
     * Ends this machine as SIGKILL ends a process: its tasks end at their next wait, and can neither start nor await
     * anything any more.
     */
    public void kill() {
        killed = true;
    }

    /**
     * Suspends this machine for so long, as SIGSTOP does with a process: none of its tasks goes on, and only the clocks
     * tell afterwards. Another call replaces the end; zero ends it.
     */
    public void suspend(Duration time) {
        suspendedUntil = nanos() + time.toNanos();
        suspensions++;
    }

    /** How often it was suspended. */
    public int suspensions() {
        return suspensions;
    }

    /** When its tasks may go on; passed while it is not suspended. */
    Deadline suspension() {
        return new Deadline(suspendedUntil);
    }

    /**
     * Ends the calling task if its machine was killed. For what takes no part in the simulation, but must not be
     * reached by the dead: the code of a killed task still runs, as it is unwound by an error. Does nothing in other
     * threads.
     */
    public static void endIfKilled() {
        if (CURRENT.isBound()) {
            CURRENT.get().refuseIfKilled();
        }
    }

    /** Runs a task of this machine. */
    void run(Runnable body) {
        ScopedValue.where(CURRENT, this).run(body);
    }

    /** True after {@link #kill}. */
    public boolean isKilled() {
        return killed;
    }

    /**
     * Ends the world: the tasks of all its machines end at once, as those of a killed one do, and with them their
     * threads, which would keep all that they know in memory otherwise. Nothing can run here any more. To be called by
     * who drives it, outside of any task; a second call does nothing.
     */
    public void end() {
        simulationScheduler.end();
    }

    /** Lets the tasks run until this much simulated time has passed, or no task can run any more. */
    public void runFor(Duration duration) {
        simulationScheduler.run(() -> false, after(duration));
    }

    /**
     * Lets the tasks run until the condition holds. It is checked whenever a task waits.
     *
     * @return false if the limit of simulated time came first, or no task could run any more
     */
    public boolean runUntil(BooleanSupplier condition, Duration limit) {
        return simulationScheduler.run(condition, after(limit));
    }

    /**
     * True if the calling thread takes part: it is that of the running task, or the one that drives the simulation.
     * Others must not touch what lives in it.
     */
    public boolean isOwnThread() {
        return simulationScheduler.isOwn();
    }

    /**
     * A thread that takes no part has touched what lives here, which was refused. Its exception may be lost with it.
     * The only method for such threads.
     *
     * @param what it has tried, in words
     */
    public void refused(String what) {
        simulationScheduler.intrusions().add(what);
    }

    /** What threads that take no part have tried, in words. */
    public List<String> intrusions() {
        return List.copyOf(simulationScheduler.intrusions());
    }

    /** True if a task was left that still computes, and so keeps a processor from all other virtual threads. */
    public boolean isLeftBusy() {
        return simulationScheduler.isLeftBusy();
    }

    /** Describes all tasks that have not ended, for failure messages. */
    public String describeTasks() {
        return simulationScheduler.describe();
    }

    /** The same everywhere, whatever the machine has that simulates. */
    @Override
    public long heapBytes() {
        return HEAP_BYTES;
    }

    /** The clock waits for all tasks. */
    @Override
    public boolean mayStandStill() {
        return false;
    }

    @Override
    public Instant now() {
        return simulationScheduler.now();
    }

    @Override
    public long nanos() {
        return simulationScheduler.nanos();
    }

    @Override
    public Task spawn(String taskName, Runnable body) {
        refuseIfKilled();
        return simulationScheduler.spawn(this, name + "/" + taskName, body);
    }

    @Override
    public Monitor monitor() {
        return new SimulatedMonitor();
    }

    @Override
    public RandomGenerator random() {
        return simulationScheduler.random();
    }

    void refuseIfKilled() {
        if (killed || simulationScheduler.hasEnded()) {
            throw new KilledError(name);
        }
    }

    /** Only one task runs at a time, so no lock is needed. */
    private final class SimulatedMonitor implements Monitor {
        @Override
        public void locked(Runnable section) {
            section.run();
        }

        @Override
        public <T> T locked(Supplier<T> section) {
            return section.get();
        }

        @Override
        public <T> Optional<T> await(Supplier<Optional<T>> attempt, Deadline deadline) throws InterruptedException {
            refuseIfKilled();
            return simulationScheduler.await(attempt, deadline);
        }
    }

    /** Ends the tasks of a killed machine. It is an error, so that no handler of exceptions stops it. */
    static final class KilledError extends TaskEndError {
        private static final long serialVersionUID = 1L;

        KilledError(String machine) {
            super("the simulated machine '" + machine + "' was killed");
        }
    }

    /** The thread that drives a simulation was interrupted; it still is. */
    public static final class InterruptedRunException extends IllegalStateException {
        @Serial
        private static final long serialVersionUID = 1L;

        InterruptedRunException() {
            super("the simulation was interrupted");
        }
    }

    /** A simulation cannot go on, as a task of it does not give its turn back. */
    public static final class StuckException extends IllegalStateException {
        @Serial
        private static final long serialVersionUID = 1L;

        StuckException(String message) {
            super(message);
        }
    }
}
