package dev.kopf4j.devcluster.strategy.admissionregistration;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.WebhookClientValidation;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BiConsumer;
import tools.jackson.databind.JsonNode;

/**
 * What webhooks of both kinds must fulfil: {@code pkg/apis/admissionregistration/validation/validation.go}, v1.33.
 * Confined to one validation.
 */
final class WebhookValidation {
    private static final List<String> REVIEW_VERSIONS = List.of("v1", "v1beta1");
    private static final int USUAL_TIMEOUT_SECONDS = 10;
    private static final int MAX_TIMEOUT_SECONDS = 30;
    private final FieldChecks checks;

    WebhookValidation(FieldChecks checks) {
        this.checks = checks;
    }

    /**
     * Reports what is wrong with webhooks.
     *
     * @param more what else to check of a webhook, with its path
     */
    void check(JsonNode webhooks, BiConsumer<JsonNode, String> more) {
        Set<String> names = new HashSet<>();
        int index = 0;
        for (JsonNode webhook : webhooks) {
            String path = "webhooks[" + index++ + "]";
            name(webhook, path, names);
            versions(webhook.path("admissionReviewVersions"), path + ".admissionReviewVersions");
            policies(webhook, path);
            more.accept(webhook, path);
            timeout(webhook, path + ".timeoutSeconds");
            WebhookRuleValidation.check(webhook.path("rules"), path + ".rules", checks);
            WebhookClientValidation.check(webhook.path("clientConfig"), path + ".clientConfig", checks);
            MatchConditionValidation.check(webhook.path("matchConditions"), false, path + ".matchConditions", checks);
        }
    }

    private void name(JsonNode webhook, String path, Set<String> names) {
        String name = Json.string(webhook, "name");
        if (name.isEmpty()) {
            checks.add(FieldError.required(path + ".name", ""));
        } else if (name.split("\\.", -1).length < 3) {
            checks.problem("should be a domain with at least three segments separated by dots", path + ".name", name);
        }
        if (!names.add(name)) {
            checks.add(FieldError.duplicate(path + ".name", FieldError.quote(name)));
        }
    }

    private void versions(JsonNode versions, String path) {
        if (versions.isEmpty()) {
            checks.add(FieldError.required(path, "must specify one of v1, v1beta1"));
        } else if (versions.valueStream().noneMatch(each -> REVIEW_VERSIONS.contains(each.stringValue()))) {
            checks.add(FieldError.invalid(path, Json.text(versions), "must include at least one of v1, v1beta1"));
        }
    }

    private void policies(JsonNode webhook, String path) {
        if (Json.string(webhook, "sideEffects").isEmpty()) {
            checks.add(FieldError.required(path + ".sideEffects", "must specify one of None, NoneOnDryRun"));
        }
        checks.oneOf(webhook, "sideEffects", path, List.of("None", "NoneOnDryRun"));
        checks.oneOf(webhook, "failurePolicy", path, List.of("Fail", "Ignore"));
        checks.oneOf(webhook, "matchPolicy", path, List.of("Equivalent", "Exact"));
    }

    private void timeout(JsonNode webhook, String path) {
        long timeout = webhook.path("timeoutSeconds").longValue(USUAL_TIMEOUT_SECONDS);
        if (timeout < 1 || timeout > MAX_TIMEOUT_SECONDS) {
            checks.add(FieldError.invalid(
                    path, String.valueOf(timeout), "the timeout value must be between 1 and 30 seconds"));
        }
    }
}
