package dev.kopf4j.integration;

import dev.kopf4j.spi.Integration;

/** Finds the client library that an object belongs to. Thread-safe. */
public final class RequiredIntegration {
    private RequiredIntegration() {}

    public static Integration required(Object object) {
        return IntegrationLookup.forModel(object)
                .orElseThrow(() -> new IllegalArgumentException("not an object of Kubernetes: "
                        + object.getClass().getName()
                        + "; it must be a Map, a Body, or a model of a client library that is installed"
                        + " (kopf4j-fabric8 for fabric8's), or a collection of these"));
    }
}
