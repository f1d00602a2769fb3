package dev.kopf4j.engine.admission.configuration;

import dev.kopf4j.json.Json;
import dev.kopf4j.webhook.WebhookClientConfig;
import tools.jackson.databind.node.ObjectNode;

/** The {@code clientConfig} of a webhook, as the API has it. Pure. */
final class WebhookAddress {
    private WebhookAddress() {}

    static ObjectNode of(WebhookClientConfig clientConfig) {
        ObjectNode address = Json.object();
        switch (clientConfig) {
            case WebhookClientConfig.Url url -> address.put("url", url.url());
            case WebhookClientConfig.Service service ->
                address.putObject("service")
                        .put("namespace", service.namespace())
                        .put("name", service.name())
                        .put("path", service.path())
                        .put("port", service.port());
        }
        clientConfig.encodedCaBundle().ifPresent(bundle -> address.put("caBundle", bundle));
        return address;
    }
}
