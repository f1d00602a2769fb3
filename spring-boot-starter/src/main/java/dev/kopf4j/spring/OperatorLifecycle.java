package dev.kopf4j.spring;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorHandle;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.boot.ExitCodeGenerator;
import org.springframework.boot.availability.AvailabilityChangeEvent;
import org.springframework.boot.availability.LivenessState;
import org.springframework.boot.context.event.ApplicationReadyEvent;
import org.springframework.context.ApplicationEventPublisher;
import org.springframework.context.ApplicationListener;
import org.springframework.context.SmartLifecycle;

/**
 * Starts the operator when all beans are there, and stops it, with its cleanup handlers, before they go: it is the last
 * to start and the first to stop. While it runs, the application does not end, even without a web server. An operator
 * that fails for good makes the application's liveness broken, and its exit code 1; one without a web server, which
 * nobody could ask, ends with that, unless the application is being stopped anyway. Thread-safe.
 */
public final class OperatorLifecycle
        implements SmartLifecycle, ExitCodeGenerator, ApplicationListener<ApplicationReadyEvent> {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.operator");

    private final Operator operator;
    private final ApplicationEventPublisher events;
    private final @Nullable ApplicationExit exit;
    private @Nullable OperatorHandle handle;
    /** That which was asked to stop. */
    private volatile @Nullable OperatorHandle stopped;

    private volatile boolean failed;

    /**
     * The life of an operator.
     *
     * @param exit ends the application when the operator has failed; null if it goes on
     */
    OperatorLifecycle(Operator operator, ApplicationEventPublisher events, @Nullable ApplicationExit exit) {
        this.operator = operator;
        this.events = events;
        this.exit = exit;
    }

    /** Ends an application with the exit code of its beans. */
    @FunctionalInterface
    interface ApplicationExit {
        void exit();
    }

    @Override
    public synchronized void start() {
        OperatorHandle started = operator.start();
        handle = started;
        // The operator's own threads are virtual, and do not keep a program alive.
        Thread.ofPlatform()
                .daemon(false)
                .inheritInheritableThreadLocals(false)
                .name("kopf4j operator")
                .start(() -> watch(started));
    }

    private void watch(OperatorHandle started) {
        try {
            started.join();
        } catch (OperatorException e) {
            failed = true;
            if (started.equals(stopped)) {
                // Whoever has asked for the end decides whether the process ends, too.
                log.error("{}", e.getMessage(), e);
                return;
            }
            log.error("The operator has failed: {}", e.getMessage(), e);
            publishBroken();
            if (exit != null) {
                exit.exit();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Spring calls an application alive as soon as it has started, whatever was published before. */
    @Override
    public void onApplicationEvent(ApplicationReadyEvent event) {
        if (failed) {
            publishBroken();
        }
    }

    private void publishBroken() {
        AvailabilityChangeEvent.publish(events, this, LivenessState.BROKEN);
    }

    /** 1 if the operator has failed. */
    @Override
    public int getExitCode() {
        return failed ? 1 : 0;
    }

    @Override
    public void stop() {
        OperatorHandle running = handle();
        if (running != null) {
            stopped = running;
            running.close();
            forget(running);
        }
    }

    /** Asks it to stop, and returns at once: Spring waits, as long as it is told to. */
    @Override
    public void stop(Runnable callback) {
        Thread.ofVirtual().name("stops the operator").start(() -> {
            try {
                stop();
            } finally {
                callback.run();
            }
        });
    }

    private synchronized void forget(OperatorHandle ended) {
        if (ended.equals(handle)) {
            handle = null;
        }
    }

    @Override
    public synchronized boolean isRunning() {
        return handle != null;
    }

    /** The operator that runs; null before the start and after the end. */
    synchronized @Nullable OperatorHandle handle() {
        return handle;
    }
}
