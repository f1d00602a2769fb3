package dev.kopf4j.engine;

import dev.kopf4j.Activity;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.engine.activity.ActivityException;
import dev.kopf4j.engine.activity.ActivityRunner;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Calls the start-up handlers before everything else, and the cleanup handlers after it. Used once. */
final class StartupAndCleanup {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.operator");

    private final Platform platform;
    private final ActivityRunner activityRunner;
    private final Monitor monitor;
    private @Nullable OperatorException failure;

    StartupAndCleanup(Platform platform, ActivityRunner activityRunner) {
        this.platform = platform;
        this.activityRunner = activityRunner;
        this.monitor = platform.monitor();
    }

    /** Calls the start-up handlers; when they have ended, the settings are final. */
    void startUp(OperatorSettings settings) throws InterruptedException {
        try {
            activityRunner.run(Activity.STARTUP);
            settings.freeze();
        } catch (ActivityException e) {
            throw new OperatorException("The operator does not start: " + e.getMessage(), e);
        } catch (InterruptedException e) {
            log.warn("Startup activity is only partially executed due to cancellation.");
            throw e;
        }
    }

    /**
     * Calls the cleanup handlers in a task of their own: an interrupt of the caller, by which the operator is to stop
     * at once, does not reach them.
     *
     * @throws OperatorException if one of them has failed for good
     */
    void cleanUp(Deadline deadline) throws InterruptedException {
        if (!activityRunner.has(Activity.CLEANUP)) {
            return;
        }
        Task task = platform.spawn("cleanup", this::runCleanup);
        if (!task.join(deadline)) {
            task.interrupt();
            log.warn("Cleanup activity is only partially executed, as its time is over"
                    + " (process.ultimateExitingTimeout).");
            return;
        }
        OperatorException failed = monitor.locked(() -> failure);
        if (failed != null) {
            throw failed;
        }
    }

    private void runCleanup() {
        try {
            activityRunner.run(Activity.CLEANUP);
        } catch (ActivityException e) {
            monitor.locked(() -> {
                failure = new OperatorException("The operator has stopped, but not cleaned up: " + e.getMessage(), e);
            });
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
