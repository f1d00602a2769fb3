package dev.kopf4j.devcluster.controller.podautoscaler;

import dev.kopf4j.devcluster.json.Json;
import tools.jackson.databind.JsonNode;

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
            case "Resource" -> new MissingMetric("FailedGetResourceMetric", ofResource(metric.path("resource")));
            case "ContainerResource" ->
                new MissingMetric("FailedGetContainerResourceMetric", ofResource(metric.path("containerResource")));
            case "Pods" -> new MissingMetric("FailedGetPodsMetric", PREFIX + custom(name(metric.path("pods")), ""));
            case "Object" -> {
                JsonNode target = metric.path("object").path("describedObject");
                String place =
                        " on " + Json.string(target, "kind") + " " + namespace + "/" + Json.string(target, "name");
                yield new MissingMetric("FailedGetObjectMetric", PREFIX + custom(name(metric.path("object")), place));
            }
            default -> {
                String name = name(metric.path("external"));
                yield new MissingMetric(
                        "FailedGetExternalMetric",
                        PREFIX + "unable to get external metric " + namespace + "/" + name
                                + "/nil: unable to fetch metrics from external metrics API: " + ABSENT + " (get "
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
        return PREFIX + "failed to get " + resource + " " + what + ": unable to get metrics for resource " + resource
                + ": unable to fetch metrics from resource metrics API: " + ABSENT + " (get pods.metrics.k8s.io)";
    }
}
