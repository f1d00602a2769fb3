package dev.kopf4j.engine.handling;

/** Gives handlers the clients of other libraries. Thread-safe. */
@FunctionalInterface
public interface Services {
    /**
     * The service of a type, made at the first request and shared by all handlers of the operator.
     *
     * @throws IllegalStateException if no integration knows the type
     */
    Object get(Class<?> type);
}
