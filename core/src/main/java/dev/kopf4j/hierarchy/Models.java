package dev.kopf4j.hierarchy;

import dev.kopf4j.integration.Integrations;
import dev.kopf4j.spi.Integration;

/** Finds the client library that an object belongs to. Thread-safe. */
final class Models {
    private Models() {}

    static Integration required(Object object) {
        return Integrations.owning(object)
                .orElseThrow(() -> new IllegalArgumentException("not an object of Kubernetes: "
                        + object.getClass().getName()
                        + "; it must be a Map, a Body, or a model of a client library that is installed"
                        + " (kopf4j-fabric8 for fabric8's), or a collection of these"));
    }
}
