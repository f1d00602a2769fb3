package dev.kopf4j.devcluster.strategy.networking;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Network policies: {@code SetDefaults_NetworkPolicy} in {@code pkg/apis/networking/v1/defaults.go},
 * {@code ValidateNetworkPolicySpec} in {@code pkg/apis/networking/validation/validation.go}, v1.33.
 */
final class NetworkPolicyStrategy implements ResourceStrategy {
    private static final List<String> TYPES = List.of("Egress", "Ingress");

    @Override
    public void prepare(ObjectDraft draft) {
        ObjectNode spec = Json.child(draft.next(), "spec");
        if (spec.path("policyTypes").isEmpty()) {
            ArrayNode types = spec.putArray("policyTypes").add("Ingress");
            if (!spec.path("egress").isEmpty()) {
                types.add("Egress");
            }
        }
    }

    @Override
    public boolean checksUpdatesTwice() {
        return true;
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        JsonNode spec = draft.next().path("spec");
        LabelSelectorValidation.check(spec.path("podSelector"), "spec.podSelector", checks);
        NetworkPolicyRuleValidation.check(spec.path("ingress"), "spec.ingress", "from", checks);
        NetworkPolicyRuleValidation.check(spec.path("egress"), "spec.egress", "to", checks);
        if (spec.path("policyTypes").size() > TYPES.size()) {
            checks.add(FieldError.invalid(
                    "spec.policyTypes",
                    Json.text(spec.path("policyTypes")),
                    "may not specify more than two policyTypes"));
            return;
        }
        int index = 0;
        for (JsonNode type : spec.path("policyTypes")) {
            String where = "spec.policyTypes[" + index++ + "]";
            if (!TYPES.contains(type.asString())) {
                checks.add(FieldError.notSupported(where, FieldError.quote(type.asString()), TYPES));
            }
        }
    }
}
