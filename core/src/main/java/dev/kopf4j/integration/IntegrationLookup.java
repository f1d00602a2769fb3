package dev.kopf4j.integration;

import dev.kopf4j.spi.Integration;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.function.Predicate;

/** The integrations that are there. Looked up once, at the first use. Thread-safe. */
public final class IntegrationLookup {
    private IntegrationLookup() {}

    private static final class Found {
        static final List<Integration> ALL =
                ServiceLoader.load(Integration.class, Integration.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList();
    }

    /** The one that makes models of this type. */
    public static Optional<Integration> forModelType(Class<?> type) {
        return first(each -> each.binds(type));
    }

    /** The one that makes services of this type. */
    public static Optional<Integration> forServiceType(Class<?> type) {
        return first(each -> each.serves(type));
    }

    /**
     * The token of a kubeconfig's user who logs in by an auth provider, from the first one that knows how.
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

    /** The one that knows this object as its model. */
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
                        + "; it must be a Map, a Body, or a model of a client library that is installed"
                        + " (kopf4j-fabric8 for fabric8's), or a collection of these"));
    }

    /** Without a stream: this is asked for each value that a handler reads or answers. */
    private static Optional<Integration> first(Predicate<Integration> wanted) {
        for (Integration each : Found.ALL) {
            if (wanted.test(each)) {
                return Optional.of(each);
            }
        }
        return Optional.empty();
    }
}
