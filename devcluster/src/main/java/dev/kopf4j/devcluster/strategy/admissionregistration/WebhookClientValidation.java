package dev.kopf4j.devcluster.strategy.admissionregistration;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.net.URI;
import tools.jackson.databind.JsonNode;

/**
 * Where webhooks are reached: {@code ValidateWebhookURL} and {@code ValidateWebhookService} in
 * {@code pkg/util/webhook/validation.go} of the apiserver library, v1.33. Pure.
 */
final class WebhookClientValidation {
    private static final String FORM = "; desired format: https://host[/path]";

    private WebhookClientValidation() {}

    static void check(JsonNode client, String path, FieldChecks checks) {
        String url = Json.string(client, "url");
        boolean service = client.path("service").isObject();
        if (url.isEmpty() == !service) {
            checks.add(FieldError.required(path, "exactly one of url or service is required"));
        } else if (!url.isEmpty()) {
            url(url, path + ".url", checks);
        } else {
            checks.required(client.path("service"), "name", path + ".service");
            checks.required(client.path("service"), "namespace", path + ".service");
        }
    }

    private static void url(String url, String path, FieldChecks checks) {
        try {
            URI parsed = URI.create(url);
            String scheme = parsed.getScheme();
            if (!"https".equals(scheme)) {
                checks.problem("'https' is the only allowed URL scheme" + FORM, path, String.valueOf(scheme));
            }
            if (parsed.getHost() == null) {
                checks.problem("host must be specified" + FORM, path, "");
            }
        } catch (IllegalArgumentException e) {
            checks.problem("url must be a valid URL: " + e.getMessage() + FORM, path, url);
        }
    }
}
