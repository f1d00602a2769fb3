package dev.kopf4j.integration;

import dev.kopf4j.Tracing;
import dev.kopf4j.spi.Integration;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Finds the integrations with other libraries. They are loaded once, at the first use. Thread-safe. */
public final class IntegrationLookup {
    private IntegrationLookup() {}

    private static final class Found {
        static final List<Integration> ALL =
                ServiceLoader.load(Integration.class, Integration.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList();
    }

    /** Returns the library that makes spans; null if there is none. */
    public static @Nullable Tracing tracing() {
        return ServiceLoader.load(Tracing.class, Tracing.class.getClassLoader())
                .findFirst()
                .orElse(null);
    }

    /** Returns the integration that makes models of this type. */
    public static Optional<Integration> forModelType(Class<?> type) {
        return first(each -> each.binds(type));
    }

    /** Returns the integration that reads and writes values of this type, be they models or parts of them. */
    public static Optional<Integration> forValueType(Class<?> type) {
        return first(each -> each.converts(type));
    }

    /** Returns the integration that makes services of this type. */
    public static Optional<Integration> forServiceType(Class<?> type) {
        return first(each -> each.serves(type));
    }

    /**
     * Returns the token of a kubeconfig's user who logs in by an auth provider, from the first integration that
     * supports it.
     *
     * @throws RuntimeException if the provider refuses
     * @throws InterruptedException if the task is interrupted
     */
    public static Optional<String> authProviderToken(Path kubeconfig, String user) throws InterruptedException {
        for (Integration each : Found.ALL) {
            Optional<String> token = each.token(kubeconfig, user);
            if (token.isPresent()) {
                return token;
            }
        }
        return Optional.empty();
    }

    /** Returns the integration whose model this object is. */
    public static Optional<Integration> forModel(Object model) {
        return first(each -> each.isModel(model));
    }

    /**
     * Returns the integration whose model the object is.
     *
     * @throws IllegalArgumentException if no integration knows the object; the message says what is possible
     */
    public static Integration required(Object object) {
        return forModel(object)
                .orElseThrow(() -> new IllegalArgumentException("not an object of Kubernetes: "
                        + object.getClass().getName()
                        + "; it must be a Map, a JSON tree, a Body, or a model of a client library that is installed"
                        + " (kopf4j-fabric8 for fabric8's), or a collection of these"));
    }

    /** A loop instead of a stream: this runs for each value that a handler reads or returns. */
    private static Optional<Integration> first(Predicate<Integration> wanted) {
        for (Integration each : Found.ALL) {
            if (wanted.test(each)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }
}
