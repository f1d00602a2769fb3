package dev.kopf4j;

import java.time.Duration;

/**
 * The options of all functions that are called again when they fail, in the style without annotations.
 *
 * <p>Mutable and confined: used while the operator is built. Made by the framework; not to be implemented.
 *
 * @param <O> the options of one kind of function
 */
public interface RetryOptions<O extends RetryOptions<O>> {
    /**
     * What an arbitrary exception means; {@link ErrorsMode#TEMPORARY} by default, {@link ErrorsMode#IGNORED} for index
     * functions.
     */
    O errors(ErrorsMode mode);

    /**
     * How long the function may take over all its attempts, from the first one on; unlimited by default. A function
     * that runs longer is interrupted, and has failed for good.
     *
     * @param time above zero
     */
    O timeout(Duration time);

    /**
     * How many attempts there are in all; unlimited by default.
     *
     * @param attempts from 1 on
     */
    O retries(int attempts);

    /**
     * The pause after an arbitrary exception; {@code settings.execution.defaultBackoff} by default.
     *
     * @param time zero is to retry at once
     */
    O backoff(Duration time);
}
