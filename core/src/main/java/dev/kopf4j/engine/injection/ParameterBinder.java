package dev.kopf4j.engine.injection;

import dev.kopf4j.HandlerContext;
import org.jspecify.annotations.Nullable;

/** Gets the value of one parameter from the context of a call. Thread-safe. */
@FunctionalInterface
public interface ParameterBinder {
    /** The value; null if it is absent. */
    @Nullable Object bind(HandlerContext context);
}
