package dev.kopf4j.runtime;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;

/**
 * A machine of its own making: one task runs at a time, the next one is chosen by a seed, and the clock stands still
 * until all tasks wait. The same seed gives the same run.
 *
 * <p>A test drives it: {@link #runFor} and {@link #runUntil} let the tasks run, and return with all of them waiting.
 * {@link #machine} adds another machine on the same clock, which can be killed as a process would be.
 */
public final class SimulatedPlatform implements Platform {
    private final SimulationScheduler simulationScheduler;
    private final String name;
    private volatile boolean killed;

    /** A new simulated world that starts at the given wall-clock time. */
    public SimulatedPlatform(long seed, Instant start) {
        this(new SimulationScheduler(seed, start), "main");
    }

    private SimulatedPlatform(SimulationScheduler simulationScheduler, String name) {
        this.simulationScheduler = simulationScheduler;
        this.name = name;
    }

    /** Another machine in the same world: same clock, same randomness, tasks of its own. */
    public SimulatedPlatform machine(String machineName) {
        return new SimulatedPlatform(simulationScheduler, machineName);
    }

    /**
     * Ends this machine as SIGKILL does: its tasks end at their next wait, and can start and await nothing any more.
     */
    public void kill() {
        killed = true;
    }

    /** True after {@link #kill}. */
    public boolean isKilled() {
        return killed;
    }

    /** Lets the tasks run until this much simulated time has passed, or nothing is left that could run. */
    public void runFor(Duration duration) {
        simulationScheduler.run(() -> false, after(duration));
    }

    /**
     * Lets the tasks run until the condition holds, looked at whenever a task waits.
     *
     * @return false if the limit of simulated time came first, or nothing was left that could run
     */
    public boolean runUntil(BooleanSupplier condition, Duration limit) {
        return simulationScheduler.run(condition, after(limit));
    }

    /** A description of all tasks that have not ended, for failure messages. */
    public String describeTasks() {
        return simulationScheduler.describe();
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
        if (killed) {
            throw new KilledError(name);
        }
    }

    /** Only one task runs at a time, so the lock is the baton itself. */
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

    /** Unwinds the tasks of a killed machine. An error, so that no handling of exceptions holds it up. */
    static final class KilledError extends Error {
        private static final long serialVersionUID = 1L;

        KilledError(String machine) {
            super("the simulated machine '" + machine + "' was killed", null, false, false);
        }
    }
}
