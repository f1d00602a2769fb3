package dev.kopf4j.engine.activity;

import dev.kopf4j.Activity;
import dev.kopf4j.Logins;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.engine.handling.context.IndexLookup;
import dev.kopf4j.engine.handling.context.OperatorMemos;
import dev.kopf4j.engine.handling.context.ServiceProvider;
import dev.kopf4j.engine.handling.registry.RegisteredActivity;
import dev.kopf4j.runtime.Platform;
import java.util.List;
import java.util.Map;

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
}
