package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.selector.LabelSelector;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FunctionStrategy;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.strategy.pod.PodSpecDefaults;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Kinds of the core with few rules of their own. */
public final class SmallStrategies {
    private static final String NOT_READY = "node.kubernetes.io/not-ready";

    private SmallStrategies() {}

    public static ResourceStrategy lease() {
        return new FunctionStrategy(objectDraft -> {}, (objectDraft, fieldChecks) -> {
            JsonNode spec = objectDraft.next().path("spec");
            fieldChecks.atLeast(spec, "leaseDurationSeconds", "spec", 1);
            fieldChecks.atLeast(spec, "leaseTransitions", "spec", 0);
        });
    }

    /** What a controller has written down does not change any more. */
    public static ResourceStrategy revision() {
        return new FunctionStrategy(objectDraft -> {}, (objectDraft, fieldChecks) -> {
            JsonNode data = objectDraft.next().path("data");
            if (data.isMissingNode() || data.isNull()) {
                fieldChecks.add(FieldError.required("data", "data is mandatory"));
            }
            JsonNode revision = objectDraft.next().path("revision");
            if (revision.longValue(0) < 0) {
                fieldChecks.add(
                        FieldError.invalid("revision", revision.asString(), "must be greater than or equal to 0"));
            }
            ObjectNode before = objectDraft.before();
            if (before != null) {
                fieldChecks.fixed(data, before.path("data"), "data");
            }
        });
    }

    /** Nodes begin as not ready, see the admission plugin TaintNodesByCondition. */
    public static ResourceStrategy node() {
        return new FunctionStrategy(
                objectDraft -> {
                    JsonNode taints = objectDraft.next().path("spec").path("taints");
                    boolean tainted = taints.valueStream()
                            .anyMatch(each -> Json.string(each, "key").equals(NOT_READY)
                                    && Json.string(each, "effect").equals("NoSchedule"));
                    if (objectDraft.isNew() && !tainted) {
                        Json.list(Json.child(objectDraft.next(), "spec"), "taints")
                                .addObject()
                                .put("key", NOT_READY)
                                .put("effect", "NoSchedule");
                    }
                },
                (objectDraft, fieldChecks) -> {});
    }

    public static ResourceStrategy podTemplate() {
        return new FunctionStrategy(
                objectDraft -> PodSpecDefaults.prepare(Json.child(Json.child(objectDraft.next(), "template"), "spec")),
                (objectDraft, fieldChecks) -> PodSpecDefaults.check(
                        objectDraft.next().path("template").path("spec"), "template.spec", fieldChecks));
    }

    /** Its selector and labels are those of its template, if nothing else is said. */
    public static ResourceStrategy replicationController() {
        return new FunctionStrategy(
                objectDraft -> {
                    ObjectNode spec = Json.child(objectDraft.next(), "spec");
                    ObjectNode metadata = Json.child(objectDraft.next(), "metadata");
                    PodSpecDefaults.prepare(Json.child(Json.child(spec, "template"), "spec"));
                    JsonNode labels = spec.path("template").path("metadata").path("labels");
                    if (!labels.isEmpty() && spec.path("selector").isEmpty()) {
                        spec.set("selector", labels.deepCopy());
                    }
                    if (!labels.isEmpty() && metadata.path("labels").isEmpty()) {
                        metadata.set("labels", labels.deepCopy());
                    }
                },
                (objectDraft, fieldChecks) -> {
                    JsonNode spec = objectDraft.next().path("spec");
                    fieldChecks.atLeast(spec, "replicas", "spec", 0);
                    fieldChecks.atLeast(spec, "minReadySeconds", "spec", 0);
                    JsonNode labels = spec.path("template").path("metadata").path("labels");
                    ObjectNode selector = Json.object();
                    selector.set(
                            "matchLabels", spec.path("selector").isObject() ? spec.path("selector") : Json.object());
                    if (spec.path("selector").isEmpty()) {
                        fieldChecks.add(FieldError.required("spec.selector", ""));
                    } else if (!LabelSelector.of(selector).matches(labels)) {
                        fieldChecks.add(FieldError.invalid(
                                "spec.template.metadata.labels",
                                Json.text(labels.isMissingNode() ? Json.object() : labels),
                                "`selector` does not match template `labels`"));
                    }
                    PodSpecDefaults.check(spec.path("template").path("spec"), "spec.template.spec", fieldChecks);
                });
    }
}
