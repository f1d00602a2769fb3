package dev.kopf4j.engine.handling.declaration;

import dev.kopf4j.ErrorsMode;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A {@link RetryDeclaration} in the making. Confined. */
final class RetryDraft {
    @Nullable ErrorsMode errors;

    @Nullable Duration timeout;

    @Nullable Integer retries;

    @Nullable Duration backoff;

    RetryDeclaration declare() {
        return new RetryDeclaration(errors, timeout, retries, backoff);
    }
}
