package dev.kopf4j;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** How long a daemon or a timer waits before it starts. Immutable. */
public sealed interface InitialDelay {
    /**
     * The same time for all objects.
     *
     * @param delay the time, not negative
     */
    record Fixed(Duration delay) implements InitialDelay {}

    /**
     * A time that is asked for when an object is seen.
     *
     * @param function gives the time
     */
    record Computed(Function function) implements InitialDelay {}

    /** Gives the delay for an object. Called in a task of its own: it may block. */
    @FunctionalInterface
    interface Function {
        /**
         * The delay; null or a negative one for none.
         *
         * @throws Exception if there is none to be given: the daemon or timer has failed for good then
         */
        @Nullable Duration delay(HandlerContext context) throws Exception;
    }
}
