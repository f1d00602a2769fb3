package dev.kopf4j.devcluster.strategy.autoscaling;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.value.DnsNames;
import dev.kopf4j.devcluster.value.Quantity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The strategies of the group autoscaling. */
public final class AutoscalingStrategies {
    private AutoscalingStrategies() {}

    /** The strategies by the qualified names of resources. */
    public static Map<String, ResourceStrategy> all() {
        return Map.of("horizontalpodautoscalers.autoscaling", new HorizontalPodAutoscalerStrategy());
    }

    /**
     * Autoscalers: {@code validateHorizontalPodAutoscalerSpec} and {@code ValidateCrossVersionObjectReference} in
     * {@code pkg/apis/autoscaling/validation/validation.go}, v1.33. The default metric of v2 is a default of its type.
     */
    private static final class HorizontalPodAutoscalerStrategy implements ResourceStrategy {
        private static final int LONGEST_WINDOW = 3600;
        private static final int LONGEST_PERIOD = 1800;
        private static final JsonNode UP = Json.parse("""
                {"stabilizationWindowSeconds": 0, "selectPolicy": "Max", "policies": [
                 {"type": "Pods", "value": 4, "periodSeconds": 15}, {"type": "Percent", "value": 100, "periodSeconds": 15}]}""");
        private static final JsonNode DOWN = Json.parse("""
                {"selectPolicy": "Max", "policies": [{"type": "Percent", "value": 100, "periodSeconds": 15}]}""");

        private static final String TARGET = "targetCPUUtilizationPercentage";
        private static final String METRICS = "autoscaling.alpha.kubernetes.io/metrics";
        private static final int USUAL_UTILIZATION = 80;

        @Override
        public void prepare(ObjectDraft draft) {
            ObjectNode spec = Json.child(draft.next(), "spec");
            if (draft.resource().version().equals("v1")) {
                if (!spec.has(TARGET)
                        && !draft.next().path("metadata").path("annotations").has(METRICS)) {
                    spec.put(TARGET, USUAL_UTILIZATION);
                }
            } else {
                prepareScalingBehavior(spec);
            }
        }

        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            if (draft.isStatus()) {
                checks.atLeast(draft.next().path("status"), "currentReplicas", "status", 0);
                checks.atLeast(draft.next().path("status"), "desiredReplicas", "status", 0);
                return;
            }
            JsonNode spec = draft.next().path("spec");
            checks.atLeast(spec, "minReplicas", "spec", 1);
            JsonNode max = spec.path("maxReplicas");
            if (max.longValue(0) < 1) {
                checks.add(FieldError.invalid("spec.maxReplicas", max.asString("0"), "must be greater than 0"));
            }
            if (spec.has("minReplicas")
                    && max.longValue(0) < spec.path("minReplicas").longValue(0)) {
                checks.add(FieldError.invalid(
                        "spec.maxReplicas", max.asString("0"), "must be greater than or equal to `minReplicas`"));
            }
            MetricValidation metrics = new MetricValidation(checks);
            metrics.reference(spec.path("scaleTargetRef"), "spec.scaleTargetRef");
            boolean others = false;
            int index = 0;
            for (JsonNode metric : spec.path("metrics")) {
                metrics.check(metric, "spec.metrics[" + index++ + "]");
                others |= List.of("Object", "External").contains(Json.string(metric, "type"));
            }
            if (spec.path("minReplicas").longValue(1) == 0 && !others) {
                checks.add(FieldError.forbidden(
                        "spec.metrics",
                        "must specify at least one Object or External metric to support scaling to zero replicas"));
            }
            checkScalingBehavior(spec.path("behavior"), checks);
        }

        /**
         * How fast an autoscaler scales: defaults by {@code pkg/apis/autoscaling/v2/defaults.go}, checks by
         * {@code validateScalingRules} in {@code pkg/apis/autoscaling/validation/validation.go}, v1.33. Fills the rules
         * of both directions, if there is one.
         */
        private static void prepareScalingBehavior(ObjectNode spec) {
            if (spec.path("behavior") instanceof ObjectNode behavior) {
                fill(Json.child(behavior, "scaleUp"), UP);
                fill(Json.child(behavior, "scaleDown"), DOWN);
            }
        }

        private static void fill(ObjectNode rules, JsonNode usual) {
            for (Map.Entry<String, JsonNode> field : usual.properties()) {
                if (!rules.has(field.getKey())) {
                    rules.set(field.getKey(), field.getValue().deepCopy());
                }
            }
        }

        private static void checkScalingBehavior(JsonNode behavior, FieldChecks checks) {
            for (String direction : List.of("scaleUp", "scaleDown")) {
                if (behavior.path(direction).isObject()) {
                    rules(behavior.path(direction), "spec.behavior." + direction, checks);
                }
            }
        }

        private static void rules(JsonNode rules, String path, FieldChecks checks) {
            between(rules, "stabilizationWindowSeconds", path, 0, LONGEST_WINDOW, checks);
            checks.oneOf(rules, "selectPolicy", path, List.of("Disabled", "Max", "Min"));
            if (rules.path("policies").isEmpty()) {
                checks.add(FieldError.required(path + ".policies", "must specify at least one Policy"));
            }
            int index = 0;
            for (JsonNode policy : rules.path("policies")) {
                String where = path + ".policies[" + index++ + "]";
                String type = Json.string(policy, "type");
                if (!List.of("Percent", "Pods").contains(type)) {
                    checks.add(FieldError.notSupported(
                            where + ".type", FieldError.quote(type), List.of("Percent", "Pods")));
                }
                between(policy, "value", where, 1, Integer.MAX_VALUE, checks);
                between(policy, "periodSeconds", where, 1, LONGEST_PERIOD, checks);
            }
        }

        private static void between(
                JsonNode parent, String field, String path, long least, long most, FieldChecks checks) {
            long value = parent.path(field).longValue(0);
            if (value < least) {
                String rule = least == 0 ? "must be greater than or equal to zero" : "must be greater than zero";
                checks.add(FieldError.invalid(path + "." + field, String.valueOf(value), rule));
            } else if (value > most) {
                checks.add(FieldError.invalid(
                        path + "." + field, String.valueOf(value), "must be less than or equal to " + most));
            }
        }

        /**
         * What an autoscaler looks at: {@code validateMetricSpec} and its parts in
         * {@code pkg/apis/autoscaling/validation/validation.go}, v1.33. Confined to one validation.
         */
        private static final class MetricValidation {
            /** Types by the names of their sources, in the order in which they are looked at. */
            private static final Map<String, String> SOURCES = new LinkedHashMap<>();

            private static final List<String> TYPES =
                    List.of("ContainerResource", "External", "Object", "Pods", "Resource");
            private static final List<String> TARGETS = List.of("AverageValue", "Utilization", "Value");

            static {
                SOURCES.put("object", "Object");
                SOURCES.put("external", "External");
                SOURCES.put("pods", "Pods");
                SOURCES.put("resource", "Resource");
                SOURCES.put("containerResource", "ContainerResource");
            }

            private final FieldChecks checks;

            MetricValidation(FieldChecks checks) {
                this.checks = checks;
            }

            void check(JsonNode metric, String path) {
                String type = Json.string(metric, "type");
                if (type.isEmpty()) {
                    checks.add(FieldError.required(path + ".type", "must specify a metric source type"));
                }
                if (!TYPES.contains(type)) {
                    checks.add(FieldError.notSupported(path + ".type", FieldError.quote(type), TYPES));
                }
                List<String> present = SOURCES.keySet().stream()
                        .filter(source -> metric.path(source).isObject())
                        .toList();
                if (!present.isEmpty()) {
                    source(present.getFirst(), metric.path(present.getFirst()), path + "." + present.getFirst());
                }
                String expected = "";
                if (!TYPES.contains(type)) {
                    checks.add(FieldError.notSupported(path + ".type", FieldError.quote(type), TYPES));
                }
                for (Map.Entry<String, String> source : SOURCES.entrySet()) {
                    if (source.getValue().equals(type)) {
                        expected = source.getKey();
                    }
                }
                if (!expected.isEmpty() && !present.contains(expected)) {
                    checks.add(FieldError.required(
                            path + "." + expected, "must populate information for the given metric source"));
                }
                if (present.size() != 1) {
                    for (String source : present) {
                        if (!source.equals(expected)) {
                            checks.add(FieldError.forbidden(
                                    path + "." + source, "must populate the given metric source only"));
                        }
                    }
                }
            }

            private void source(String name, JsonNode source, String path) {
                JsonNode target = source.path("target");
                switch (name) {
                    case "object" -> {
                        reference(source.path("describedObject"), path + ".describedObject");
                        identifier(source.path("metric"), path + ".metric");
                        target(target, path + ".target");
                        oneOf(target, "value", "averageValue", "averageValue", path);
                    }
                    case "external" -> {
                        identifier(source.path("metric"), path + ".metric");
                        target(target, path + ".target");
                        oneOf(target, "value", "averageValue", "averageValue", path);
                        notBoth(target, "value", "averageValue", "value", path);
                    }
                    case "pods" -> {
                        identifier(source.path("metric"), path + ".metric");
                        target(target, path + ".target");
                        oneOf(target, "averageValue", "averageValue", "averageValue", path);
                    }
                    default -> {
                        checks.required(source, "name", path);
                        if (name.equals("containerResource")) {
                            checks.label(source, "container", path);
                        }
                        target(target, path + ".target");
                        oneOf(target, "averageUtilization", "averageValue", "averageUtilization", path);
                        notBoth(target, "averageUtilization", "averageValue", "averageValue", path);
                    }
                }
            }

            /** {@code ValidateCrossVersionObjectReference}. */
            void reference(JsonNode reference, String path) {
                for (String field : List.of("kind", "name")) {
                    String value = Json.string(reference, field);
                    if (value.isEmpty()) {
                        checks.add(FieldError.required(path + "." + field, ""));
                    } else {
                        checks.problem(DnsNames.pathSegment(value), path + "." + field, value);
                    }
                }
            }

            private void identifier(JsonNode metric, String path) {
                String name = Json.string(metric, "name");
                if (name.isEmpty()) {
                    checks.add(FieldError.required(path + ".name", "must specify a metric name"));
                } else {
                    checks.problem(DnsNames.pathSegment(name), path + ".name", name);
                }
                LabelSelectorValidation.check(metric.path("selector"), path + ".selector", checks);
            }

            private void target(JsonNode target, String path) {
                String type = Json.string(target, "type");
                if (type.isEmpty()) {
                    checks.add(FieldError.required(path + ".type", "must specify a metric target type"));
                }
                if (!TARGETS.contains(type)) {
                    checks.problem("must be either Utilization, Value, or AverageValue", path + ".type", type);
                }
                for (String amount : List.of("value", "averageValue")) {
                    String value = Json.string(target, amount);
                    if (!value.isEmpty() && Quantity.value(value).signum() <= 0) {
                        checks.problem("must be positive", path + "." + amount, value);
                    }
                }
                checks.atLeast(target, "averageUtilization", path, 1);
            }

            private void oneOf(JsonNode target, String first, String second, String named, String path) {
                if (!target.has(first) && !target.has(second)) {
                    checks.add(FieldError.required(path + ".target." + named, "must set a target"));
                }
            }

            private void notBoth(JsonNode target, String first, String second, String named, String path) {
                if (target.has(first) && target.has(second)) {
                    checks.add(FieldError.forbidden(path + ".target." + named, "may not set both targets"));
                }
            }
        }
    }
}
