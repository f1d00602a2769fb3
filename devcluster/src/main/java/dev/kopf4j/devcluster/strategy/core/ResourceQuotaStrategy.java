package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.value.Quantity;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Quotas: {@code ValidateResourceQuota}, {@code ValidateResourceQuotaUpdate} and
 * {@code ValidateResourceQuotaStatusUpdate} in {@code pkg/apis/core/validation/validation.go}, v1.33.
 */
final class ResourceQuotaStrategy implements ResourceStrategy {
    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        if (draft.isStatus()) {
            amounts(draft.next().path("status").path("hard"), "status.hard", checks);
            amounts(draft.next().path("status").path("used"), "status.used", checks);
            return;
        }
        JsonNode spec = draft.next().path("spec");
        amounts(spec.path("hard"), "spec.hard", checks);
        new QuotaScopeValidation(spec, checks).check();
        ObjectNode before = draft.before();
        if (before != null && !words(before.path("spec").path("scopes")).equals(words(spec.path("scopes")))) {
            checks.add(FieldError.invalid("spec.scopes", Json.text(spec.path("scopes")), "field is immutable"));
        }
    }

    private static Set<String> words(JsonNode list) {
        Set<String> words = new HashSet<>();
        list.forEach(word -> words.add(word.asString()));
        return words;
    }

    private static void amounts(JsonNode amounts, String path, FieldChecks checks) {
        amounts.properties().forEach(amount -> {
            String name = amount.getKey();
            String where = path + "[" + name + "]";
            String value = amount.getValue().asString();
            ResourceNames.checkOfQuota(name, where, checks);
            if (Quantity.value(value).signum() < 0) {
                checks.problem("must be greater than or equal to 0", where, value);
            }
            if (ResourceNames.isWhole(name)
                    && Quantity.value(value).stripTrailingZeros().scale() > 0) {
                checks.problem("must be an integer", where, value);
            }
        });
    }

    /**
     * The scopes of a quota: {@code validateResourceQuotaScopes} and {@code validateScopedResourceSelectorRequirement}
     * in {@code pkg/apis/core/validation/validation.go}, v1.33. Confined to one validation.
     */
    private static final class QuotaScopeValidation {
        private static final Set<String> SCOPES = Set.of(
                "Terminating",
                "NotTerminating",
                "BestEffort",
                "NotBestEffort",
                "PriorityClass",
                "CrossNamespacePodAffinity",
                "VolumeAttributesClass");

        private static final Set<String> OF_PODS = Set.of(
                "pods",
                "cpu",
                "memory",
                "ephemeral-storage",
                "requests.cpu",
                "requests.memory",
                "requests.ephemeral-storage",
                "limits.cpu",
                "limits.memory",
                "limits.ephemeral-storage");

        private final JsonNode spec;
        private final FieldChecks checks;
        private final Set<String> seen = new HashSet<>();

        QuotaScopeValidation(JsonNode spec, FieldChecks checks) {
            this.spec = spec;
            this.checks = checks;
        }

        void check() {
            for (JsonNode scope : spec.path("scopes")) {
                scope(scope.asString(), "spec.scopes", "spec.scopes");
            }
            conflicts();
            seen.clear();
            String path = "spec.scopeSelector.matchExpressions";
            for (JsonNode expression : spec.path("scopeSelector").path("matchExpressions")) {
                String scope = Json.string(expression, "scopeName");
                scope(scope, path + ".scopeName", path);
                operator(scope, expression, path);
            }
            conflicts();
        }

        private void scope(String scope, String path, String pathOfAll) {
            if (!SCOPES.contains(scope)) {
                checks.problem("unsupported scope", path, scope);
            }
            for (String resource : spec.path("hard").propertyNames()) {
                if (!resource.contains("/") && !fits(scope, resource)) {
                    checks.problem("unsupported scope applied to resource", pathOfAll, scope);
                }
            }
            seen.add(scope);
        }

        private static boolean fits(String scope, String resource) {
            return switch (scope) {
                case "BestEffort" -> resource.equals("pods");
                case "VolumeAttributesClass" ->
                    Set.of("persistentvolumeclaims", "requests.storage").contains(resource);
                case "Terminating", "NotTerminating", "NotBestEffort", "PriorityClass", "CrossNamespacePodAffinity" ->
                    OF_PODS.contains(resource);
                default -> true;
            };
        }

        private void operator(String scope, JsonNode expression, String path) {
            String operator = Json.string(expression, "operator");
            boolean hasValues = !expression.path("values").isEmpty();
            if (SCOPES.contains(scope)
                    && !List.of("PriorityClass", "VolumeAttributesClass").contains(scope)
                    && !operator.equals("Exists")) {
                checks.problem("must be 'Exists' for the scope " + scope, path + ".operator", operator);
            }
            switch (operator) {
                case "In", "NotIn" -> {
                    if (!hasValues) {
                        checks.add(FieldError.required(
                                path + ".values",
                                "must be at least one value when `operator` is 'In' or 'NotIn' for scope selector"));
                    }
                }
                case "Exists", "DoesNotExist" -> {
                    if (hasValues) {
                        checks.add(FieldError.invalid(
                                path + ".values",
                                Json.text(expression.path("values")),
                                "must be no value when `operator` is 'Exist' or 'DoesNotExist' for scope selector"));
                    }
                }
                default -> checks.problem("not a valid selector operator", path + ".operator", operator);
            }
        }

        private void conflicts() {
            for (List<String> pair :
                    List.of(List.of("BestEffort", "NotBestEffort"), List.of("Terminating", "NotTerminating"))) {
                if (seen.containsAll(pair)) {
                    checks.add(FieldError.invalid("spec.scopes", Json.text(spec.path("scopes")), "conflicting scopes"));
                }
            }
        }
    }
}
