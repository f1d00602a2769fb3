package dev.kopf4j.devcluster.webhook;

import java.io.IOException;

/** Finds a local address of a service that a webhook names. Thread-safe. */
@FunctionalInterface
public interface ServiceResolver {
    /**
     * The URL of one endpoint of a service, without a path; another one each time, if there are several.
     *
     * @throws IOException if the service is not known, or nothing behind it is ready; clients get the message
     */
    String url(String namespace, String name, int port) throws IOException;
}
