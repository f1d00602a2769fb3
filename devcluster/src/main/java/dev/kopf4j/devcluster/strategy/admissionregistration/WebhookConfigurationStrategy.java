package dev.kopf4j.devcluster.strategy.admissionregistration;

import dev.kopf4j.devcluster.cel.MatchConditions;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Webhook configurations: what must hold in each webhook. */
public final class WebhookConfigurationStrategy implements ResourceStrategy {
    private static final List<String> VERSIONS = List.of("v1", "v1beta1");

    @Override
    public void prepare(ObjectDraft objectDraft) {}

    @Override
    public List<FieldError> validate(ObjectDraft objectDraft) {
        FieldChecks fieldChecks = new FieldChecks();
        Set<String> names = new HashSet<>();
        int index = 0;
        for (JsonNode hook : objectDraft.next().path("webhooks")) {
            String path = "webhooks[" + index++ + "]";
            name(hook, path, names, fieldChecks);
            versions(hook, path, fieldChecks);
            effects(hook, path, fieldChecks);
            fieldChecks.oneOf(hook, "failurePolicy", path, List.of("Fail", "Ignore"));
            fieldChecks.oneOf(hook, "matchPolicy", path, List.of("Equivalent", "Exact"));
            fieldChecks.oneOf(hook, "reinvocationPolicy", path, List.of("IfNeeded", "Never"));
            long timeout = hook.path("timeoutSeconds").longValue(10);
            if (timeout < 1 || timeout > 30) {
                fieldChecks.add(FieldError.invalid(
                        path + ".timeoutSeconds",
                        String.valueOf(timeout),
                        "the timeout value must be between 1 and 30 seconds"));
            }
            rules(hook, path, fieldChecks);
            client(hook.path("clientConfig"), path + ".clientConfig", fieldChecks);
            conditions(hook, path, fieldChecks);
        }
        return fieldChecks.causes();
    }

    private static void name(JsonNode hook, String path, Set<String> names, FieldChecks fieldChecks) {
        String name = Json.string(hook, "name");
        if (name.isEmpty()) {
            fieldChecks.add(FieldError.required(path + ".name", ""));
        } else if (name.split("\\.", -1).length < 3) {
            fieldChecks.add(FieldError.invalidString(
                    path + ".name", name, "should be a domain with at least three segments separated by dots"));
        }
        if (!names.add(name)) {
            fieldChecks.add(FieldError.duplicate(path + ".name", FieldError.quote(name)));
        }
    }

    private static void versions(JsonNode hook, String path, FieldChecks fieldChecks) {
        JsonNode versions = hook.path("admissionReviewVersions");
        if (versions.isEmpty()) {
            fieldChecks.add(FieldError.required(path + ".admissionReviewVersions", "must specify one of v1, v1beta1"));
        } else if (versions.valueStream().noneMatch(each -> VERSIONS.contains(each.stringValue()))) {
            fieldChecks.add(FieldError.invalid(
                    path + ".admissionReviewVersions",
                    Json.text(versions),
                    "must include at least one of v1, v1beta1"));
        }
    }

    private static void effects(JsonNode hook, String path, FieldChecks fieldChecks) {
        if (Json.string(hook, "sideEffects").isEmpty()) {
            fieldChecks.add(FieldError.required(path + ".sideEffects", "must specify one of None, NoneOnDryRun"));
        }
        fieldChecks.oneOf(hook, "sideEffects", path, List.of("None", "NoneOnDryRun"));
    }

    private static void rules(JsonNode hook, String path, FieldChecks fieldChecks) {
        int index = 0;
        for (JsonNode rule : hook.path("rules")) {
            WebhookRuleValidation.check(rule, path + ".rules[" + index++ + "]", fieldChecks);
        }
    }

    private static void client(JsonNode client, String path, FieldChecks fieldChecks) {
        String url = Json.string(client, "url");
        boolean service = client.path("service").isObject();
        if (url.isEmpty() == !service) {
            fieldChecks.add(FieldError.required(path, "exactly one of url or service is required"));
        } else if (!url.isEmpty()) {
            url(url, path + ".url", fieldChecks);
        } else {
            fieldChecks.required(client.path("service"), "name", path + ".service");
            fieldChecks.required(client.path("service"), "namespace", path + ".service");
        }
    }

    private static void url(String url, String path, FieldChecks fieldChecks) {
        String form = "; desired format: https://host[/path]";
        try {
            URI parsed = URI.create(url);
            if (!"https".equals(parsed.getScheme())) {
                fieldChecks.add(FieldError.invalidString(
                        path, String.valueOf(parsed.getScheme()), "'https' is the only allowed URL scheme" + form));
            }
            if (parsed.getHost() == null) {
                fieldChecks.add(FieldError.invalidString(path, "", "host must be specified" + form));
            }
        } catch (IllegalArgumentException e) {
            fieldChecks.add(FieldError.invalidString(path, url, "url must be a valid URL: " + e.getMessage() + form));
        }
    }

    private static void conditions(JsonNode hook, String path, FieldChecks fieldChecks) {
        int index = 0;
        for (JsonNode condition : hook.path("matchConditions")) {
            String where = path + ".matchConditions[" + index++ + "]";
            fieldChecks.required(condition, "name", where);
            String expression = Json.string(condition, "expression");
            String wrong = MatchConditions.wrong(expression);
            if (!wrong.isEmpty()) {
                fieldChecks.add(FieldError.invalidString(where + ".expression", expression, wrong));
            }
        }
    }
}
