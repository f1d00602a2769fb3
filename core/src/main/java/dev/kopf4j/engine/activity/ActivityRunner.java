package dev.kopf4j.engine.activity;

import dev.kopf4j.Activity;
import dev.kopf4j.Logins;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.engine.call.ContextFactory.IndexLookup;
import dev.kopf4j.engine.call.ContextFactory.ServiceProvider;
import dev.kopf4j.engine.call.OperatorMemos;
import dev.kopf4j.engine.declaration.RegisteredActivity;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;
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
     * Calls the handlers of the activity until all have succeeded or failed for good.
     *
     * @return what they have returned, by their ids; without those that have returned null
     * @throws ActivityException if one of them has failed for good; the others have come to their end all the same
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
            while (next.isPresent()) {
                awaitMoment(next.get());
                for (ActivityAttempts each : all) {
                    if (each.isDue()) {
                        each.attempt();
                    }
                }
                next = next();
            }
            refuseFailures();
            return results();
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
}
