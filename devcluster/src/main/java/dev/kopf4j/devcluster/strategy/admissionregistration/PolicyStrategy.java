package dev.kopf4j.devcluster.strategy.admissionregistration;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.value.DnsNames;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Validating admission policies: {@code validateValidatingAdmissionPolicySpec} in
 * {@code pkg/apis/admissionregistration/validation/validation.go}, v1.33.
 */
final class PolicyStrategy implements ResourceStrategy {
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
                && JsonEquality.same(spec.path("paramKind"), before.path("spec").path("paramKind"))
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
}
