package dev.kopf4j.engine.activity;

import dev.kopf4j.engine.handling.invocation.CallEnd;
import dev.kopf4j.engine.handling.progress.Outcome;
import dev.kopf4j.engine.handling.progress.RetryDecision;
import dev.kopf4j.engine.handling.progress.RetryPolicy;
import dev.kopf4j.engine.handling.registry.RegisteredActivity;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;

/** All attempts of one handler in one run of an activity. Confined to the run's task. */
final class ActivityAttempts {
    private final Platform platform;
    private final RegisteredActivity handler;
    private final ActivityEnvironment activityEnvironment;
    private final Logger logger;
    private final Instant started;
    private final Deadline timeout;
    private final long startedAt;
    private Deadline due;
    private int attempts;
    private boolean finished;
    private @Nullable Object result;
    private @Nullable String failure;
    private @Nullable Throwable exception;

    ActivityAttempts(
            Platform platform,
            RegisteredActivity handler,
            ActivityEnvironment activityEnvironment,
            Logger logger,
            Instant started) {
        this.platform = platform;
        this.handler = handler;
        this.activityEnvironment = activityEnvironment;
        this.logger = logger;
        this.started = started;
        this.startedAt = platform.nanos();
        this.due = platform.after(Duration.ZERO);
        Duration allowed = handler.timeout();
        this.timeout = allowed == null ? Deadline.NEVER : platform.after(allowed);
    }

    RegisteredActivity handler() {
        return handler;
    }

    Deadline due() {
        return due;
    }

    boolean isFinished() {
        return finished;
    }

    boolean isDue() {
        return !finished && due.hasPassed(platform);
    }

    /** What the handler has returned; null for nothing. */
    @Nullable Object result() {
        return result;
    }

    /** Why the handler has failed for good; null if it has not. */
    @Nullable String failure() {
        return failure;
    }

    /** The last exception of a handler that has failed for good; null if there was none. */
    @Nullable Throwable exception() {
        return exception;
    }

    /** Calls it once, unless its limits forbid that. */
    void attempt() throws InterruptedException {
        RetryDecision refusal = retryPolicy().checkLimits();
        if (refusal != null) {
            conclude(refusal);
            return;
        }
        logger.debug("{} is invoked.", handler);
        CallEnd end = call();
        switch (end) {
            case CallEnd.Returned(var value) -> succeed(value);
            default -> conclude(end.decide(retryPolicy()));
        }
    }

    private CallEnd call() throws InterruptedException {
        Duration runtime = runtime();
        ActivityCallContext context = new ActivityCallContext(
                handler, activityEnvironment, logger, started, runtime, platform::now, attempts);
        Duration grace = activityEnvironment.settings().execution().interruptGrace();
        return new ActivityCall(platform, handler, logger).run(context, timeout, grace);
    }

    private RetryPolicy retryPolicy() {
        return new RetryPolicy(
                handler,
                attempts,
                runtime(),
                activityEnvironment.settings().execution().defaultBackoff());
    }

    private Duration runtime() {
        return Duration.ofNanos(platform.nanos() - startedAt);
    }

    private void succeed(@Nullable Object value) {
        logger.info("{} succeeded.", handler);
        result = value;
        finished = true;
    }

    private void conclude(RetryDecision retryDecision) {
        retryDecision.log(logger);
        switch (retryDecision.outcome()) {
            case Outcome.Succeeded ignored -> finished = true;
            case Outcome.Failed(String message) -> {
                finished = true;
                failure = message;
                exception = retryDecision.failure();
            }
            case Outcome.Retry(Duration delay, String message) -> due = platform.after(delay);
        }
        attempts++;
    }
}
