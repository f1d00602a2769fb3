package dev.kopf4j.engine.declaration;

import dev.kopf4j.ActivityHandler;
import dev.kopf4j.ErrorsMode;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A handler of an activity as the engine knows it. Immutable.
 *
 * @param declaration what was declared
 * @param id what it is called
 * @param function the user's function
 */
public record RegisteredActivity(ActivityDeclaration declaration, String id, ActivityHandler function)
        implements Retryable {
    @Override
    public ErrorsMode errors() {
        return Objects.requireNonNullElse(declaration.retry().errors(), ErrorsMode.TEMPORARY);
    }

    @Override
    public @Nullable Duration timeout() {
        return declaration.retry().timeout();
    }

    @Override
    public @Nullable Integer retries() {
        return declaration.retry().retries();
    }

    @Override
    public @Nullable Duration backoff() {
        return declaration.retry().backoff();
    }

    /** As logs call it: {@code Activity 'configure'}. */
    @Override
    public String toString() {
        return "Activity '" + id + "'";
    }
}
