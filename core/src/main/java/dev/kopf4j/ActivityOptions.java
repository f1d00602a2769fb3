package dev.kopf4j;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The options of an activity's handler in the style without annotations; they mean what the attributes of the
 * annotations mean.
 *
 * <p>Mutable and confined: used while the operator is built.
 */
public final class ActivityOptions {
    private @Nullable String id;
    private @Nullable Object param;
    private @Nullable ErrorsMode errors;
    private @Nullable Duration timeout;
    private @Nullable Integer retries;
    private @Nullable Duration backoff;

    public ActivityOptions() {}

    /** The handler's id, for logs and results; mandatory for lambdas. */
    public ActivityOptions id(String text) {
        this.id = text;
        return this;
    }

    /** A value for {@link ActivityContext#param}. */
    public ActivityOptions param(@Nullable Object any) {
        this.param = any;
        return this;
    }

    /** What an arbitrary exception means; {@link ErrorsMode#TEMPORARY} by default. */
    public ActivityOptions errors(ErrorsMode mode) {
        this.errors = mode;
        return this;
    }

    /** How long the handler may take over all its attempts; unlimited by default. */
    public ActivityOptions timeout(Duration time) {
        this.timeout = time;
        return this;
    }

    /** How many attempts there are in all; unlimited by default. */
    public ActivityOptions retries(int attempts) {
        this.retries = attempts;
        return this;
    }

    /** The pause after an arbitrary exception; {@code settings.execution.defaultBackoff} by default. */
    public ActivityOptions backoff(Duration time) {
        this.backoff = time;
        return this;
    }

    public ActivityDefinition define(Activity activity) {
        return new ActivityDefinition(activity, id, param, errors, timeout, retries, backoff);
    }
}
