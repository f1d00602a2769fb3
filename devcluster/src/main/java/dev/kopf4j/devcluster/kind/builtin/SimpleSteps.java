package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.kind.KindRules;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.status.Cause;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Kinds of the core with few rules of their own. */
final class SimpleSteps {
    private static final String NOT_READY = "node.kubernetes.io/not-ready";

    private SimpleSteps() {}

    static KindRules lease() {
        return new SimpleStep(draft -> {}, (draft, checks) -> {
            JsonNode spec = draft.next().path("spec");
            checks.atLeast(spec, "leaseDurationSeconds", "spec", 1);
            checks.atLeast(spec, "leaseTransitions", "spec", 0);
        });
    }

    /** What a controller has written down does not change any more. */
    static KindRules revision() {
        return new SimpleStep(draft -> {}, (draft, checks) -> {
            JsonNode data = draft.next().path("data");
            if (data.isMissingNode() || data.isNull()) {
                checks.add(Cause.required("data", "data is mandatory"));
            }
            JsonNode revision = draft.next().path("revision");
            if (revision.longValue(0) < 0) {
                checks.add(Cause.invalid("revision", revision.asString(), "must be greater than or equal to 0"));
            }
            ObjectNode before = draft.before();
            if (before != null) {
                checks.fixed(data, before.path("data"), "data");
            }
        });
    }

    /** Nodes begin as not ready, see the admission plugin TaintNodesByCondition. */
    static KindRules node() {
        return new SimpleStep(
                draft -> {
                    JsonNode taints = draft.next().path("spec").path("taints");
                    boolean tainted = taints.valueStream()
                            .anyMatch(each -> Json.string(each, "key").equals(NOT_READY)
                                    && Json.string(each, "effect").equals("NoSchedule"));
                    if (draft.isNew() && !tainted) {
                        Json.list(Json.child(draft.next(), "spec"), "taints")
                                .addObject()
                                .put("key", NOT_READY)
                                .put("effect", "NoSchedule");
                    }
                },
                (draft, checks) -> {});
    }

    static KindRules podTemplate() {
        return new SimpleStep(
                draft -> PodSpecs.prepare(Json.child(Json.child(draft.next(), "template"), "spec")),
                (draft, checks) -> PodSpecs.check(draft.next().path("template").path("spec"), "template.spec", checks));
    }

    /** Its selector and labels are those of its template, if nothing else is said. */
    static KindRules replicationController() {
        return new SimpleStep(
                draft -> {
                    ObjectNode spec = Json.child(draft.next(), "spec");
                    ObjectNode metadata = Json.child(draft.next(), "metadata");
                    PodSpecs.prepare(Json.child(Json.child(spec, "template"), "spec"));
                    JsonNode labels = spec.path("template").path("metadata").path("labels");
                    if (!labels.isEmpty() && spec.path("selector").isEmpty()) {
                        spec.set("selector", labels.deepCopy());
                    }
                    if (!labels.isEmpty() && metadata.path("labels").isEmpty()) {
                        metadata.set("labels", labels.deepCopy());
                    }
                },
                (draft, checks) -> {
                    JsonNode spec = draft.next().path("spec");
                    checks.atLeast(spec, "replicas", "spec", 0);
                    checks.atLeast(spec, "minReadySeconds", "spec", 0);
                    JsonNode labels = spec.path("template").path("metadata").path("labels");
                    ObjectNode selector = Json.object();
                    selector.set(
                            "matchLabels", spec.path("selector").isObject() ? spec.path("selector") : Json.object());
                    if (spec.path("selector").isEmpty()) {
                        checks.add(Cause.required("spec.selector", ""));
                    } else if (!LabelSelector.of(selector).matches(labels)) {
                        checks.add(Cause.invalid(
                                "spec.template.metadata.labels",
                                Json.text(labels.isMissingNode() ? Json.object() : labels),
                                "`selector` does not match template `labels`"));
                    }
                    PodSpecs.check(spec.path("template").path("spec"), "spec.template.spec", checks);
                });
    }
}
