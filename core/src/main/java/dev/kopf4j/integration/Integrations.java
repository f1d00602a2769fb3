package dev.kopf4j.integration;

import dev.kopf4j.spi.Integration;
import java.util.List;
import java.util.Optional;
import java.util.ServiceLoader;

/** The integrations that are there. Looked up once, at the first use. Thread-safe. */
public final class Integrations {
    private Integrations() {}

    private static final class Found {
        static final List<Integration> ALL =
                ServiceLoader.load(Integration.class, Integration.class.getClassLoader()).stream()
                        .map(ServiceLoader.Provider::get)
                        .toList();
    }

    /** The one that makes models of this type. */
    public static Optional<Integration> binding(Class<?> type) {
        return Found.ALL.stream().filter(each -> each.binds(type)).findFirst();
    }

    /** The one that makes services of this type. */
    public static Optional<Integration> serving(Class<?> type) {
        return Found.ALL.stream().filter(each -> each.serves(type)).findFirst();
    }

    /** The one that knows this object as its model. */
    public static Optional<Integration> owning(Object model) {
        return Found.ALL.stream().filter(each -> each.isModel(model)).findFirst();
    }
}
