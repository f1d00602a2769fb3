package dev.kopf4j.engine.declaration;

import dev.kopf4j.HandlerContext;
import org.jspecify.annotations.Nullable;

/**
 * Calls the user's function. Reflection does it today; generated code could do it tomorrow. Thread-safe, as far as the
 * function is.
 */
@FunctionalInterface
public interface HandlerInvoker {
    /**
     * Calls the function.
     *
     * @return what it has returned; null for none
     * @throws Exception what it has thrown
     */
    @Nullable Object invoke(HandlerContext context) throws Exception;
}
