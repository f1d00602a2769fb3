package dev.kopf4j.engine.admission.configuration;

import dev.kopf4j.OperatorException;
import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.error.ClientException;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.webhook.WebhookClientConfig;
import java.util.Collection;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The two webhook configurations that the operator writes. Confined to one task at a time. */
public final class ManagedWebhookConfigurations implements WebhookConfigurations {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.admission");

    private final List<ManagedConfiguration> configurations;
    private final boolean shared;

    /**
     * Nothing is written yet.
     *
     * @param name the name of both
     * @param shared true if other replicas serve them, too: then nothing is taken back when this one ends
     * @throws OperatorException if no webhook can have that name
     */
    public ManagedWebhookConfigurations(
            KubernetesApi api, String name, List<RegisteredHandler> handlers, boolean shared) {
        if (!name.contains(".")) {
            throw new OperatorException("The operator does not start: the setting admission.managed is '" + name
                    + "', but the webhooks' names end with it, and the API server wants at least three parts: write for"
                    + " example 'auto." + name + ".example.com'.");
        }
        this.configurations = List.of(
                ManagedConfiguration.validating(api, name, handlers),
                ManagedConfiguration.mutating(api, name, handlers));
        this.shared = shared;
    }

    @Override
    public void configure(Collection<Resource> resources, WebhookClientConfig clientConfig)
            throws InterruptedException {
        for (ManagedConfiguration each : configurations) {
            each.write(resources, clientConfig);
        }
    }

    @Override
    public void cleanUp() throws InterruptedException {
        for (ManagedConfiguration each : shared ? List.<ManagedConfiguration>of() : configurations) {
            try {
                each.cleanUp();
            } catch (ClientException e) {
                log.warn("The webhooks could not be taken back, and may block requests: {}", e.getMessage());
            }
        }
    }
}
