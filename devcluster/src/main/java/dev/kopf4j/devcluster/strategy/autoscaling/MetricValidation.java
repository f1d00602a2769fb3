package dev.kopf4j.devcluster.strategy.autoscaling;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.value.DnsNames;
import dev.kopf4j.devcluster.value.Quantity;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;

/**
 * What an autoscaler looks at: {@code validateMetricSpec} and its parts in
 * {@code pkg/apis/autoscaling/validation/validation.go}, v1.33. Confined to one validation.
 */
final class MetricValidation {
    /** Types by the names of their sources, in the order in which they are looked at. */
    private static final Map<String, String> SOURCES = new LinkedHashMap<>();

    private static final List<String> TYPES = List.of("ContainerResource", "External", "Object", "Pods", "Resource");
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
                    checks.add(FieldError.forbidden(path + "." + source, "must populate the given metric source only"));
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
