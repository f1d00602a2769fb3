package dev.kopf4j.devcluster.strategy.scheduling;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The strategies of the group scheduling.k8s.io. */
public final class SchedulingStrategies {
    private SchedulingStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of("priorityclasses.scheduling.k8s.io", new PriorityClassStrategy());
    }

    /**
     * Priority classes: {@code ValidatePriorityClass} and {@code ValidatePriorityClassUpdate} in
     * {@code pkg/apis/scheduling/validation/validation.go}, v1.33.
     */
    private static final class PriorityClassStrategy implements ResourceStrategy {
        /** {@code HighestUserDefinablePriority} in {@code pkg/apis/scheduling/types.go}. */
        private static final long MAX_PRIORITY = 1_000_000_000;

        private static final List<String> POLICIES = List.of("Never", "PreemptLowerPriority");

        private static final Map<String, Long> SYSTEM_CLASSES =
                Map.of("system-cluster-critical", 2_000_000_000L, "system-node-critical", 2_000_001_000L);
        private static final String RESERVED =
                "priority class names with 'system-' prefix are reserved for system use only. error: ";

        /** {@code IsKnownSystemPriorityClass} in {@code pkg/apis/scheduling/v1/helpers.go}. */
        private static String problem(String name, JsonNode priorityClass) {
            Long value = SYSTEM_CLASSES.get(name);
            if (value == null) {
                return name + " is not a known system priority class";
            }
            if (priorityClass.path("value").longValue(0) != value) {
                return "value of " + name + " PriorityClass must be " + value;
            }
            return priorityClass.path("globalDefault").booleanValue(false)
                    ? "globalDefault of " + name + " PriorityClass must be false"
                    : "";
        }

        /** No change counts: {@code PrepareForUpdate} in {@code pkg/registry/scheduling/priorityclass/strategy.go}. */
        @Override
        public JsonNode generationPart(Resource resource, ObjectNode object) {
            return Json.missing();
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            JsonNode next = draft.next();
            String name = Json.string(next, "metadata", "name");
            if (name.startsWith("system-")) {
                String problem = problem(name, next);
                if (!problem.isEmpty()) {
                    checks.add(FieldError.forbidden("metadata.name", RESERVED + problem));
                }
            } else if (next.path("value").longValue(0) > MAX_PRIORITY) {
                checks.add(FieldError.forbidden(
                        "value", "maximum allowed value of a user defined priority is " + MAX_PRIORITY));
            }
            String policy = Json.string(next, "preemptionPolicy");
            if (!POLICIES.contains(policy)) {
                checks.add(FieldError.notSupported("preemptionPolicy", FieldError.quote(policy), POLICIES));
            }
            ObjectNode before = draft.before();
            if (before == null) {
                return;
            }
            if (!JsonEquality.same(before.path("value"), next.path("value"))) {
                checks.add(FieldError.forbidden("value", "may not be changed in an update."));
            }
            checks.immutable(next.path("preemptionPolicy"), before.path("preemptionPolicy"), "preemptionPolicy");
        }
    }
}
