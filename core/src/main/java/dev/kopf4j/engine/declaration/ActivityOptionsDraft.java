package dev.kopf4j.engine.declaration;

import dev.kopf4j.Activity;
import dev.kopf4j.ActivityOptions;
import dev.kopf4j.ErrorsMode;
import java.time.Duration;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Collects the options of an activity's handler. Confined. */
public final class ActivityOptionsDraft implements ActivityOptions {
    private final RetryDeclaration.Draft retry = new RetryDeclaration.Draft();
    private @Nullable Object param;

    private ActivityOptionsDraft() {}

    /** What the user's options make of an activity's handler. */
    public static ActivityDeclaration declare(Activity activity, String id, Consumer<? super ActivityOptions> options) {
        ActivityOptionsDraft draft = new ActivityOptionsDraft();
        options.accept(draft);
        return new ActivityDeclaration(activity, id, draft.param, draft.retry.declare());
    }

    @Override
    public ActivityOptions param(@Nullable Object any) {
        param = any;
        return this;
    }

    @Override
    public ActivityOptions errors(ErrorsMode mode) {
        retry.errors = mode;
        return this;
    }

    @Override
    public ActivityOptions timeout(Duration time) {
        retry.timeout = time;
        return this;
    }

    @Override
    public ActivityOptions retries(int attempts) {
        retry.retries = attempts;
        return this;
    }

    @Override
    public ActivityOptions backoff(Duration time) {
        retry.backoff = time;
        return this;
    }
}
