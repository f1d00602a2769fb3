package dev.kopf4j;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What was declared of an activity's handler, in either style. Immutable.
 *
 * @param activity what it is a part of
 * @param id its id; null if it is to be the method's name
 * @param param a value for its parameter {@code param}
 * @param errors what an arbitrary exception means; null for {@link ErrorsMode#TEMPORARY}
 * @param timeout the time for all attempts; null for unlimited
 * @param retries the number of attempts; null for unlimited
 * @param backoff the pause after an arbitrary exception; null for the setting
 */
public record ActivityDefinition(
        Activity activity,
        @Nullable String id,
        @Nullable Object param,
        @Nullable ErrorsMode errors,
        @Nullable Duration timeout,
        @Nullable Integer retries,
        @Nullable Duration backoff) {}
