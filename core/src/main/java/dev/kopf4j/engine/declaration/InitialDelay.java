package dev.kopf4j.engine.declaration;

import dev.kopf4j.HandlerContext;
import java.time.Duration;
import java.util.function.Function;
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
     * A time that a function gives when an object is seen. It is called in a task of its own.
     *
     * @param function gives the time; null or a negative one for none
     */
    record Computed(Function<? super HandlerContext, @Nullable Duration> function) implements InitialDelay {}
}
