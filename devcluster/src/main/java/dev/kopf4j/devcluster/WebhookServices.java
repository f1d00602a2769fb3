package dev.kopf4j.devcluster;

import dev.kopf4j.devcluster.webhook.ServiceEndpoints;
import dev.kopf4j.devcluster.webhook.ServiceEndpoints.Endpoint;
import dev.kopf4j.devcluster.webhook.ServiceResolver;
import java.net.URI;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;

/** Where the services that webhooks name are reached, for there is no cluster network. Immutable. */
public final class WebhookServices {
    private final Map<String, List<Endpoint>> endpoints;

    private WebhookServices(Map<String, List<Endpoint>> endpoints) {
        this.endpoints = Map.copyOf(endpoints);
    }

    /**
     * Services on this machine, each with one endpoint.
     *
     * @param ports local HTTPS ports by {@code NAMESPACE/NAME}
     */
    public static WebhookServices of(Map<String, Integer> ports) {
        WebhookServices services = new WebhookServices(Map.of());
        for (Map.Entry<String, Integer> each : ports.entrySet()) {
            services = services.with(each.getKey(), each.getValue(), Optional.empty());
        }
        return services;
    }

    /**
     * The same with one more endpoint of a service. Each call goes to one of those that are ready, by chance.
     *
     * @param service {@code NAMESPACE/NAME}
     * @param port a local HTTPS port
     * @param readiness a URL, asked once in a second at most, whose answer is 200 to 399 while the endpoint is ready;
     *     empty if it always is
     */
    public WebhookServices with(String service, int port, Optional<URI> readiness) {
        Map<String, List<Endpoint>> more = new HashMap<>(endpoints);
        List<Endpoint> all = new ArrayList<>(endpoints.getOrDefault(service, List.of()));
        all.add(new Endpoint(port, readiness));
        more.put(service, List.copyOf(all));
        return new WebhookServices(more);
    }

    ServiceResolver resolver(InstantSource clock) {
        return new ServiceEndpoints(endpoints, new Random(), clock);
    }
}
