package dev.kopf4j.engine.activity;

import dev.kopf4j.Activity;
import dev.kopf4j.ActivityContext;
import dev.kopf4j.Index;
import dev.kopf4j.Logins;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.engine.activity.ActivityRunner.ActivityEnvironment;
import dev.kopf4j.engine.call.ContextFactory.IndexLookup;
import dev.kopf4j.engine.call.ContextFactory.ServiceProvider;
import dev.kopf4j.engine.call.HandlerResult;
import dev.kopf4j.engine.call.HandlerRunner.CallTask;
import dev.kopf4j.engine.call.OperatorMemos;
import dev.kopf4j.engine.call.RetryPolicy;
import dev.kopf4j.engine.call.RetryPolicy.CallEnd;
import dev.kopf4j.engine.call.RetryPolicy.Outcome;
import dev.kopf4j.engine.call.RetryPolicy.RetryDecision;
import dev.kopf4j.engine.declaration.RegisteredActivity;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task;
import dev.kopf4j.runtime.Task.TaskEndError;
import java.io.Serial;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The activities of one run of an operator. Thread-safe: several may go on at a time. */
public final class ActivityRunner {
    private final Platform platform;
    private final List<RegisteredActivity> handlers;
    private final ActivityEnvironment activityEnvironment;

    /** The activities that the handlers take part in. */
    public ActivityRunner(
            Platform platform,
            List<RegisteredActivity> handlers,
            OperatorSettings settings,
            ServiceProvider serviceProvider,
            Logins logins,
            OperatorMemos operatorMemos,
            IndexLookup indexLookup) {
        this.platform = platform;
        this.handlers = List.copyOf(handlers);
        this.activityEnvironment =
                new ActivityEnvironment(settings, serviceProvider, logins, operatorMemos, indexLookup);
    }

    /** True if any handler takes part in the activity. */
    public boolean has(Activity activity) {
        return !of(activity).isEmpty();
    }

    private List<RegisteredActivity> of(Activity activity) {
        return handlers.stream()
                .filter(handler -> handler.declaration().activity() == activity)
                .toList();
    }

    /**
     * Calls the handlers of the activity until all have succeeded or failed for good. Those of probes are called once:
     * whoever asks gets an answer at once, and asks again. Those of logins are called until one has given something:
     * the others have had their turn by then, and have the next one with the next login.
     *
     * @return what they have returned, by their ids; without those that have returned null
     * @throws ActivityException if one of them has failed for good, and if it is a login, none has given anything; the
     *     others have come to their end all the same
     * @throws InterruptedException if the waiting task is interrupted; the call under way is interrupted too then
     */
    public Map<String, Object> run(Activity activity) throws InterruptedException {
        return new ActivityRun(platform, activity, of(activity), activityEnvironment).run();
    }

    /** One run of an activity: its progress is kept in memory, and begins from scratch. Confined to its task. */
    static final class ActivityRun {
        private final Platform platform;
        private final Activity activity;
        private final Logger logger;
        private final List<ActivityAttempts> all;

        ActivityRun(
                Platform platform,
                Activity activity,
                List<RegisteredActivity> handlers,
                ActivityEnvironment activityEnvironment) {
            this.platform = platform;
            this.activity = activity;
            this.logger = LoggerFactory.getLogger("kopf4j.activities." + activity.word());
            Instant started = platform.now();
            this.all = handlers.stream()
                    .map(handler -> new ActivityAttempts(platform, handler, activityEnvironment, logger, started))
                    .toList();
        }

        Map<String, Object> run() throws InterruptedException {
            Optional<Deadline> next = next();
            while (next.isPresent() && !isEnough()) {
                awaitMoment(next.get());
                for (ActivityAttempts each : all) {
                    if (each.isDue()) {
                        each.attempt();
                    }
                }
                next = next();
            }
            if (!isEnough()) {
                refuseFailures();
            }
            return results();
        }

        /** One credential is all that is needed: who else cannot log in keeps nobody waiting. */
        private boolean isEnough() {
            return activity == Activity.LOGIN
                    && all.stream()
                            .map(ActivityAttempts::result)
                            .anyMatch(result -> result != null && !result.equals(Optional.empty()));
        }

        private void awaitMoment(Deadline moment) throws InterruptedException {
            if (!moment.hasPassed(platform)) {
                platform.monitor().awaitTrue(() -> false, moment);
            }
        }

        /** When something is to be done; empty if all is done. */
        private Optional<Deadline> next() {
            return all.stream()
                    .filter(each -> !each.isFinished())
                    .map(ActivityAttempts::due)
                    .min(Deadline::compareTo);
        }

        private void refuseFailures() {
            List<ActivityAttempts> failed =
                    all.stream().filter(each -> each.failure() != null).toList();
            if (failed.isEmpty()) {
                return;
            }
            String reasons = failed.stream()
                    .map(each -> "'" + each.handler().id() + "': " + each.failure())
                    .collect(Collectors.joining("; "));
            String message = "One or more handlers of the " + activity.word() + " activity failed: " + reasons;
            Throwable cause = failed.stream()
                    .map(ActivityAttempts::exception)
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
            throw cause == null ? new ActivityException(message) : new ActivityException(message, cause);
        }

        private Map<String, Object> results() {
            Map<String, Object> results = new LinkedHashMap<>();
            for (ActivityAttempts each : all) {
                Object result = each.result();
                if (result != null) {
                    results.put(each.handler().id(), result);
                }
            }
            return results;
        }
    }

    /**
     * What the handlers of all activities have in common.
     *
     * @param settings the settings of this run
     * @param serviceProvider clients of other libraries
     * @param logins the built-in logins
     * @param operatorMemos has the operator's memo
     * @param indexLookup the indices, complete or not
     */
    record ActivityEnvironment(
            OperatorSettings settings,
            ServiceProvider serviceProvider,
            Logins logins,
            OperatorMemos operatorMemos,
            IndexLookup indexLookup) {}

    /** All attempts of one handler in one run of an activity. Confined to the run's task. */
    static final class ActivityAttempts {
        /** By so much longer is each pause of a login handler without one of its own. */
        private static final Duration LOGIN_BACKOFF = Duration.ofSeconds(1);

        /** The pauses grow so often, to the ten seconds that are the most between logins of any kind. */
        private static final int LOGIN_BACKOFFS = 10;

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
            Duration allowed = handler.options().timeout();
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
                default -> conclude(retryPolicy().decide(end));
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
            return new RetryPolicy(handler, attempts, runtime(), Duration.ZERO, defaultBackoff());
        }

        /** Everything waits for a login: it is tried again soon, and less often as long as it fails. */
        private Duration defaultBackoff() {
            Duration usual = activityEnvironment.settings().execution().defaultBackoff();
            Duration soon = LOGIN_BACKOFF.multipliedBy(Math.min(attempts + 1, LOGIN_BACKOFFS));
            return handler.declaration().activity() == Activity.LOGIN && soon.compareTo(usual) < 0 ? soon : usual;
        }

        private Duration runtime() {
            return Duration.ofNanos(platform.nanos() - startedAt);
        }

        private void succeed(@Nullable Object value) {
            logger.info("{} succeeded.", handler);
            result = value;
            finished = true;
        }

        private void conclude(RetryDecision decided) {
            RetryDecision retryDecision =
                    handler.declaration().activity() == Activity.PROBE ? decided.withoutRetry(handler) : decided;
            retryDecision.log(logger);
            switch (retryDecision.outcome()) {
                case Outcome.Succeeded ignored -> finished = true;
                case Outcome.Failed(String message) -> {
                    finished = true;
                    failure = message;
                    exception = retryDecision.failure();
                }
                case Outcome.Retry(Duration delay, String message, var _) -> due = platform.after(delay);
            }
            attempts++;
        }

        /** What one call of a handler can know. Immutable, but for the settings. */
        private record ActivityCallContext(
                RegisteredActivity handler,
                ActivityEnvironment activityEnvironment,
                Logger logger,
                Instant started,
                Duration runtime,
                InstantSource clock,
                int retry)
                implements ActivityContext {
            @Override
            public String handlerId() {
                return handler.id();
            }

            @Override
            public Activity activity() {
                return handler.declaration().activity();
            }

            @Override
            public OperatorSettings settings() {
                return activityEnvironment.settings();
            }

            @Override
            public @Nullable Object param() {
                return handler.declaration().param();
            }

            @Override
            public Logins logins() {
                if (activity() != Activity.LOGIN) {
                    throw new IllegalStateException("only login handlers can log in, but " + handler + " is one of "
                            + activity().annotation());
                }
                return activityEnvironment.logins();
            }

            @Override
            public <M> M memo(Class<M> type) {
                return activityEnvironment.operatorMemos().ofOperator(type);
            }

            @Override
            @SuppressWarnings("unchecked") // as is said to the user
            public <K extends @Nullable Object, V extends @Nullable Object> Index<K, V> index(String id) {
                return (Index<K, V>) activityEnvironment.indexLookup().get(id);
            }

            @Override
            public <T> T service(Class<T> type) {
                if (activity() == Activity.LOGIN) {
                    throw new IllegalStateException("a " + type.getSimpleName()
                            + " needs the credentials that login handlers give; " + handler + " cannot have one");
                }
                return type.cast(activityEnvironment.serviceProvider().get(type));
            }
        }

        /** One call of a handler of an activity. Used once. */
        private record ActivityCall(Platform platform, RegisteredActivity handler, Logger logger) {
            /** Calls the handler, and waits for its end; after the deadline for no longer than the grace. */
            CallEnd run(ActivityContext context, Deadline deadline, Duration grace) throws InterruptedException {
                CallTask call = new CallTask(platform, platform.monitor(), handler.id(), () -> invoke(context));
                try {
                    return call.awaitEnd(deadline) ? call.end() : timeOut(call, grace);
                } catch (InterruptedException e) {
                    call.task().interrupt();
                    throw e;
                }
            }

            @SuppressWarnings("InterruptedExceptionSwallowed") // the call ends here, and so does its thread
            private CallEnd invoke(ActivityContext context) {
                try {
                    return new CallEnd.Returned(
                            HandlerResult.ofSuccess(handler.function().handle(context)));
                } catch (TaskEndError e) {
                    throw e;
                } catch (Throwable e) {
                    return new CallEnd.Threw(Platform.meant(e));
                }
            }

            private CallEnd timeOut(CallTask call, Duration grace) throws InterruptedException {
                CallEnd end = call.timeOut(grace);
                if (end instanceof CallEnd.Orphaned(var task)) {
                    logger.warn(
                            "{} ignores that it was interrupted {} seconds ago, and is left behind. It is at:\n{}",
                            handler,
                            grace.toSeconds(),
                            Task.text(task.stack()));
                }
                return end;
            }
        }
    }

    /**
     * A handler of an activity has failed for good. The message says which and why; the cause is its first exception.
     */
    public static final class ActivityException extends OperatorException {
        @Serial
        private static final long serialVersionUID = 1L;

        ActivityException(String message) {
            super(message);
        }

        ActivityException(String message, Throwable cause) {
            super(message, cause);
        }
    }
}
