package dev.kopf4j.engine.declaration;

import dev.kopf4j.ErrorsMode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Something of the user's that is called, and called again when it fails. Its text is what logs call it. */
public interface Retryable {
    /** What an arbitrary exception means. */
    ErrorsMode errors();

    /** The time for all attempts; null for unlimited. */
    @Nullable Duration timeout();

    /** The number of attempts; null for unlimited. */
    @Nullable Integer retries();

    /** The pause after an arbitrary exception; null for the setting. */
    @Nullable Duration backoff();
}
