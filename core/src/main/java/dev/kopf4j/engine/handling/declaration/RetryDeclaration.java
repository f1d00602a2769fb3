package dev.kopf4j.engine.handling.declaration;

import dev.kopf4j.ErrorsMode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How often something of the user's is called when it fails. Immutable.
 *
 * @param errors what an arbitrary exception means; null for the default of its kind
 * @param timeout the time for all attempts; null for unlimited
 * @param retries the number of attempts; null for unlimited
 * @param backoff the pause after an arbitrary exception; null for the setting
 */
public record RetryDeclaration(
        @Nullable ErrorsMode errors,
        @Nullable Duration timeout,
        @Nullable Integer retries,
        @Nullable Duration backoff) {
    /** Nothing is given. */
    public static final RetryDeclaration NONE = new RetryDeclaration(null, null, null, null);
}
