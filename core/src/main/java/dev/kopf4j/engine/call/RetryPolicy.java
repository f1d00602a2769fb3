package dev.kopf4j.engine.call;

import dev.kopf4j.ErrorsMode;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerRetriesException;
import dev.kopf4j.HandlerTimeoutException;
import dev.kopf4j.PermanentException;
import dev.kopf4j.SettingException;
import dev.kopf4j.StepInDoubtException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.declaration.Retryable;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.persistence.progress.ProgressRecord.State;
import dev.kopf4j.persistence.progress.ProgressRecord.Times;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import dev.kopf4j.runtime.Task.TaskEndError;
import java.io.Serial;
import java.math.BigDecimal;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.event.Level;
import tools.jackson.databind.JsonNode;

/**
 * Says what the end of a call means, by the handler's limits and errors mode: a success, a failure for good, or a retry
 * with its delay. Whatever the user's exceptions are like, there is an answer. Pure.
 *
 * <p>{@link HandlerAttempt} asks it, {@code CallSteps} for steps, and {@code ActivityRunner} for activities;
 * {@code Outlooks} foretells its refusals. Four retries are none of its decisions: that of a step without limits of its
 * own, which is due with its handler ({@code CallSteps}), of a handler that is recorded while its sub-handlers are
 * called ({@code SubHandlerCalls}), of a daemon whose operator does not lead ({@code DaemonAttempt}), and of one whose
 * attempt could not be brought to its end ({@code RunningDaemon}).
 *
 * <p>The time by which attempts have come late does not count against the handler's timeout: nobody was there to make
 * them, as in a pause or an outage.
 *
 * @param handler the handler
 * @param attempts how many attempts there were before this one
 * @param runtime the time since the first attempt was scheduled
 * @param late by how much of it attempts have come late
 * @param defaultBackoff the pause after an arbitrary exception where the handler has none of its own
 */
public record RetryPolicy(Retryable handler, int attempts, Duration runtime, Duration late, Duration defaultBackoff) {
    /** A time so far away that it stands for never, and that still can be added to. */
    private static final Duration LONGEST = Duration.ofDays(365L * 100);

    /** The policy for a handler that has come as far as its record tells. */
    public static RetryPolicy of(Retryable handler, ProgressRecord record, Instant now, Duration defaultBackoff) {
        Instant started = record.started();
        Duration runtime = started == null ? Duration.ZERO : Duration.between(started, now);
        return new RetryPolicy(handler, record.retries(), runtime, record.late(), defaultBackoff);
    }

    /**
     * The record of a handler of which an attempt is made now: it has to know how late that is if there is a timeout.
     */
    public static ProgressRecord countingLateness(Retryable handler, ProgressRecord record, Instant now) {
        return handler.options().timeout() == null ? record : record.countingLateness(now);
    }

    /** The time that is left for all attempts together; null for any time. */
    public @Nullable Duration timeLeft() {
        Duration timeout = timeout();
        return timeout == null ? null : timeout.minus(used());
    }

    private Duration used() {
        return runtime.minus(late);
    }

    private @Nullable Duration timeout() {
        Duration timeout = handler.options().timeout();
        return timeout == null ? null : bounded(timeout);
    }

    private static Duration bounded(Duration time) {
        return time.compareTo(LONGEST) > 0 ? LONGEST : time;
    }

    /** Refuses the call that is about to be made if the limits forbid it; null if they do not. */
    public @Nullable RetryDecision checkLimits() {
        Duration timeout = timeout();
        if (timeout != null && used().compareTo(timeout) >= 0) {
            return timedOut();
        }
        Integer retries = handler.options().retries();
        if (retries != null && attempts >= retries) {
            return exhausted(new HandlerRetriesException(handler + " has exceeded " + attempts + " retries."), null);
        }
        return null;
    }

    /** The call has ended so. */
    public RetryDecision decide(CallEnd end) {
        return switch (end) {
            case CallEnd.Returned(var _) -> returned(null);
            case CallEnd.Delivered(var result) -> returned(result);
            case CallEnd.Threw(var exception) -> threw(exception);
            case CallEnd.TimedOut(), CallEnd.Orphaned(var _) -> timedOut();
        };
    }

    /** The time for all attempts is over. */
    public RetryDecision timedOut() {
        return exhausted(new HandlerTimeoutException(handler + " has timed out after " + clock(runtime) + "."), null);
    }

    /** It has returned, with what is to be stored in the status; null for nothing. */
    public RetryDecision returned(@Nullable JsonNode result) {
        return new RetryDecision(new Outcome.Succeeded(result), Level.INFO, handler + " succeeded.", null, null);
    }

    /**
     * It has done its part, but some of its sub-handlers have not: it is to be called again with them.
     *
     * @param delay when the first of them is due, from now
     * @param anew true if no limit makes an end of one of them: then none makes an end of it
     */
    RetryDecision unfinished(Duration delay, boolean anew) {
        Outcome outcome = Outcome.Retry.withSubHandlers(delay, anew);
        String line = handler + " has unfinished sub-handlers. Will retry soon.";
        return new RetryDecision(outcome, Level.DEBUG, line, null, null);
    }

    /** It has thrown an exception. */
    public RetryDecision threw(Throwable exception) {
        return switch (exception) {
            // Somebody has to look first: no limit makes an end of it.
            case StepInDoubtException doubt ->
                retried(new Outcome.Retry(LONGEST, recorded(doubt)), line("has stopped", doubt), null);
            case UnlimitedException unlimited ->
                retried(
                        new Outcome.Retry(delay(unlimited), recorded(unlimited), true),
                        line("failed temporarily", unlimited),
                        null);
            case TemporaryException temporary -> temporary(temporary);
            // Mistakes fail for good, too: no repetition makes another declaration of sub-handlers, or another setting.
            case PermanentException _, HandlerDeclarationException _, SettingException _ ->
                failed("failed permanently", exception, null);
            default -> arbitrary(exception);
        };
    }

    private RetryDecision temporary(TemporaryException exception) {
        return again(
                delay(exception),
                exception,
                null,
                "failed temporarily",
                "failed temporarily but will time out after %s seconds",
                "failed temporarily but will exceed %s retries");
    }

    /** Users' subclasses may say anything, or nothing. */
    private static Duration delay(TemporaryException exception) {
        @Nullable Duration delay;
        try {
            delay = exception.delay();
        } catch (Throwable e) {
            TaskEndError.letThrough(e);
            delay = TemporaryException.DEFAULT_DELAY;
        }
        return delay == null || delay.isNegative() ? Duration.ZERO : bounded(delay);
    }

    /** By default events and indices are {@code IGNORED}, webhooks {@code PERMANENT}, all others {@code TEMPORARY}. */
    private RetryDecision arbitrary(Throwable exception) {
        return switch (handler.errors()) {
            case ErrorsMode.IGNORED ->
                new RetryDecision(
                        new Outcome.Succeeded(null),
                        Level.ERROR,
                        line("failed with an exception and will ignore it", exception),
                        exception,
                        null);
            case ErrorsMode.PERMANENT -> failed("failed with an exception and will stop now", exception, exception);
            case ErrorsMode.TEMPORARY -> retriedAfterBackoff(exception);
        };
    }

    private RetryDecision retriedAfterBackoff(Throwable exception) {
        Duration declared = handler.options().backoff();
        Duration backoff = bounded(declared == null ? defaultBackoff : declared);
        return again(
                backoff,
                exception,
                exception,
                "failed with an exception and will try again in " + seconds(backoff) + " seconds",
                "failed with an exception and will stop now (it would time out in %s seconds on the next attempt)",
                "failed with an exception and will stop now (it would exceed %s retries on the next attempt)");
    }

    /**
     * It is called again, unless a limit forbids that attempt already.
     *
     * @param delay when, from now
     * @param trace the exception whose stack trace is logged; null for none
     * @param retried what the log says if it is called again
     * @param tooLate what it says if the time would be over then, with a place for the seconds of the timeout
     * @param tooOften what it says if there would be too many attempts, with a place for how many there may be
     */
    private RetryDecision again(
            Duration delay,
            Throwable exception,
            @Nullable Throwable trace,
            String retried,
            String tooLate,
            String tooOften) {
        Duration timeout = timeout();
        if (timeout != null && used().plus(delay).compareTo(timeout) >= 0) {
            String line = line(tooLate.formatted(seconds(timeout)), exception);
            return exhausted(new HandlerTimeoutException(line, exception), trace);
        }
        Integer retries = handler.options().retries();
        if (retries != null && attempts + 1 >= retries) {
            String line = line(tooOften.formatted(retries), exception);
            return exhausted(new HandlerRetriesException(line, exception), trace);
        }
        return retried(new Outcome.Retry(delay, recorded(exception)), line(retried, exception), trace);
    }

    private static RetryDecision retried(Outcome.Retry retry, String line, @Nullable Throwable trace) {
        return new RetryDecision(retry, Level.ERROR, line, trace, null);
    }

    private RetryDecision failed(String what, Throwable exception, @Nullable Throwable trace) {
        return new RetryDecision(
                new Outcome.Failed(recorded(exception)), Level.ERROR, line(what, exception), trace, exception);
    }

    /** A limit is reached. As in Kopf, the record says so, beside what went wrong the last time. */
    private static RetryDecision exhausted(PermanentException limit, @Nullable Throwable trace) {
        String line = String.valueOf(limit.getMessage());
        return new RetryDecision(new Outcome.Failed(line), Level.ERROR, line, trace, limit);
    }

    private String line(String what, Throwable exception) {
        return handler + " " + what + ": " + message(exception);
    }

    /** For logs: the message, or the whole exception if it has none. */
    private static String message(Throwable exception) {
        String text = Platform.message(exception);
        return text == null || text.isEmpty() ? exception.getClass().getSimpleName() + "('')" : text;
    }

    /** For records: the message, be it empty. */
    private static String recorded(Throwable exception) {
        String text = Platform.message(exception);
        return text == null ? exception.getClass().getSimpleName() : text;
    }

    /** As Python writes a {@code timedelta}: {@code 0:01:05}, {@code 1 day, 0:00:00.250000}. */
    private static String clock(Duration duration) {
        long days = duration.toDays();
        String whole = days == 0 ? "" : days + (days == 1 ? " day, " : " days, ");
        int micros = duration.toNanosPart() / 1000;
        return whole
                + String.format(
                        Locale.ROOT,
                        "%d:%02d:%02d",
                        duration.toHoursPart(),
                        duration.toMinutesPart(),
                        duration.toSecondsPart())
                + (micros == 0 ? "" : String.format(Locale.ROOT, ".%06d", micros));
    }

    static String seconds(Duration duration) {
        BigDecimal exact = BigDecimal.valueOf(duration.toMillis(), 3).stripTrailingZeros();
        return exact.signum() == 0 ? "0" : exact.toPlainString();
    }

    /**
     * How a call of the user's code has ended. A call that is interrupted as the operator stops or pauses has no end:
     * nothing is recorded of it, and it counts as no attempt.
     */
    public sealed interface CallEnd {
        /** The function has returned. */
        record Returned(@Nullable Object value) implements CallEnd {}

        /** The function has returned what is to be stored in the status; null for nothing. */
        record Delivered(@Nullable JsonNode result) implements CallEnd {}

        /** The function has thrown. */
        record Threw(Throwable exception) implements CallEnd {}

        /** The time was over, and the function has ended when it was interrupted. */
        record TimedOut() implements CallEnd {}

        /** The time was over, and the function goes on although it was interrupted. */
        record Orphaned(Task task) implements CallEnd {}
    }

    /** What the end of a call means for the handler. Immutable. */
    public sealed interface Outcome {
        /**
         * It has done its work.
         *
         * @param result what is to be stored in the status; null for nothing
         */
        record Succeeded(@Nullable JsonNode result) implements Outcome {}

        /**
         * It is to be called again.
         *
         * @param delay when, from now; zero for at once
         * @param message what went wrong
         * @param anew true if its limits begin anew: they make no end of it
         */
        record Retry(Duration delay, String message, boolean anew) implements Outcome {
            /** To be called again as far as its limits permit. */
            public Retry(Duration delay, String message) {
                this(delay, message, false);
            }

            /** To be called again with its sub-handlers. As in Python's operators, the message says nothing. */
            public static Retry withSubHandlers(Duration delay, boolean anew) {
                return new Retry(delay, "None", anew);
            }
        }

        /**
         * It is not to be called again.
         *
         * @param message what went wrong
         */
        record Failed(String message) implements Outcome {}

        /** The record of the handler after one more attempt, which has ended so. */
        default ProgressRecord recordedAfter(ProgressRecord before, Instant now) {
            return switch (this) {
                case Succeeded(var _) -> before.attempted(now, null, new State(true, false, null));
                case Failed(String message) -> before.attempted(now, null, new State(false, true, message));
                case Retry(Duration delay, String message, boolean anew) -> {
                    Instant next = now.truncatedTo(ChronoUnit.MICROS).plus(delay);
                    State state = new State(false, false, message);
                    yield anew
                            ? before.renewed(now).with(new Times(now, null, next), state)
                            : before.attempted(before.stopped(), next, state);
                }
            };
        }
    }

    /**
     * The handler cannot go on before somebody has changed the operator: no limit makes an end of it, and they begin
     * anew with each call. Immutable.
     */
    public static final class UnlimitedException extends TemporaryException {
        @Serial
        private static final long serialVersionUID = 1L;

        /** To be thrown out of the handler. */
        public UnlimitedException(String message) {
            super(message);
        }
    }

    /**
     * An outcome, and how it is logged. Immutable.
     *
     * @param outcome the outcome
     * @param level how important it is
     * @param line the line for the log
     * @param trace the exception whose stack trace belongs to the line; null for none
     * @param failure with what the handler has failed for good; null if it has not
     */
    public record RetryDecision(
            Outcome outcome,
            Level level,
            String line,
            @Nullable Throwable trace,
            @Nullable Throwable failure) {
        /** The same for one that is not retried by itself: to whoever has asked, the failure is the answer. */
        public RetryDecision withoutRetry(Retryable handler) {
            return outcome instanceof Outcome.Retry(var _, String message, var _)
                    ? new RetryDecision(
                            new Outcome.Failed(message),
                            level,
                            handler + " failed, and is called again when somebody asks again: " + message,
                            trace,
                            trace)
                    : this;
        }

        /** The same, whose line tells what it is about. */
        RetryDecision about(String what) {
            return new RetryDecision(outcome, level, what + ": " + line, trace, failure);
        }

        /** Logs it. */
        public void log(Logger logger) {
            if (trace == null || !isLoggedWithTrace(trace, logger)) {
                logger.atLevel(level).log(line);
            }
        }

        /** False if the exception's own code does not let it be written. */
        private boolean isLoggedWithTrace(Throwable exception, Logger logger) {
            try {
                logger.atLevel(level).setCause(exception).log(line);
                return true;
            } catch (Throwable e) {
                // Loggers follow the causes by recursion.
                TaskEndError.letThrough(e);
                return false;
            }
        }
    }
}
