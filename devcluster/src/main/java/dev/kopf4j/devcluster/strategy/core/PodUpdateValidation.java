package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What an update of a pod may change: {@code ValidatePodUpdate} in {@code pkg/apis/core/validation/validation.go},
 * v1.33. Pure.
 */
final class PodUpdateValidation {
    private static final String MUTABLE = "pod updates may not change fields other than"
            + " `spec.containers[*].image`,`spec.initContainers[*].image`,`spec.activeDeadlineSeconds`,"
            + "`spec.tolerations` (only additions to existing tolerations),"
            + "`spec.terminationGracePeriodSeconds` (allow it to be set to 1 if it was previously negative)";

    private PodUpdateValidation() {}

    static void check(JsonNode spec, JsonNode before, FieldChecks checks) {
        for (String list : List.of("containers", "initContainers")) {
            if (spec.path(list).size() != before.path(list).size()) {
                checks.add(FieldError.forbidden("spec." + list, "pod updates may not add or remove containers"));
                return;
            }
        }
        deadline(spec.path("activeDeadlineSeconds"), before.path("activeDeadlineSeconds"), checks);
        tolerations(spec.path("tolerations"), before.path("tolerations"), checks);
        gates(spec.path("schedulingGates"), before.path("schedulingGates"), checks);
        if (!JsonEquality.same(fixedPart(before), fixedPart(spec))) {
            checks.add(FieldError.forbidden("spec", MUTABLE));
        }
    }

    private static void deadline(JsonNode now, JsonNode before, FieldChecks checks) {
        String path = "spec.activeDeadlineSeconds";
        if (before.isNumber() && !now.isNumber()) {
            checks.add(FieldError.invalid(path, "null", "must not update from a positive integer to nil value"));
        } else if (before.isNumber() && now.longValue() > before.longValue()) {
            checks.add(FieldError.invalid(path, now.asString(), "must be less than or equal to previous value"));
        }
    }

    private static void tolerations(JsonNode now, JsonNode before, FieldChecks checks) {
        boolean kept = before.valueStream()
                .map(PodUpdateValidation::withoutSeconds)
                .allMatch(
                        former -> now.valueStream().anyMatch(each -> JsonEquality.same(withoutSeconds(each), former)));
        if (!kept) {
            String rule = "existing toleration can not be modified except its tolerationSeconds";
            checks.add(FieldError.forbidden("spec.tolerations", rule));
        }
    }

    private static ObjectNode withoutSeconds(JsonNode toleration) {
        ObjectNode copy = ((ObjectNode) toleration).deepCopy();
        copy.remove("tolerationSeconds");
        return copy;
    }

    private static void gates(JsonNode now, JsonNode before, FieldChecks checks) {
        List<String> former =
                before.valueStream().map(gate -> Json.string(gate, "name")).toList();
        for (int index = 0; index < now.size(); index++) {
            String name = Json.string(now.get(index), "name");
            if (!former.contains(name)) {
                String rule = "only deletion is allowed, but found new scheduling gate '" + name + "'";
                checks.add(FieldError.forbidden("spec.schedulingGates[" + index + "].name", rule));
            }
        }
    }

    private static ObjectNode fixedPart(JsonNode spec) {
        ObjectNode fixed = (ObjectNode) spec.deepCopy();
        fixed.remove(List.of("activeDeadlineSeconds", "tolerations", "schedulingGates"));
        for (String list : List.of("containers", "initContainers")) {
            fixed.path(list).forEach(container -> ((ObjectNode) container).remove("image"));
        }
        return fixed;
    }
}
