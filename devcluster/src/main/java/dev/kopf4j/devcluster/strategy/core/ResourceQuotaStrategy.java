package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.value.Quantity;
import java.util.HashSet;
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
}
