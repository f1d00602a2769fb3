package dev.kopf4j.devcluster.webhook;

import dev.kopf4j.devcluster.api.WebhookCaller;
import dev.kopf4j.devcluster.json.Json;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Posts reviews to where a {@code clientConfig} says: {@code pkg/util/webhook/client.go} of the apiserver library,
 * v1.33. Thread-safe.
 */
public final class WebhookClientManager {
    private static final int USUAL_PORT = 443;
    private final WebhookCaller caller;
    private final ServiceResolver services;

    /** Posts by a caller; services are found by a resolver. */
    public WebhookClientManager(WebhookCaller caller, ServiceResolver services) {
        this.caller = caller;
        this.services = services;
    }

    /** The body of the answer; IOException if there is none in time, or it is a failure. */
    public byte[] post(JsonNode clientConfig, JsonNode review, Duration timeout) throws IOException {
        String url = url(clientConfig) + "?timeout=" + timeout.toSeconds() + "s";
        return caller.call(url, serverName(clientConfig), authorities(clientConfig), Json.bytes(review), timeout);
    }

    private static Optional<String> serverName(JsonNode clientConfig) {
        JsonNode service = clientConfig.path("service");
        return service.isObject() && Json.string(clientConfig, "url").isEmpty()
                ? Optional.of(Json.string(service, "name") + "." + Json.string(service, "namespace") + ".svc")
                : Optional.empty();
    }

    private static String authorities(JsonNode clientConfig) {
        String bundle = Json.string(clientConfig, "caBundle");
        return bundle.isEmpty() ? "" : new String(Base64.getMimeDecoder().decode(bundle), StandardCharsets.UTF_8);
    }

    private String url(JsonNode clientConfig) throws IOException {
        String url = Json.string(clientConfig, "url");
        if (!url.isEmpty()) {
            return url;
        }
        JsonNode service = clientConfig.path("service");
        String base = services.url(
                Json.string(service, "namespace"),
                Json.string(service, "name"),
                service.path("port").intValue(USUAL_PORT));
        String path = Json.string(service, "path");
        return base + (path.startsWith("/") ? path : "/" + path);
    }
}
