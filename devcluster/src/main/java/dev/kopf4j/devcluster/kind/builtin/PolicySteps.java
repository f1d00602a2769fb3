package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.json.Equality;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.kind.KindRules;
import dev.kopf4j.devcluster.status.Cause;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Budgets, autoscalers, priorities, limits. */
final class PolicySteps {
    private static final long MAX_PRIORITY = 1_000_000_000;

    private PolicySteps() {}

    static KindRules budget() {
        return new SimpleStep(draft -> {}, (draft, checks) -> {
            JsonNode spec = draft.next().path("spec");
            if (spec.has("minAvailable") && spec.has("maxUnavailable")) {
                checks.add(
                        Cause.invalid("spec", Json.text(spec), "minAvailable and maxUnavailable cannot be both set"));
            }
            amount(spec.path("minAvailable"), "spec.minAvailable", checks);
            amount(spec.path("maxUnavailable"), "spec.maxUnavailable", checks);
            Selectors.check(spec.path("selector"), "spec.selector", checks);
        });
    }

    private static void amount(JsonNode amount, String path, Checks checks) {
        if (amount.isNumber() && amount.longValue() < 0) {
            checks.add(Cause.invalid(path, amount.asString(), "must be greater than or equal to 0"));
        } else if (amount.isString() && !amount.stringValue().matches("[0-9]+%")) {
            checks.add(Cause.invalidString(
                    path,
                    amount.stringValue(),
                    "a valid percent string must be a numeric string followed by an ending '%'"));
        } else if (amount.isString()
                && amount.stringValue().length() > 3
                && !amount.stringValue().equals("100%")) {
            checks.add(Cause.invalidString(path, amount.stringValue(), "must not be greater than 100%"));
        }
    }

    static KindRules autoscaler() {
        return new SimpleStep(
                draft -> {
                    ObjectNode spec = Json.child(draft.next(), "spec");
                    if (draft.resource().version().equals("v2")
                            && spec.path("metrics").isEmpty()) {
                        ObjectNode metric = spec.putArray("metrics").addObject().put("type", "Resource");
                        metric.putObject("resource")
                                .put("name", "cpu")
                                .putObject("target")
                                .put("type", "Utilization")
                                .put("averageUtilization", 80);
                    }
                },
                (draft, checks) -> {
                    JsonNode spec = draft.next().path("spec");
                    checks.atLeast(spec, "minReplicas", "spec", 1);
                    checks.atLeast(spec, "maxReplicas", "spec", 1);
                    JsonNode max = spec.path("maxReplicas");
                    if (spec.has("minReplicas")
                            && max.longValue(0) < spec.path("minReplicas").longValue(0)) {
                        checks.add(Cause.invalid(
                                "spec.maxReplicas", max.asString(), "must be greater than or equal to `minReplicas`"));
                    }
                    checks.required(spec.path("scaleTargetRef"), "kind", "spec.scaleTargetRef");
                    checks.required(spec.path("scaleTargetRef"), "name", "spec.scaleTargetRef");
                });
    }

    static KindRules priorityClass() {
        return new SimpleStep(draft -> {}, (draft, checks) -> {
            JsonNode next = draft.next();
            String name = Json.string(next, "metadata", "name");
            if (name.startsWith("system-")) {
                checks.add(Cause.forbidden(
                        "metadata.name",
                        "priority class names with 'system-' prefix are reserved for system use only"));
            }
            if (next.path("value").longValue(0) > MAX_PRIORITY) {
                checks.add(Cause.forbidden("value", "maximum allowed value of a user defined priority is 1000000000"));
            }
            ObjectNode before = draft.before();
            if (before == null) {
                return;
            }
            if (!Equality.same(before.path("value"), next.path("value"))) {
                checks.add(Cause.forbidden("value", "may not be changed in an update."));
            }
            if (!Equality.same(before.path("preemptionPolicy"), next.path("preemptionPolicy"))) {
                checks.add(Cause.invalid(
                        "preemptionPolicy", Json.text(next.path("preemptionPolicy")), "field is immutable"));
            }
        });
    }

    /** Limits of containers: what is not said follows from what is. */
    static KindRules limitRange() {
        return new SimpleStep(
                draft -> draft.next().path("spec").path("limits").forEach(limit -> {
                    if (Json.string(limit, "type").equals("Container")) {
                        ObjectNode item = (ObjectNode) limit;
                        fill(item, "default", limit.path("max"));
                        fill(item, "defaultRequest", limit.path("default"));
                        fill(item, "defaultRequest", limit.path("min"));
                    }
                }),
                (draft, checks) -> {});
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
