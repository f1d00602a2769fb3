package dev.kopf4j.engine.conversion;

import dev.kopf4j.Body;
import org.jspecify.annotations.Nullable;

/** Calls the user's function. Thread-safe, as far as the function is. */
@FunctionalInterface
public interface ConversionInvoker {
    /**
     * Calls it.
     *
     * @param part what is converted, in the function's type
     * @param body the whole object as it comes
     * @return what it has returned
     * @throws Exception what it has thrown
     */
    @Nullable Object convert(Object part, Body body) throws Exception;
}
