package dev.kopf4j.devcluster.strategy.storage;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.value.DnsNames;
import dev.kopf4j.devcluster.value.Quantity;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * How much a storage class has: {@code ValidateCSIStorageCapacity} and {@code ValidateCSIStorageCapacityUpdate} in
 * {@code pkg/apis/storage/validation/validation.go}, v1.33.
 */
final class CsiStorageCapacityStrategy implements ResourceStrategy {
    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        LabelSelectorValidation.check(draft.next().path("nodeTopology"), "nodeTopology", checks);
        String name = Json.string(draft.next(), "storageClassName");
        checks.problem(DnsNames.subdomain(name), "storageClassName", name);
        for (String amount : List.of("capacity", "maximumVolumeSize")) {
            String value = Json.string(draft.next(), amount);
            if (!value.isEmpty() && Quantity.value(value).signum() < 0) {
                checks.problem("must be greater than or equal to 0", amount, value);
            }
        }
        ObjectNode before = draft.before();
        if (before != null) {
            for (String field : List.of("nodeTopology", "storageClassName")) {
                checks.immutable(draft.next().path(field), before.path(field), field);
            }
        }
    }
}
