package dev.kopf4j.engine.call;

/** Gives handlers the clients of other libraries. Thread-safe. */
@FunctionalInterface
public interface ServiceProvider {
    /** No services at all. */
    ServiceProvider NONE = type -> {
        throw new IllegalStateException("there is no " + type.getName() + " here");
    };

    /**
     * The service of a type, made at the first request and shared by all handlers of the operator.
     *
     * @throws IllegalStateException if no integration knows the type
     */
    Object get(Class<?> type);

    /** The same with one more service. */
    default <T> ServiceProvider with(Class<T> type, T service) {
        return wanted -> wanted.equals(type) ? service : get(wanted);
    }
}
