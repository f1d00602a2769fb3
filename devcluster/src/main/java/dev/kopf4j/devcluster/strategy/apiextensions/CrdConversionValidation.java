package dev.kopf4j.devcluster.strategy.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.WebhookClientValidation;
import dev.kopf4j.devcluster.value.DnsNames;
import dev.kopf4j.devcluster.webhook.CaBundle;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Validates how a definition converts between its versions: {@code validateCustomResourceConversion} in
 * {@code pkg/apis/apiextensions/validation/validation.go} of apiextensions-apiserver, v1.33. The paths are those of the
 * internal form, which the server names. Pure.
 */
final class CrdConversionValidation {
    private static final String PATH = "spec.conversion";
    private static final String CLIENT_PATH = PATH + ".webhookClientConfig";
    private static final String VERSIONS_PATH = PATH + ".conversionReviewVersions";
    private static final String OTHER_STRATEGY = "should not be set when strategy is not set to Webhook";
    private static final List<String> REVIEW_VERSIONS = List.of("v1", "v1beta1");

    private CrdConversionValidation() {}

    /**
     * Reports what is wrong with a conversion.
     *
     * @param before the stored definition; null for a new one
     */
    static void check(JsonNode conversion, @Nullable ObjectNode before, FieldChecks checks) {
        if (conversion.isObject() && Json.string(conversion, "strategy").isEmpty()) {
            checks.add(FieldError.required(PATH + ".strategy", ""));
        }
        checks.oneOf(conversion, "strategy", PATH, List.of("None", "Webhook"));
        JsonNode webhook = conversion.path("webhook");
        if (Json.string(conversion, "strategy").equals("Webhook")) {
            client(webhook.path("clientConfig"), checks);
            if (before != null) {
                bundle(webhook.path("clientConfig"), before, checks);
            }
            reviewVersions(webhook.path("conversionReviewVersions"), checks);
        } else {
            unset(webhook.path("clientConfig"), CLIENT_PATH, checks);
            unset(webhook.path("conversionReviewVersions"), VERSIONS_PATH, checks);
        }
    }

    private static void unset(JsonNode value, String path, FieldChecks checks) {
        if (value.isObject() || !value.isEmpty()) {
            checks.add(FieldError.forbidden(path, OTHER_STRATEGY));
        }
    }

    private static void client(JsonNode client, FieldChecks checks) {
        if (client.isObject()) {
            WebhookClientValidation.check(client, CLIENT_PATH, checks);
        } else {
            checks.add(FieldError.required(CLIENT_PATH, "required when strategy is set to Webhook"));
        }
    }

    /** Only where a usable bundle would be lost; a new definition with another one is never established. */
    private static void bundle(JsonNode client, ObjectNode before, FieldChecks checks) {
        String former = Json.string(before, "spec", "conversion", "webhook", "clientConfig", "caBundle");
        boolean allowed = !StatusConditions.isTrue(before.path("status"), "Established")
                || !CaBundle.problem(former).isEmpty();
        String bundle = Json.string(client, "caBundle");
        String problem = allowed ? "" : CaBundle.problem(bundle);
        if (!problem.isEmpty()) {
            checks.add(FieldError.invalid(CLIENT_PATH + ".caBundle", CaBundle.shown(bundle), problem));
        }
    }

    private static void reviewVersions(JsonNode versions, FieldChecks checks) {
        if (versions.isEmpty()) {
            checks.add(FieldError.required(VERSIONS_PATH, ""));
            return;
        }
        Set<String> seen = new HashSet<>();
        for (int index = 0; index < versions.size(); index++) {
            String version = versions.get(index).stringValue("");
            String path = VERSIONS_PATH + "[" + index + "]";
            checks.problem(seen.add(version) ? DnsNames.label1035(version) : "duplicate version", path, version);
        }
        if (REVIEW_VERSIONS.stream().noneMatch(seen::contains)) {
            checks.add(
                    FieldError.invalid(VERSIONS_PATH, Json.text(versions), "must include at least one of v1, v1beta1"));
        }
    }
}
