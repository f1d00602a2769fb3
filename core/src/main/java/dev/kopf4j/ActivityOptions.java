package dev.kopf4j;

import org.jspecify.annotations.Nullable;

/**
 * The options of an activity's handler in the style without annotations; they mean what the attributes of the
 * annotations mean.
 *
 * <p>Mutable and confined: used while the operator is built. Made by the framework; not to be implemented.
 */
public interface ActivityOptions extends RetryOptions<ActivityOptions> {
    /** A value for {@link ActivityContext#param}; null by default. */
    ActivityOptions param(@Nullable Object any);
}
