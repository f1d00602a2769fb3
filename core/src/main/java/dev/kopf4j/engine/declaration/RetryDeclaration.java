package dev.kopf4j.engine.declaration;

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

    /** One in the making, by options or by an annotation. Confined. */
    public static final class Draft {
        @Nullable ErrorsMode errors;

        @Nullable Duration timeout;

        @Nullable Integer retries;

        @Nullable Duration backoff;

        /** Takes what an annotation says. */
        public Draft read(AnnotationAttributes attributes) {
            errors = attributes.value("errors") instanceof ErrorsMode mode ? mode : null;
            timeout = attributes.duration("timeout");
            int given = attributes.number("retries", -1);
            retries = given == -1 ? null : Integer.valueOf(given);
            backoff = attributes.duration("backoff");
            return this;
        }

        /** What has come together. */
        public RetryDeclaration declare() {
            return new RetryDeclaration(errors, timeout, retries, backoff);
        }
    }
}
