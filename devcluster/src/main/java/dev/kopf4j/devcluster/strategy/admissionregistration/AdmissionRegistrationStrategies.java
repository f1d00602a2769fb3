package dev.kopf4j.devcluster.strategy.admissionregistration;

import dev.kopf4j.devcluster.cel.AdmissionExpressionCheck;
import dev.kopf4j.devcluster.cel.AdmissionExpressionCheck.Result;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSyntax;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.WebhookClientValidation;
import dev.kopf4j.devcluster.value.DnsNames;
import dev.kopf4j.json.JsonEquality;
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
import tools.jackson.databind.node.ObjectNode;

/** The strategies of the group admissionregistration.k8s.io. */
public final class AdmissionRegistrationStrategies {
    private AdmissionRegistrationStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of(
                "mutatingwebhookconfigurations.admissionregistration.k8s.io",
                new MutatingWebhookConfigurationStrategy(),
                "validatingadmissionpolicies.admissionregistration.k8s.io",
                new PolicyStrategy(),
                "validatingadmissionpolicybindings.admissionregistration.k8s.io",
                new PolicyBindingStrategy(),
                "validatingwebhookconfigurations.admissionregistration.k8s.io",
                new ValidatingWebhookConfigurationStrategy());
    }

    /**
     * Configurations of mutating webhooks: {@code validateMutatingWebhook} in
     * {@code pkg/apis/admissionregistration/validation/validation.go}, v1.33.
     */
    private static final class MutatingWebhookConfigurationStrategy implements ResourceStrategy {
        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            WebhookValidation webhooks = new WebhookValidation(checks);
            webhooks.check(
                    draft.next().path("webhooks"),
                    (webhook, path) -> checks.oneOf(webhook, "reinvocationPolicy", path, List.of("IfNeeded", "Never")));
        }
    }

    /**
     * Configurations of validating webhooks: {@code validateValidatingWebhook} in
     * {@code pkg/apis/admissionregistration/validation/validation.go}, v1.33.
     */
    private static final class ValidatingWebhookConfigurationStrategy implements ResourceStrategy {
        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            new WebhookValidation(checks).check(draft.next().path("webhooks"), (webhook, path) -> {});
        }
    }

    /**
     * Bindings of validating admission policies: {@code validateValidatingAdmissionPolicyBindingSpec} in
     * {@code pkg/apis/admissionregistration/validation/validation.go}, v1.33.
     */
    private static final class PolicyBindingStrategy implements ResourceStrategy {
        private static final String EXCLUSIVE = "name and selector are mutually exclusive";
        private static final String TWICE = "must not contain both Deny and Warn (repeating the same validation failure"
                + " information in the API response and headers serves no purpose)";

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            JsonNode spec = draft.next().path("spec");
            String policy = Json.string(spec, "policyName");
            checks.required(spec, "policyName", "spec");
            checks.problem(policy.isEmpty() ? "" : DnsNames.subdomain(policy), "spec.policyName", policy);
            if (spec.path("paramRef").isObject()) {
                paramRef(spec.path("paramRef"), "spec.paramRef", checks);
            }
            // The server's own name of the field, with its misprint.
            MatchResourcesValidation.check(spec.path("matchResources"), "spec.matchResouces", checks);
            actions(spec.path("validationActions"), "spec.validationActions", checks);
        }

        private static void paramRef(JsonNode reference, String path, FieldChecks checks) {
            String name = Json.string(reference, "name");
            boolean selects = reference.path("selector").isObject();
            PathSegments.check(name, path + ".name", checks);
            if (!name.isEmpty() && selects) {
                checks.add(FieldError.forbidden(path + ".name", EXCLUSIVE));
            }
            LabelSelectorValidation.check(reference.path("selector"), path + ".selector", checks);
            if (!name.isEmpty() && selects) {
                checks.add(FieldError.forbidden(path + ".selector", EXCLUSIVE));
            }
            if (name.isEmpty() && !selects) {
                checks.add(FieldError.required(path, "one of name or selector must be specified"));
            }
            checks.required(reference, "parameterNotFoundAction", path);
            checks.oneOf(reference, "parameterNotFoundAction", path, List.of("Deny", "Allow"));
        }

        private static void actions(JsonNode actions, String path, FieldChecks checks) {
            Set<String> seen = new HashSet<>();
            int index = 0;
            for (JsonNode each : actions) {
                String action = each.stringValue("");
                String where = path + "[" + index++ + "]";
                if (!List.of("Audit", "Deny", "Warn").contains(action)) {
                    checks.add(
                            FieldError.notSupported(where, FieldError.quote(action), List.of("Audit", "Deny", "Warn")));
                }
                if (!seen.add(action)) {
                    checks.add(FieldError.duplicate(where, FieldError.quote(action)));
                }
            }
            if (seen.containsAll(List.of("Deny", "Warn"))) {
                String shown = actions.valueStream()
                        .map(each -> FieldError.quote(each.stringValue("")))
                        .collect(Collectors.joining(", ", "[]admissionregistration.ValidationAction{", "}"));
                checks.add(FieldError.invalid(path, shown, TWICE));
            }
            if (seen.isEmpty()) {
                checks.add(FieldError.required(path, "at least one validation action is required"));
            }
        }
    }

    /**
     * What webhooks of both kinds must fulfil: {@code pkg/apis/admissionregistration/validation/validation.go}, v1.33.
     * Confined to one validation.
     */
    private static final class WebhookValidation {
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
                MatchConditionValidation.check(
                        webhook.path("matchConditions"), false, path + ".matchConditions", checks);
            }
        }

        private void name(JsonNode webhook, String path, Set<String> names) {
            String name = Json.string(webhook, "name");
            if (name.isEmpty()) {
                checks.add(FieldError.required(path + ".name", ""));
            } else if (name.split("\\.", -1).length < 3) {
                checks.problem(
                        "should be a domain with at least three segments separated by dots", path + ".name", name);
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

    /**
     * Validating admission policies: {@code validateValidatingAdmissionPolicySpec} in
     * {@code pkg/apis/admissionregistration/validation/validation.go}, v1.33.
     */
    private static final class PolicyStrategy implements ResourceStrategy {
        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            if (draft.isStatus()) {
                return;
            }
            JsonNode spec = draft.next().path("spec");
            checks.required(spec, "failurePolicy", "spec");
            checks.oneOf(spec, "failurePolicy", "spec", List.of("Fail", "Ignore"));
            JsonNode paramKind = spec.path("paramKind");
            if (paramKind.isObject()) {
                paramKind(paramKind, checks);
            }
            MatchResourcesValidation.requireRules(spec, "spec.matchConstraints", checks);
            if (!sameConditions(spec, draft.before())) {
                MatchConditionValidation.check(
                        spec.path("matchConditions"), paramKind.isObject(), "spec.matchConditions", checks);
            }
            String name = Json.string(draft.next(), "metadata", "name");
            new PolicyExpressionValidation(checks, paramKind.isObject()).check(spec, name);
        }

        /** Conditions that were accepted once are not looked at again, unless what they may use has changed. */
        private static boolean sameConditions(JsonNode spec, @Nullable ObjectNode before) {
            return before != null
                    && JsonEquality.same(
                            spec.path("paramKind"), before.path("spec").path("paramKind"))
                    && JsonEquality.same(
                            spec.path("matchConditions"), before.path("spec").path("matchConditions"));
        }

        private static void paramKind(JsonNode paramKind, FieldChecks checks) {
            String path = "spec.paramKind";
            apiVersion(Json.string(paramKind, "apiVersion"), path + ".apiVersion", checks);
            String kind = Json.string(paramKind, "kind");
            checks.required(paramKind, "kind", path);
            String problem = kind.isEmpty() ? "" : DnsNames.label1035(kind.toLowerCase(Locale.ROOT));
            if (!problem.isEmpty()) {
                checks.problem("may have mixed case, but should otherwise match: " + problem, path + ".kind", kind);
            }
        }

        private static void apiVersion(String apiVersion, String path, FieldChecks checks) {
            String[] parts = apiVersion.split("/", -1);
            if (apiVersion.isEmpty()) {
                checks.add(FieldError.required(path, ""));
            } else if (parts.length > 2) {
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

        /**
         * The expressions of a policy: {@code validateVariable}, {@code validateValidation} and
         * {@code validateAuditAnnotation} in {@code pkg/apis/admissionregistration/validation/validation.go}, v1.33.
         * Used for one policy.
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
                    checks.problem(
                            expressions.problem(expression, Result.BOOL, true), path + ".expression", expression);
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
}
