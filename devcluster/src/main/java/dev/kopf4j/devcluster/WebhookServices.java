package dev.kopf4j.devcluster;

import java.util.Map;
import java.util.Optional;

/** Where the services that webhooks name are reached, for there is no cluster network. Immutable. */
public final class WebhookServices {
    private final Map<String, Integer> ports;

    private WebhookServices(Map<String, Integer> ports) {
        this.ports = Map.copyOf(ports);
    }

    /**
     * Services on this machine.
     *
     * @param ports local HTTPS ports by {@code NAMESPACE/NAME}
     */
    public static WebhookServices of(Map<String, Integer> ports) {
        return new WebhookServices(ports);
    }

    /** The URL without path of a service; none when no port is known for it. */
    public Optional<String> url(String namespace, String name, int port) {
        return Optional.ofNullable(ports.get(namespace + "/" + name)).map(local -> "https://127.0.0.1:" + local);
    }
}
