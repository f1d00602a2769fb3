package dev.kopf4j.devcluster;

import java.util.Map;
import java.util.Optional;

/**
 * The local addresses of services that webhooks name, because there is no cluster network. Immutable.
 *
 * @param ports local HTTPS ports by {@code NAMESPACE/NAME}
 */
public record WebhookServices(Map<String, Integer> ports) {
    /** A copy that cannot be changed. */
    public WebhookServices {
        ports = Map.copyOf(ports);
    }

    /** The URL of a service, without a path; empty if its port is not known. */
    public Optional<String> url(String namespace, String name, int port) {
        return Optional.ofNullable(ports.get(namespace + "/" + name)).map(local -> "https://127.0.0.1:" + local);
    }
}
