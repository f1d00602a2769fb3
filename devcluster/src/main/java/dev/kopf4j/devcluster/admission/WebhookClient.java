package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.api.WebhookCaller;
import dev.kopf4j.devcluster.json.Json;
import java.io.IOException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Sends reviews to webhooks, and reads their responses. Thread-safe. */
final class WebhookClient {
    private static final int USUAL_PORT = 443;
    private final WebhookCaller caller;
    private final AdmissionWebhooks.ServiceResolver services;

    WebhookClient(WebhookCaller caller, AdmissionWebhooks.ServiceResolver services) {
        this.caller = caller;
        this.services = services;
    }

    /** The response to a review with this uid; IOException if there is none, or it is unusable. */
    JsonNode call(AdmissionWebhook webhook, ObjectNode review, String uid) throws IOException {
        JsonNode response = parse(send(webhook, review)).path("response");
        if (!response.isObject()) {
            throw new IOException("received invalid webhook response: webhook response was absent");
        }
        String given = Json.string(response, "uid");
        if (!given.equals(uid)) {
            throw new IOException(
                    "received invalid webhook response: expected response.uid=\"" + uid + "\", got \"" + given + "\"");
        }
        return response;
    }

    private byte[] send(AdmissionWebhook webhook, ObjectNode review) throws IOException {
        String url = url(webhook) + "?timeout=" + webhook.timeout().toSeconds() + "s";
        try {
            return caller.call(url, webhook.authorities(), Json.bytes(review), webhook.timeout());
        } catch (IOException e) {
            throw new IOException("failed to call webhook: " + e.getMessage(), e);
        }
    }

    private static JsonNode parse(byte[] answer) throws IOException {
        try {
            return Json.parse(answer);
        } catch (JacksonException e) {
            throw new IOException(
                    "failed to call webhook: couldn't get version/kind; json parse error: " + e.getOriginalMessage(),
                    e);
        }
    }

    private String url(AdmissionWebhook webhook) throws IOException {
        JsonNode client = webhook.node().path("clientConfig");
        String url = Json.string(client, "url");
        if (!url.isEmpty()) {
            return url;
        }
        JsonNode service = client.path("service");
        String name = Json.string(service, "name");
        String base = services.url(
                        Json.string(service, "namespace"),
                        name,
                        service.path("port").intValue(USUAL_PORT))
                .orElseThrow(() -> new IOException("failed to call webhook: service \"" + name + "\" not found"));
        String path = Json.string(service, "path");
        return base + (path.startsWith("/") ? path : "/" + path);
    }
}
