package dev.kopf4j.devcluster;

import java.util.Map;
import java.util.Optional;

/**
 * Where the services that webhooks name are reached, for there is no cluster network. Immutable.
 *
 * @param ports local HTTPS ports by {@code NAMESPACE/NAME}
 */
public record WebhookServices(Map<String, Integer> ports) {
    /** A copy that cannot be changed. */
    public WebhookServices {
        ports = Map.copyOf(ports);
    }

    /** The URL without path of a service; none when no port is known for it. */
    public Optional<String> url(String namespace, String name, int port) {
        return Optional.ofNullable(ports.get(namespace + "/" + name)).map(local -> "https://127.0.0.1:" + local);
    }
}
