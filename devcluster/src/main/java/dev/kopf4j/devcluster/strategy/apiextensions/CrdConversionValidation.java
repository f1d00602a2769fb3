package dev.kopf4j.devcluster.strategy.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Validates how a definition converts between its versions: {@code validateCustomResourceConversion} in
 * {@code pkg/apis/apiextensions/validation/validation.go} of apiextensions-apiserver, v1.33. Pure.
 */
final class CrdConversionValidation {
    private static final String PATH = "spec.conversion";
    private static final List<String> REVIEW_VERSIONS = List.of("v1", "v1beta1");

    private CrdConversionValidation() {}

    static void check(JsonNode conversion, FieldChecks checks) {
        checks.oneOf(conversion, "strategy", PATH, List.of("None", "Webhook"));
        JsonNode webhook = conversion.path("webhook");
        if (Json.string(conversion, "strategy").equals("Webhook")) {
            client(webhook.path("clientConfig"), checks);
            reviewVersions(webhook.path("conversionReviewVersions"), checks);
        } else if (webhook.isObject()) {
            checks.add(FieldError.forbidden(
                    PATH + ".webhookClientConfig", "should not be set when strategy is not set to Webhook"));
        }
    }

    private static void client(JsonNode client, FieldChecks checks) {
        if (!client.isObject()) {
            checks.add(FieldError.required(PATH + ".webhookClientConfig", "required when strategy is set to Webhook"));
        } else if (client.has("url") == client.has("service")) {
            checks.add(FieldError.required(PATH + ".webhookClientConfig", "exactly one of url or service is required"));
        }
    }

    private static void reviewVersions(JsonNode versions, FieldChecks checks) {
        if (versions.isEmpty()) {
            checks.add(FieldError.required(PATH + ".conversionReviewVersions", ""));
        } else if (versions.valueStream().noneMatch(each -> REVIEW_VERSIONS.contains(each.stringValue("")))) {
            checks.add(FieldError.invalid(
                    PATH + ".conversionReviewVersions",
                    Json.text(versions),
                    "must include at least one of v1, v1beta1"));
        }
    }
}
