package dev.kopf4j.engine.activity;

import dev.kopf4j.Activity;
import dev.kopf4j.engine.handling.registry.RegisteredActivity;
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

/** One run of an activity: its progress is kept in memory, and begins from scratch. Confined to its task. */
final class ActivityRun {
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
