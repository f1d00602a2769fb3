package dev.kopf4j.devcluster.strategy.admissionregistration;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.value.DnsNames;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

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
}
