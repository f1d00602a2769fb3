package dev.kopf4j.devcluster.strategy.admissionregistration;

import dev.kopf4j.devcluster.cel.AdmissionExpressionCheck;
import dev.kopf4j.devcluster.cel.AdmissionExpressionCheck.Result;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSyntax;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.Place;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.RuleTable;
import dev.kopf4j.devcluster.value.DnsNames;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** What the rows of the group admissionregistration.k8s.io call: expressions, and lists that mean resources. */
public final class AdmissionRegistrationStrategies {
    private AdmissionRegistrationStrategies() {}

    private static @Nullable BiConsumer<Place, FieldChecks> function(String name) {
        return switch (name) {
            case "condition" -> AdmissionRegistrationStrategies::condition;
            case "subresources" -> AdmissionRegistrationStrategies::resources;
            case "groupVersion" -> AdmissionRegistrationStrategies::groupVersion;
            case "kindName" -> AdmissionRegistrationStrategies::kindName;
            case "denyAndWarn" -> AdmissionRegistrationStrategies::denyAndWarn;
            case "expressions" -> AdmissionRegistrationStrategies::expressions;
            default -> null;
        };
    }

    /** Gives the table of the group its functions; all of its kinds are rows alone. */
    public static Map<String, ResourceStrategy> all() {
        RuleTable.of("admissionregistration", AdmissionRegistrationStrategies::function);
        return Map.of();
    }

    /** Match conditions may use {@code params} if a policy has a kind of them: {@code validateMatchConditions}. */
    private static void condition(Place place, FieldChecks checks) {
        String expression = place.text().strip();
        if (expression.isEmpty()) {
            checks.add(FieldError.required(place.path(), ""));
        } else {
            boolean params = hasParams(place.draft());
            String problem = new AdmissionExpressionCheck(params).problem(expression, Result.BOOL, true);
            checks.problem(problem, place.path(), expression);
        }
    }

    private static boolean hasParams(ObjectDraft draft) {
        return draft.next().path("spec").path("paramKind").isObject();
    }

    private static void expressions(Place spec, FieldChecks checks) {
        String name = Json.string(spec.draft().next(), "metadata", "name");
        new PolicyExpressionValidation(checks, hasParams(spec.draft())).check(spec.now(), name);
    }

    private static void kindName(Place place, FieldChecks checks) {
        String problem = DnsNames.label1035(place.text().toLowerCase(Locale.ROOT));
        if (!problem.isEmpty()) {
            String rule = "may have mixed case, but should otherwise match: " + problem;
            checks.problem(rule, place.path(), place.text());
        }
    }

    private static void denyAndWarn(Place actions, FieldChecks checks) {
        String shown = actions.now()
                .valueStream()
                .map(each -> FieldError.quote(each.stringValue("")))
                .collect(Collectors.joining(", ", "[]admissionregistration.ValidationAction{", "}"));
        checks.add(FieldError.invalid(
                actions.path(),
                shown,
                "must not contain both Deny and Warn (repeating the same validation failure information in the API"
                        + " response and headers serves no purpose)"));
    }

    private static void groupVersion(Place place, FieldChecks checks) {
        String apiVersion = place.text();
        String path = place.path();
        String[] parts = apiVersion.split("/", -1);
        if (parts.length > 2) {
            checks.problem("unexpected GroupVersion string: " + apiVersion, path, apiVersion);
        } else {
            String group = parts.length == 2 ? parts[0] : "";
            checks.problem(group.isEmpty() ? "" : DnsNames.subdomain(group), path, group);
            String version = parts[parts.length - 1];
            if (version.isEmpty()) {
                checks.problem("version must be specified", path, apiVersion);
            } else {
                checks.problem(DnsNames.label1035(version), path, version);
            }
        }
    }

    /** {@code validateResources}: what a star or a pattern already means. */
    private static void resources(Place place, FieldChecks checks) {
        JsonNode list = place.now();
        String path = place.path();
        List<String> resources =
                list.valueStream().map(each -> each.stringValue("")).toList();
        subresources(resources, path, checks);
        if (resources.size() > 1 && resources.contains("*/*")) {
            checks.add(
                    FieldError.invalid(path, Json.text(list), "if '*/*' is present, must not specify other resources"));
        }
        boolean whole = !resources.isEmpty()
                && resources.stream()
                        .filter(each -> !each.isEmpty() && !each.contains("/"))
                        .reduce("*", (_, last) -> last)
                        .chars()
                        .anyMatch(letter -> letter != '*');
        if (resources.contains("*") && whole) {
            checks.add(FieldError.invalid(
                    path, Json.text(list), "if '*' is present, must not specify other resources without subresources"));
        }
    }

    private static void subresources(List<String> resources, String path, FieldChecks checks) {
        Set<String> patterns = new HashSet<>();
        for (int index = 0; index < resources.size(); index++) {
            String[] parts = resources.get(index).split("/", 2);
            if (parts.length < 2) {
                continue;
            }
            for (String pattern : List.of(parts[0] + "/*", "*/" + parts[1])) {
                if (patterns.contains(pattern)) {
                    checks.add(FieldError.invalidString(
                            path + "[" + index + "]",
                            resources.get(index),
                            "if '" + pattern + "' is present, must not specify " + resources.get(index)));
                }
            }
            if (parts[0].equals("*") || parts[1].equals("*")) {
                patterns.add(resources.get(index));
            }
        }
    }

    /**
     * The expressions of a policy: {@code validateVariable}, {@code validateValidation} and
     * {@code validateAuditAnnotation} in {@code pkg/apis/admissionregistration/validation/validation.go}, v1.33. Used
     * for one policy.
     */
    private static final class PolicyExpressionValidation {
        private static final int MOST_ANNOTATIONS = 20;
        private static final int LONGEST_ANNOTATION = 5 * 1024;
        private static final String NONE = "validations or auditAnnotations must contain at least one item";
        private static final List<String> REASONS = List.of("Forbidden", "Invalid", "RequestEntityTooLarge");
        private static final Pattern IDENTIFIER = Pattern.compile("[_a-zA-Z][_a-zA-Z0-9]*");
        private static final Set<String> RESERVED = Set.of(
                ("true false null in as break const continue else for function if import let loop package namespace return"
                                + " var void while")
                        .split(" "));

        private final FieldChecks checks;
        private final AdmissionExpressionCheck expressions;

        /**
         * Knows no variables.
         *
         * @param params whether expressions may use {@code params}
         */
        PolicyExpressionValidation(FieldChecks checks, boolean params) {
            this.checks = checks;
            this.expressions = new AdmissionExpressionCheck(params);
        }

        /** Reports what is wrong with the expressions of a policy of this name. */
        void check(JsonNode spec, String name) {
            if (!spec.path("variables").isEmpty()) {
                expressions.compose();
            }
            each(spec, "variables", this::variable);
            if (spec.path("validations").isEmpty()
                    && spec.path("auditAnnotations").isEmpty()) {
                checks.add(FieldError.required("spec.validations", NONE));
                checks.add(FieldError.required("spec.auditAnnotations", NONE));
                return;
            }
            each(spec, "validations", this::validation);
            annotations(spec.path("auditAnnotations"), name);
        }

        private interface Element {
            void check(JsonNode element, String path);
        }

        private static void each(JsonNode spec, String field, Element element) {
            int index = 0;
            for (JsonNode each : spec.path(field)) {
                element.check(each, "spec." + field + "[" + index++ + "]");
            }
        }

        private void variable(JsonNode variable, String path) {
            String name = Json.string(variable, "name");
            if (name.isBlank()) {
                checks.add(FieldError.required(path + ".name", "name is not specified"));
            } else if (!IDENTIFIER.matcher(name).matches() || RESERVED.contains(name)) {
                checks.problem("name is not a valid CEL identifier", path + ".name", name);
            }
            String expression = Json.string(variable, "expression");
            if (expression.isBlank()) {
                checks.add(FieldError.required(path + ".expression", "expression is not specified"));
            } else {
                checks.problem(expressions.variable(name, expression), path + ".expression", expression);
            }
        }

        private void validation(JsonNode validation, String path) {
            String expression = Json.string(validation, "expression");
            if (expression.isBlank()) {
                checks.add(FieldError.required(path + ".expression", "expression is not specified"));
            } else {
                checks.problem(expressions.problem(expression, Result.BOOL, true), path + ".expression", expression);
            }
            messageExpression(Json.string(validation, "messageExpression"), path + ".messageExpression");
            message(Json.string(validation, "message"), path + ".message");
            checks.oneOf(validation, "reason", path, REASONS);
        }

        private void messageExpression(String expression, String path) {
            if (expression.isBlank()) {
                checks.problem(expression.isEmpty() ? "" : "must be non-empty if specified", path, expression);
            } else {
                checks.problem(expressions.problem(expression, Result.TEXT, false), path, expression);
            }
        }

        private void message(String message, String path) {
            if (!message.isEmpty() && message.isBlank()) {
                checks.problem("message must be non-empty if specified", path, message);
            } else if (message.strip().contains("\n") || message.strip().contains("\r")) {
                checks.problem("message must not contain line breaks", path, message);
            }
        }

        private void annotations(JsonNode annotations, String policy) {
            String path = "spec.auditAnnotations";
            if (annotations.size() > MOST_ANNOTATIONS) {
                checks.add(FieldError.invalid(
                        path, Json.text(annotations), "must not have more than 20 auditAnnotations"));
            }
            Set<String> keys = new HashSet<>();
            int index = 0;
            for (JsonNode annotation : annotations) {
                String where = path + "[" + index++ + "]";
                String key = Json.string(annotation, "key");
                if (policy.isEmpty()) {
                    checks.problem("requires metadata.name be non-empty", where + ".key", key);
                } else {
                    checks.problem(LabelSyntax.key(policy + "/" + key), where + ".key", policy + "/" + key);
                }
                value(Json.string(annotation, "valueExpression"), where + ".valueExpression");
                if (!keys.add(key)) {
                    checks.add(FieldError.duplicate(where + ".key", FieldError.quote(key)));
                }
            }
        }

        private void value(String expression, String path) {
            String stripped = expression.strip();
            if (stripped.isEmpty()) {
                checks.add(FieldError.required(path, "valueExpression is not specified"));
            } else if (stripped.length() > LONGEST_ANNOTATION) {
                checks.add(FieldError.required(path, "must not exceed " + LONGEST_ANNOTATION + " bytes in length"));
            } else {
                checks.problem(expressions.problem(stripped, Result.TEXT_OR_NULL, true), path, expression);
            }
        }
    }
}
