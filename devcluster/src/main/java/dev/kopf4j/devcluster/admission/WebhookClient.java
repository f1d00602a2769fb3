package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.webhook.WebhookClientManager;
import java.io.IOException;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Sends reviews to webhooks, and reads their responses. Thread-safe. */
final class WebhookClient {
    private final WebhookClientManager clients;

    WebhookClient(WebhookClientManager clients) {
        this.clients = clients;
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
        try {
            return clients.post(webhook.node().path("clientConfig"), review, webhook.timeout());
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
}
