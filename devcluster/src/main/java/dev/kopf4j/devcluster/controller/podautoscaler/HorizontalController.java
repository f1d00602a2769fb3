package dev.kopf4j.devcluster.controller.podautoscaler;

import dev.kopf4j.devcluster.controller.action.ControllerActions;
import dev.kopf4j.devcluster.controller.action.WorkloadController;
import dev.kopf4j.devcluster.controller.action.WorkloadKind;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.Optional;
import java.util.OptionalLong;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps the targets of autoscalers between their limits: {@code pkg/controller/podautoscaler/horizontal.go}, v1.33.
 * Autoscalers of custom resources are left alone.
 */
public final class HorizontalController implements WorkloadController {
    private static final WorkloadKind KIND = WorkloadKind.HORIZONTAL_POD_AUTOSCALER;
    private final ControllerActions actions;

    /** A controller without a state of its own. */
    public HorizontalController(ControllerActions actions) {
        this.actions = actions;
    }

    @Override
    public void sync(StoredObject object) {
        ObjectNode autoscaler = object.tree();
        JsonNode reference = autoscaler.path("spec").path("scaleTargetRef");
        WorkloadKind.of(Json.string(reference, "apiVersion"), Json.string(reference, "kind"))
                .filter(WorkloadKind::isScalable)
                .filter(kind -> !object.deleting())
                .ifPresent(kind -> sync(object, autoscaler, kind));
    }

    private void sync(StoredObject object, ObjectNode autoscaler, WorkloadKind kind) {
        String name = Json.string(autoscaler, "spec", "scaleTargetRef", "name");
        Optional<StoredObject> target = actions.find(kind, object.namespace(), name);
        OptionalLong wanted = OptionalLong.empty();
        if (target.isEmpty()) {
            AutoscalerDecision.targetIsMissing(autoscaler, kind.qualified(), actions.now());
        } else {
            long current = target.get().tree().path("spec").path("replicas").longValue(1);
            wanted = AutoscalerDecision.decide(autoscaler, current, actions.now());
        }
        if (actions.replace(KIND, object, autoscaler)) {
            wanted.ifPresent(replicas -> target.ifPresent(scaled -> scale(kind, scaled, replicas)));
        }
    }

    private void scale(WorkloadKind kind, StoredObject target, long replicas) {
        ObjectNode tree = target.tree();
        Json.child(tree, "spec").put("replicas", replicas);
        actions.replaceSpec(kind, target, tree);
    }

    /**
     * What an autoscaler does without metrics: it keeps the replicas between the limits, and says why it cannot do
     * more. {@code reconcileAutoscaler} in {@code pkg/controller/podautoscaler/horizontal.go}, v1.33. Pure.
     */
    static final class AutoscalerDecision {
        private static final String ABLE = "AbleToScale";
        private static final String ACTIVE = "ScalingActive";

        private AutoscalerDecision() {}

        /** Says in the status that the target is not there. */
        static void targetIsMissing(ObjectNode autoscaler, String qualifiedName, String now) {
            String name = Json.string(autoscaler, "spec", "scaleTargetRef", "name");
            ObjectNode status = Json.child(autoscaler, "status");
            set(
                    status,
                    ABLE,
                    false,
                    "FailedGetScale",
                    "the HPA controller was unable to get the target's current scale: " + qualifiedName + " \"" + name
                            + "\" not found",
                    now);
            status.put("desiredReplicas", status.path("desiredReplicas").longValue(0));
        }

        /**
         * Sets the status.
         *
         * @param current how many replicas the target has
         * @return how many it is to have; empty if that stays
         */
        static OptionalLong decide(ObjectNode autoscaler, long current, String now) {
            JsonNode spec = autoscaler.path("spec");
            ObjectNode status = Json.child(autoscaler, "status");
            long min = spec.path("minReplicas").longValue(1);
            long max = spec.path("maxReplicas").longValue(current);
            status.put("currentReplicas", current);
            set(
                    status,
                    ABLE,
                    true,
                    "SucceededGetScale",
                    "the HPA controller was able to get the target's current scale",
                    now);
            if (current == 0 && min != 0) {
                String message = "scaling is disabled since the replica count of the target is zero";
                set(status, ACTIVE, false, "ScalingDisabled", message, now);
                status.put("desiredReplicas", 0);
                status.remove("currentMetrics");
                return OptionalLong.empty();
            }
            if (current >= min && current <= max) {
                lackMetrics(autoscaler, status, now);
                return OptionalLong.empty();
            }
            long desired = Math.clamp(current, min, max);
            String message = "the HPA controller was able to update the target scale to " + desired;
            set(status, ABLE, true, "SucceededRescale", message, now);
            status.put("desiredReplicas", desired).put("lastScaleTime", now);
            status.remove("currentMetrics");
            return OptionalLong.of(desired);
        }

        private static void lackMetrics(ObjectNode autoscaler, ObjectNode status, String now) {
            JsonNode metrics = autoscaler.path("spec").path("metrics");
            MissingMetric first = MissingMetric.of(metrics.path(0), Json.string(autoscaler, "metadata", "namespace"));
            set(status, ACTIVE, false, first.reason(), first.message(), now);
            status.put("desiredReplicas", status.path("desiredReplicas").longValue(0));
            ArrayNode unknown = status.putArray("currentMetrics");
            metrics.forEach(metric -> unknown.addObject().put("type", ""));
        }

        private static void set(
                ObjectNode status, String type, boolean truth, String reason, String message, String now) {
            StatusConditions.set(status, type, truth, reason, message, now);
        }

        /**
         * What is said of metrics that nobody serves: {@code computeReplicasForMetric} in
         * {@code pkg/controller/podautoscaler/horizontal.go}, and {@code metrics/client.go} there, v1.33. Pure.
         *
         * @param reason the reason of the condition ScalingActive
         */
        record MissingMetric(String reason, String message) {
            private static final String PREFIX = "the HPA was unable to compute the replica count: ";
            private static final String ABSENT = "the server could not find the requested resource";

            /** The failure of a metric in a namespace. */
            static MissingMetric of(JsonNode metric, String namespace) {
                return switch (Json.string(metric, "type")) {
                    case "Resource" ->
                        new MissingMetric("FailedGetResourceMetric", ofResource(metric.path("resource")));
                    case "ContainerResource" ->
                        new MissingMetric(
                                "FailedGetContainerResourceMetric", ofResource(metric.path("containerResource")));
                    case "Pods" ->
                        new MissingMetric("FailedGetPodsMetric", PREFIX + custom(name(metric.path("pods")), ""));
                    case "Object" -> {
                        JsonNode target = metric.path("object").path("describedObject");
                        String place = " on " + Json.string(target, "kind") + " " + namespace + "/"
                                + Json.string(target, "name");
                        yield new MissingMetric(
                                "FailedGetObjectMetric", PREFIX + custom(name(metric.path("object")), place));
                    }
                    default -> {
                        String name = name(metric.path("external"));
                        yield new MissingMetric(
                                "FailedGetExternalMetric",
                                PREFIX + "unable to get external metric " + namespace + "/" + name
                                        + "/nil: unable to fetch metrics from external metrics API: " + ABSENT
                                        + " (get "
                                        + name + ".external.metrics.k8s.io)");
                    }
                };
            }

            private static String name(JsonNode source) {
                return Json.string(source, "metric", "name");
            }

            private static String custom(String name, String place) {
                return "unable to get metric " + name
                        + ": unable to fetch metrics from custom metrics API: no custom metrics API (custom.metrics.k8s.io)"
                        + " registered" + place;
            }

            private static String ofResource(JsonNode source) {
                String resource = Json.string(source, "name");
                String what = source.path("target").has("averageUtilization") ? "utilization" : "usage";
                return PREFIX + "failed to get " + resource + " " + what + ": unable to get metrics for resource "
                        + resource + ": unable to fetch metrics from resource metrics API: " + ABSENT
                        + " (get pods.metrics.k8s.io)";
            }
        }
    }
}
