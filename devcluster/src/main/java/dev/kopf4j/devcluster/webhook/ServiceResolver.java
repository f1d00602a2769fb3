package dev.kopf4j.devcluster.webhook;

import java.util.Optional;

/** Finds the local address of a service that a webhook names. Thread-safe. */
@FunctionalInterface
public interface ServiceResolver {
    /** The URL of a service, without a path; empty if it is not known. */
    Optional<String> url(String namespace, String name, int port);
}
