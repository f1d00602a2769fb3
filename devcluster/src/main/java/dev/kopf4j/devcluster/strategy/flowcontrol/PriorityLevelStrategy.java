package dev.kopf4j.devcluster.strategy.flowcontrol;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * How many requests of a level run: {@code ValidatePriorityLevelConfiguration} in
 * {@code pkg/apis/flowcontrol/validation/validation.go}, v1.33.
 */
final class PriorityLevelStrategy implements ResourceStrategy {
    private static final List<String> TYPES = List.of("Exempt", "Limited");

    @Override
    public Set<String> metadataKeptByStatus() {
        return Set.of("labels", "annotations", "finalizers", "ownerReferences");
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        JsonNode spec = draft.next().path("spec");
        String type = Json.string(spec, "type");
        boolean exempt = Json.string(draft.next(), "metadata", "name").equals("exempt");
        if (exempt != type.equals("Exempt")) {
            checks.problem("type must be 'Exempt' if and only if name is 'exempt'", "spec.type", type);
        }
        if (!TYPES.contains(type)) {
            checks.add(FieldError.notSupported("spec.type", FieldError.quote(type), TYPES));
            return;
        }
        if (type.equals("Exempt") && spec.path("limited").isObject()) {
            checks.add(FieldError.forbidden("spec.limited", "must be nil if the type is not Limited"));
        }
        if (type.equals("Limited")) {
            if (spec.path("exempt").isObject()) {
                checks.add(FieldError.forbidden("spec.exempt", "must be nil if the type is Limited"));
            }
            if (!spec.path("limited").isObject()) {
                checks.add(FieldError.required("spec.limited", "must not be empty when type is Limited"));
            } else {
                limited(spec.path("limited"), checks);
            }
        }
    }

    private static void limited(JsonNode limited, FieldChecks checks) {
        if (limited.path("nominalConcurrencyShares").longValue(0) < 0) {
            checks.problem(
                    "must be a non-negative integer",
                    "spec.limited.nominalConcurrencyShares",
                    limited.path("nominalConcurrencyShares").asString());
        }
        long lendable = limited.path("lendablePercent").longValue(0);
        if (lendable < 0 || lendable > 100) {
            checks.problem(
                    "must be between 0 and 100, inclusive", "spec.limited.lendablePercent", String.valueOf(lendable));
        }
        String path = "spec.limited.limitResponse";
        JsonNode response = limited.path("limitResponse");
        switch (Json.string(response, "type")) {
            case "Reject" -> {
                if (response.path("queuing").isObject()) {
                    checks.add(FieldError.forbidden(
                            path + ".queuing", "must be nil if limited.limitResponse.type is not Limited"));
                }
            }
            case "Queue" -> {
                if (!response.path("queuing").isObject()) {
                    checks.add(FieldError.required(
                            path + ".queuing", "must not be empty if limited.limitResponse.type is Limited"));
                }
            }
            default ->
                checks.add(FieldError.notSupported(
                        path + ".type", FieldError.quote(Json.string(response, "type")), List.of("Queue", "Reject")));
        }
    }
}
