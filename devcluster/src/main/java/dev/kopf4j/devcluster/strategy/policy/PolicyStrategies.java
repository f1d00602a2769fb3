package dev.kopf4j.devcluster.strategy.policy;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.FunctionStrategy;
import dev.kopf4j.devcluster.strategy.LabelSelectorValidation;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Budgets, autoscalers, priorities, limits. */
public final class PolicyStrategies {
    private static final long MAX_PRIORITY = 1_000_000_000;

    private PolicyStrategies() {}

    public static ResourceStrategy budget() {
        return new FunctionStrategy(objectDraft -> {}, (objectDraft, fieldChecks) -> {
            JsonNode spec = objectDraft.next().path("spec");
            if (spec.has("minAvailable") && spec.has("maxUnavailable")) {
                fieldChecks.add(FieldError.invalid(
                        "spec", Json.text(spec), "minAvailable and maxUnavailable cannot be both set"));
            }
            amount(spec.path("minAvailable"), "spec.minAvailable", fieldChecks);
            amount(spec.path("maxUnavailable"), "spec.maxUnavailable", fieldChecks);
            LabelSelectorValidation.check(spec.path("selector"), "spec.selector", fieldChecks);
        });
    }

    private static void amount(JsonNode amount, String path, FieldChecks fieldChecks) {
        if (amount.isNumber() && amount.longValue() < 0) {
            fieldChecks.add(FieldError.invalid(path, amount.asString(), "must be greater than or equal to 0"));
        } else if (amount.isString() && !amount.stringValue().matches("[0-9]+%")) {
            fieldChecks.add(FieldError.invalidString(
                    path,
                    amount.stringValue(),
                    "a valid percent string must be a numeric string followed by an ending '%'"));
        } else if (amount.isString()
                && amount.stringValue().length() > 3
                && !amount.stringValue().equals("100%")) {
            fieldChecks.add(FieldError.invalidString(path, amount.stringValue(), "must not be greater than 100%"));
        }
    }

    public static ResourceStrategy autoscaler() {
        return new FunctionStrategy(
                objectDraft -> {
                    ObjectNode spec = Json.child(objectDraft.next(), "spec");
                    if (objectDraft.resource().version().equals("v2")
                            && spec.path("metrics").isEmpty()) {
                        ObjectNode metric = spec.putArray("metrics").addObject().put("type", "Resource");
                        metric.putObject("resource")
                                .put("name", "cpu")
                                .putObject("target")
                                .put("type", "Utilization")
                                .put("averageUtilization", 80);
                    }
                },
                (objectDraft, fieldChecks) -> {
                    JsonNode spec = objectDraft.next().path("spec");
                    fieldChecks.atLeast(spec, "minReplicas", "spec", 1);
                    fieldChecks.atLeast(spec, "maxReplicas", "spec", 1);
                    JsonNode max = spec.path("maxReplicas");
                    if (spec.has("minReplicas")
                            && max.longValue(0) < spec.path("minReplicas").longValue(0)) {
                        fieldChecks.add(FieldError.invalid(
                                "spec.maxReplicas", max.asString(), "must be greater than or equal to `minReplicas`"));
                    }
                    fieldChecks.required(spec.path("scaleTargetRef"), "kind", "spec.scaleTargetRef");
                    fieldChecks.required(spec.path("scaleTargetRef"), "name", "spec.scaleTargetRef");
                });
    }

    public static ResourceStrategy priorityClass() {
        return new FunctionStrategy(objectDraft -> {}, (objectDraft, fieldChecks) -> {
            JsonNode next = objectDraft.next();
            String name = Json.string(next, "metadata", "name");
            if (name.startsWith("system-")) {
                fieldChecks.add(FieldError.forbidden(
                        "metadata.name",
                        "priority class names with 'system-' prefix are reserved for system use only"));
            }
            if (next.path("value").longValue(0) > MAX_PRIORITY) {
                fieldChecks.add(FieldError.forbidden(
                        "value", "maximum allowed value of a user defined priority is 1000000000"));
            }
            ObjectNode before = objectDraft.before();
            if (before == null) {
                return;
            }
            if (!JsonEquality.same(before.path("value"), next.path("value"))) {
                fieldChecks.add(FieldError.forbidden("value", "may not be changed in an update."));
            }
            if (!JsonEquality.same(before.path("preemptionPolicy"), next.path("preemptionPolicy"))) {
                fieldChecks.add(FieldError.invalid(
                        "preemptionPolicy", Json.text(next.path("preemptionPolicy")), "field is immutable"));
            }
        });
    }

    /** Limits of containers: what is not said follows from what is. */
    public static ResourceStrategy limitRange() {
        return new FunctionStrategy(
                objectDraft -> objectDraft.next().path("spec").path("limits").forEach(limit -> {
                    if (Json.string(limit, "type").equals("Container")) {
                        ObjectNode item = (ObjectNode) limit;
                        fill(item, "default", limit.path("max"));
                        fill(item, "defaultRequest", limit.path("default"));
                        fill(item, "defaultRequest", limit.path("min"));
                    }
                }),
                (objectDraft, fieldChecks) -> {});
    }

    private static void fill(ObjectNode item, String field, JsonNode from) {
        for (Map.Entry<String, JsonNode> amount : from.properties()) {
            ObjectNode target = Json.child(item, field);
            if (!target.has(amount.getKey())) {
                target.set(amount.getKey(), amount.getValue());
            }
        }
    }
}
