package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSyntax;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.value.IpAddresses;
import dev.kopf4j.devcluster.value.Quantity;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Nodes are not ready at first: the admission plugin TaintNodesByCondition
 * ({@code plugin/pkg/admission/nodetaint/admission.go}, v1.33).
 */
final class NodeStrategy implements ResourceStrategy {
    private static final List<String> EFFECTS = List.of("NoSchedule", "PreferNoSchedule", "NoExecute");

    private static final String NOT_READY = "node.kubernetes.io/not-ready";

    @Override
    public void prepare(ObjectDraft draft) {
        JsonNode range = draft.next().path("spec").path("podCIDR");
        if (!range.asString("").isEmpty()
                && !range.equals(draft.next().path("spec").path("podCIDRs").path(0))) {
            // The single range wins, which is the first of all: pkg/apis/core/v1/conversion.go.
            Json.child(draft.next(), "spec").putArray("podCIDRs").add(range);
        }
        if (draft.isNew() && !isTainted(draft.next())) {
            Json.list(Json.child(draft.next(), "spec"), "taints")
                    .addObject()
                    .put("key", NOT_READY)
                    .put("effect", "NoSchedule");
        }
    }

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        ObjectNode before = draft.before();
        if (!draft.isStatus()) {
            checkNode(draft.next(), checks);
        }
        if (before != null) {
            checkUpdate(draft.next(), before, checks);
        }
    }

    private static boolean isTainted(JsonNode node) {
        return node.path("spec")
                .path("taints")
                .valueStream()
                .anyMatch(taint -> Json.string(taint, "key").equals(NOT_READY)
                        && Json.string(taint, "effect").equals("NoSchedule"));
    }

    /**
     * Checks a node by itself: {@code ValidateNode} in {@code pkg/apis/core/validation/validation.go}, v1.33. The paths
     * of taints are below {@code metadata} there, too.
     */
    private static void checkNode(JsonNode node, FieldChecks checks) {
        taints(node.path("spec").path("taints"), checks);
        amounts(node.path("status"), checks);
        ranges(node.path("spec").path("podCIDRs"), checks);
    }

    private static void ranges(JsonNode ranges, FieldChecks checks) {
        Set<Boolean> families = new HashSet<>();
        boolean dual = true;
        for (int index = 0; index < ranges.size(); index++) {
            String range = ranges.get(index).asString();
            dual &= families.add(range.contains(":"));
            if (IpAddresses.parseRange(range).isEmpty()) {
                String rule = "must be a valid CIDR value, (e.g. 10.9.8.0/24 or 2001:db8::/64)";
                checks.problem(rule, "spec.podCIDRs[" + index + "]", range);
            }
        }
        if (!dual) {
            String rule = "may specify no more than one CIDR for each IP family";
            checks.add(FieldError.invalid("spec.podCIDRs", Json.text(ranges), rule));
        }
    }

    /** Checks what an update may change. */
    private static void checkUpdate(JsonNode node, JsonNode before, FieldChecks checks) {
        amounts(node.path("status"), checks);
        Set<JsonNode> addresses = new HashSet<>();
        int index = 0;
        for (JsonNode address : node.path("status").path("addresses")) {
            if (!addresses.add(address)) {
                checks.add(FieldError.duplicate("status.addresses[" + index + "]", Json.text(address)));
            }
            index++;
        }
        kept(node, before, "podCIDRs", "podCIDR", checks);
        kept(node, before, "providerID", "providerID", checks);
        taints(node.path("spec").path("taints"), checks);
    }

    private static void kept(JsonNode node, JsonNode before, String field, String shown, FieldChecks checks) {
        JsonNode former = before.path("spec").path(field);
        boolean set = !former.isMissingNode() && !former.asString("x").isEmpty();
        if (set && !former.equals(node.path("spec").path(field))) {
            checks.add(FieldError.forbidden(
                    "spec." + field, "node updates may not change " + shown + " except from \"\" to valid"));
        }
    }

    private static void taints(JsonNode taints, FieldChecks checks) {
        Set<List<String>> seen = new HashSet<>();
        int index = 0;
        for (JsonNode taint : taints) {
            String path = "metadata.taints[" + index++ + "]";
            String key = Json.string(taint, "key");
            String value = Json.string(taint, "value");
            String effect = Json.string(taint, "effect");
            checks.problem(LabelSyntax.key(key), path + ".key", key);
            if (key.isEmpty()) {
                checks.problem(
                        "name part must consist of alphanumeric characters, '-', '_' or '.'", path + ".key", key);
            }
            checks.problem(LabelSyntax.value(value), path + ".value", value);
            if (effect.isEmpty()) {
                checks.add(FieldError.required(path + ".effect", ""));
            }
            checks.oneOf(taint, "effect", path, EFFECTS);
            if (!seen.add(List.of(effect, key))) {
                checks.add(FieldError.duplicate(path, Json.text(taint)));
            }
        }
    }

    private static void amounts(JsonNode status, FieldChecks checks) {
        for (String field : List.of("capacity", "allocatable")) {
            status.path(field).properties().forEach(amount -> {
                String path = "status." + field + "." + amount.getKey();
                String value = amount.getValue().asString();
                if (Quantity.value(value).signum() < 0) {
                    checks.problem("must be greater than or equal to 0", path, value);
                }
                if (ResourceNames.isWhole(amount.getKey())
                        && Quantity.value(value).stripTrailingZeros().scale() > 0) {
                    checks.problem("must be an integer", path, value);
                }
            });
        }
    }
}
