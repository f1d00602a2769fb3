package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Nodes are not ready at first: the admission plugin TaintNodesByCondition
 * ({@code plugin/pkg/admission/nodetaint/admission.go}, v1.33).
 */
final class NodeStrategy implements ResourceStrategy {
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
            NodeValidation.check(draft.next(), checks);
        }
        if (before != null) {
            NodeValidation.checkUpdate(draft.next(), before, checks);
        }
    }

    private static boolean isTainted(JsonNode node) {
        return node.path("spec")
                .path("taints")
                .valueStream()
                .anyMatch(taint -> Json.string(taint, "key").equals(NOT_READY)
                        && Json.string(taint, "effect").equals("NoSchedule"));
    }
}
