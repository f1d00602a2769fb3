package dev.kopf4j.engine;

import dev.kopf4j.OperatorException;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.ForwardingPlatform;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SystemPlatform;
import dev.kopf4j.runtime.Task;
import dev.kopf4j.runtime.Task.TaskEndError;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** How far one run of an operator has come, and whether it was asked to stop. Thread-safe. */
final class RunState {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.operator");

    private final Platform platform;
    private final Monitor monitor;
    private @Nullable Task task;
    private boolean stopRequested;
    private boolean ready;
    private boolean actionOver = true;
    private @Nullable Thread actionThread;
    private boolean leaving;
    private boolean ended;
    private @Nullable OperatorException failure;

    RunState(Platform platform) {
        this.platform = platform;
        this.monitor = platform.monitor();
    }

    /** Begins the run, in a task of its own. */
    void begin(Runnable run) {
        monitor.locked(() -> {
            Task begun = platform.spawnUnhindered("operator", run); // it obeys signals
            task = begun;
            if (stopRequested) {
                begun.interrupt(); // a signal was faster
            }
        });
    }

    /** Asks the run to stop. A run that is still starting is interrupted; one that works ends by itself. */
    void requestStop() {
        monitor.locked(() -> {
            if (!stopRequested && !ready && !leaving && task != null) {
                task.interrupt();
            }
            stopRequested = true;
        });
    }

    /**
     * The operator cannot go on: it stops, and has failed, unless it ends anyway.
     *
     * @return false if it does, and the problem counts no more
     */
    boolean fail(OperatorException problem) {
        boolean ends = monitor.locked(() -> {
            boolean known = stopRequested || leaving || ended;
            failure = known ? failure : problem;
            return known;
        });
        if (ends) {
            log.debug("This counts no more, as the operator was ending already.", problem);
        } else {
            requestStop();
        }
        return !ends;
    }

    void awaitStopRequest() throws InterruptedException {
        monitor.awaitTrue(() -> stopRequested, Deadline.NEVER);
    }

    void becomeReady() {
        monitor.locked(() -> {
            ready = true;
        });
    }

    /** The action for a ready operator will begin soon. */
    void awaitsAction() {
        monitor.locked(() -> {
            actionOver = false;
        });
    }

    /** Runs that action. */
    void act(Runnable action) {
        monitor.locked(() -> {
            actionThread = Thread.currentThread();
        });
        try {
            action.run();
        } finally {
            monitor.locked(() -> {
                actionOver = true;
                actionThread = null;
            });
        }
    }

    /** Waits until that action has ended, or itself waits for the end of the run; false if the deadline comes first. */
    boolean awaitAction(Deadline deadline) throws InterruptedException {
        return monitor.awaitTrue(() -> actionOver, deadline);
    }

    /** From now on, requests to stop do not interrupt the run, as it is ending already. */
    void leave() {
        monitor.locked(() -> {
            leaving = true;
        });
        try {
            platform.sleep(Duration.ZERO);
        } catch (InterruptedException e) {
            log.debug("The request to stop has come when the operator was leaving already.");
        }
    }

    /** The run has ended; the failure is null if it has ended as it should. */
    void end(@Nullable OperatorException failed) {
        monitor.locked(() -> {
            failure = failure == null ? failed : failure;
            ended = true;
        });
    }

    boolean hasEnded() {
        return monitor.locked(() -> ended);
    }

    void awaitEnd() throws InterruptedException {
        monitor.locked(() -> {
            actionOver |= Thread.currentThread().equals(actionThread);
        });
        monitor.awaitTrue(() -> ended, Deadline.NEVER);
    }

    /**
     * Waits until the run is ready.
     *
     * @return false if it is not within the time, or has ended before
     * @throws OperatorException if the run has failed
     */
    boolean awaitReady(Duration timeout) throws InterruptedException {
        boolean reached = monitor.awaitTrue(() -> ready || ended, platform.after(timeout));
        throwFailure();
        return reached && monitor.locked(() -> ready);
    }

    /** Throws the failure of the run, if there is one. */
    void throwFailure() {
        OperatorException known = monitor.locked(() -> failure);
        if (known != null) {
            throw known;
        }
    }

    /**
     * The platform of one run of an operator, which fails when a task has failed that it cannot do without: an operator
     * that does not renew its lease any more, or does not look for peers, must not go on as if all were well.
     * Thread-safe.
     */
    static final class RunPlatform extends ForwardingPlatform {
        private final Platform machine;
        private final RunState state;
        private final boolean ofMachine;

        RunPlatform(Platform platform, RunState state) {
            super(platform);
            this.machine = platform;
            this.state = state;
            this.ofMachine = platform instanceof SystemPlatform;
        }

        /** Whether it is the machine, as people run operators, and no other one. */
        boolean isOfMachine() {
            return ofMachine;
        }

        @Override
        public Task spawnUnhindered(String name, Runnable body) {
            return machine.spawnUnhindered(name, body);
        }

        @Override
        public Runnable essential(String name, Runnable body) {
            return () -> {
                try {
                    body.run();
                } catch (TaskEndError e) {
                    throw e;
                } catch (RuntimeException | Error e) {
                    Throwable told = Platform.tellable(e);
                    state.fail(new OperatorException(
                            "The operator cannot go on: '" + name + "' has failed unexpectedly: " + told, told));
                    throw e;
                }
            };
        }
    }
}
