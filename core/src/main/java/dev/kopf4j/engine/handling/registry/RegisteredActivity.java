package dev.kopf4j.engine.handling.registry;

import dev.kopf4j.ActivityDefinition;
import dev.kopf4j.ActivityHandler;
import dev.kopf4j.ErrorsMode;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A handler of an activity as the engine knows it. Immutable.
 *
 * @param definition what was declared
 * @param id what it is called
 * @param function the user's function
 */
public record RegisteredActivity(ActivityDefinition definition, String id, ActivityHandler function)
        implements Retryable {
    @Override
    public ErrorsMode errors() {
        return Objects.requireNonNullElse(definition.errors(), ErrorsMode.TEMPORARY);
    }

    @Override
    public @Nullable Duration timeout() {
        return definition.timeout();
    }

    @Override
    public @Nullable Integer retries() {
        return definition.retries();
    }

    @Override
    public @Nullable Duration backoff() {
        return definition.backoff();
    }

    /** As logs call it: {@code Activity 'configure'}. */
    @Override
    public String toString() {
        return "Activity '" + id + "'";
    }
}
