package dev.kopf4j.spring;

import dev.kopf4j.OperatorBuilder;

/**
 * Changes the operator of the application before it is built: further handlers as lambdas, settings, the memo. All
 * beans of this type are called, in their order.
 */
@FunctionalInterface
public interface OperatorCustomizer {
    /** Changes the builder, which has the handlers of the beans and the settings of the environment. */
    void customize(OperatorBuilder builder);
}
