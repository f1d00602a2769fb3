package dev.kopf4j.devcluster.strategy.flowcontrol;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.util.List;
import tools.jackson.databind.JsonNode;

/**
 * Which URLs a rule of a flow schema means: {@code ValidateFlowSchemaNonResourcePolicyRule} and
 * {@code ValidateNonResourceURLPath} in {@code pkg/apis/flowcontrol/validation/validation.go}, v1.33. Pure.
 */
final class FlowUrlValidation {
    private static final List<String> VERBS =
            List.of("create", "delete", "deletecollection", "get", "list", "patch", "proxy", "update", "watch");

    private FlowUrlValidation() {}

    static void check(JsonNode rule, String path, FieldChecks checks) {
        List<String> verbs = strings(rule.path("verbs"));
        if (alone(verbs, path + ".verbs", "verbs must contain at least one value", "verbs", checks)
                && !VERBS.containsAll(verbs)) {
            checks.add(FieldError.notSupported(path + ".verbs", Json.text(rule.path("verbs")), VERBS));
        }
        List<String> urls = strings(rule.path("nonResourceURLs"));
        String where = path + ".nonResourceURLs";
        if (alone(urls, where, "nonResourceURLs must contain at least one value", "non-resource URLs", checks)) {
            for (int index = 0; index < urls.size(); index++) {
                checks.problem(problem(urls.get(index)), where + "[" + index + "]", urls.get(index));
            }
        }
    }

    private static List<String> strings(JsonNode array) {
        return array.valueStream().map(JsonNode::asString).toList();
    }

    /** Reports an empty list, and others beside the wildcard; true if there are values to look at. */
    private static boolean alone(List<String> values, String path, String empty, String others, FieldChecks checks) {
        if (values.isEmpty()) {
            checks.add(FieldError.required(path, empty));
        } else if (values.contains("*") && values.size() > 1) {
            checks.add(FieldError.invalid(
                    path, Json.text(Json.array(values)), "if '*' is present, must not specify other " + others));
        }
        return !values.isEmpty() && !values.contains("*");
    }

    private static String problem(String url) {
        if (url.isEmpty()) {
            return "must not be empty";
        }
        if (!url.startsWith("/")) {
            return "must start with slash";
        }
        if (url.contains(" ")) {
            return "must not contain white-space";
        }
        if (url.contains("//")) {
            return "must not contain double slash";
        }
        boolean wildcard = url.contains("*");
        boolean last = url.endsWith("/*") && url.indexOf('*') == url.length() - 1;
        return wildcard && !last ? "wildcard can only do suffix matching" : "";
    }
}
