package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.cel.MatchConditions;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.kind.Draft;
import dev.kopf4j.devcluster.kind.KindRules;
import dev.kopf4j.devcluster.status.Cause;
import java.net.URI;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/** Webhook configurations: what must hold in each webhook. */
final class WebhookStep implements KindRules {
    private static final List<String> VERSIONS = List.of("v1", "v1beta1");

    @Override
    public void prepare(Draft draft) {}

    @Override
    public List<Cause> check(Draft draft) {
        Checks checks = new Checks();
        Set<String> names = new HashSet<>();
        int index = 0;
        for (JsonNode hook : draft.next().path("webhooks")) {
            String path = "webhooks[" + index++ + "]";
            name(hook, path, names, checks);
            versions(hook, path, checks);
            effects(hook, path, checks);
            checks.oneOf(hook, "failurePolicy", path, List.of("Fail", "Ignore"));
            checks.oneOf(hook, "matchPolicy", path, List.of("Equivalent", "Exact"));
            checks.oneOf(hook, "reinvocationPolicy", path, List.of("IfNeeded", "Never"));
            long timeout = hook.path("timeoutSeconds").longValue(10);
            if (timeout < 1 || timeout > 30) {
                checks.add(Cause.invalid(
                        path + ".timeoutSeconds",
                        String.valueOf(timeout),
                        "the timeout value must be between 1 and 30 seconds"));
            }
            rules(hook, path, checks);
            client(hook.path("clientConfig"), path + ".clientConfig", checks);
            conditions(hook, path, checks);
        }
        return checks.causes();
    }

    private static void name(JsonNode hook, String path, Set<String> names, Checks checks) {
        String name = Json.string(hook, "name");
        if (name.isEmpty()) {
            checks.add(Cause.required(path + ".name", ""));
        } else if (name.split("\\.", -1).length < 3) {
            checks.add(Cause.invalidString(
                    path + ".name", name, "should be a domain with at least three segments separated by dots"));
        }
        if (!names.add(name)) {
            checks.add(Cause.duplicate(path + ".name", Cause.quote(name)));
        }
    }

    private static void versions(JsonNode hook, String path, Checks checks) {
        JsonNode versions = hook.path("admissionReviewVersions");
        if (versions.isEmpty()) {
            checks.add(Cause.required(path + ".admissionReviewVersions", "must specify one of v1, v1beta1"));
        } else if (versions.valueStream().noneMatch(each -> VERSIONS.contains(each.stringValue()))) {
            checks.add(Cause.invalid(
                    path + ".admissionReviewVersions",
                    Json.text(versions),
                    "must include at least one of v1, v1beta1"));
        }
    }

    private static void effects(JsonNode hook, String path, Checks checks) {
        if (Json.string(hook, "sideEffects").isEmpty()) {
            checks.add(Cause.required(path + ".sideEffects", "must specify one of None, NoneOnDryRun"));
        }
        checks.oneOf(hook, "sideEffects", path, List.of("None", "NoneOnDryRun"));
    }

    private static void rules(JsonNode hook, String path, Checks checks) {
        int index = 0;
        for (JsonNode rule : hook.path("rules")) {
            WebhookRules.check(rule, path + ".rules[" + index++ + "]", checks);
        }
    }

    private static void client(JsonNode client, String path, Checks checks) {
        String url = Json.string(client, "url");
        boolean service = client.path("service").isObject();
        if (url.isEmpty() == !service) {
            checks.add(Cause.required(path, "exactly one of url or service is required"));
        } else if (!url.isEmpty()) {
            url(url, path + ".url", checks);
        } else {
            checks.required(client.path("service"), "name", path + ".service");
            checks.required(client.path("service"), "namespace", path + ".service");
        }
    }

    private static void url(String url, String path, Checks checks) {
        String form = "; desired format: https://host[/path]";
        try {
            URI parsed = URI.create(url);
            if (!"https".equals(parsed.getScheme())) {
                checks.add(Cause.invalidString(
                        path, String.valueOf(parsed.getScheme()), "'https' is the only allowed URL scheme" + form));
            }
            if (parsed.getHost() == null) {
                checks.add(Cause.invalidString(path, "", "host must be specified" + form));
            }
        } catch (IllegalArgumentException e) {
            checks.add(Cause.invalidString(path, url, "url must be a valid URL: " + e.getMessage() + form));
        }
    }

    private static void conditions(JsonNode hook, String path, Checks checks) {
        int index = 0;
        for (JsonNode condition : hook.path("matchConditions")) {
            String where = path + ".matchConditions[" + index++ + "]";
            checks.required(condition, "name", where);
            String expression = Json.string(condition, "expression");
            String wrong = MatchConditions.wrong(expression);
            if (!wrong.isEmpty()) {
                checks.add(Cause.invalidString(where + ".expression", expression, wrong));
            }
        }
    }
}
