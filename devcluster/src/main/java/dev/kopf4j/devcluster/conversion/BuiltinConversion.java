package dev.kopf4j.devcluster.conversion;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/** Converts objects of built-in kinds that several groups or versions show, each in its own form. Pure. */
public final class BuiltinConversion {
    private BuiltinConversion() {}

    /** Whether a resource shows objects in another form than the store keeps them. */
    public static boolean has(Resource resource) {
        return EventConversion.has(resource) || AutoscalerConversion.has(resource);
    }

    /** An object of the store as the resource shows it. */
    public static ObjectNode shown(Resource resource, ObjectNode stored) {
        return AutoscalerConversion.has(resource)
                ? AutoscalerConversion.shown(stored)
                : EventConversion.shown(resource, stored);
    }

    /** An object of the resource as the store keeps it. */
    public static ObjectNode stored(Resource resource, ObjectNode shown) {
        return AutoscalerConversion.has(resource)
                ? AutoscalerConversion.stored(shown)
                : EventConversion.stored(resource, shown);
    }

    /**
     * Converts events between the core group, whose field names the store keeps, and events.k8s.io, which has other
     * field names: {@code pkg/apis/events/v1/conversion.go}, v1.33.
     */
    private static final class EventConversion {
        private static final Map<String, String> EVENT_NAMES = Map.of(
                "involvedObject", "regarding",
                "message", "note",
                "count", "deprecatedCount",
                "firstTimestamp", "deprecatedFirstTimestamp",
                "lastTimestamp", "deprecatedLastTimestamp",
                "source", "deprecatedSource",
                "reportingComponent", "reportingController");

        private EventConversion() {}

        /** Whether a resource shows objects under field names that differ from the stored ones. */
        static boolean has(Resource resource) {
            return resource.group().equals("events.k8s.io");
        }

        /** An object of the store as the resource shows it. */
        static ObjectNode shown(Resource resource, ObjectNode stored) {
            return has(resource) ? renamed(stored, true) : stored;
        }

        /** An object of the resource as the store keeps it. */
        static ObjectNode stored(Resource resource, ObjectNode shown) {
            return has(resource) ? renamed(shown, false) : shown;
        }

        private static ObjectNode renamed(ObjectNode object, boolean show) {
            ObjectNode result = Json.object();
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                result.set(name(field.getKey(), show), field.getValue());
            }
            if (show) {
                for (String name : new String[] {"reportingController", "reportingInstance"}) {
                    if (Json.string(result, name).isEmpty()) {
                        result.remove(name);
                    }
                }
            }
            return result;
        }

        private static String name(String field, boolean show) {
            for (Map.Entry<String, String> names : EVENT_NAMES.entrySet()) {
                String from = show ? names.getKey() : names.getValue();
                if (from.equals(field)) {
                    return show ? names.getValue() : names.getKey();
                }
            }
            return field;
        }
    }

    /**
     * Converts autoscalers between autoscaling/v1 and v2, which the store keeps: of the metrics, v1 has a field for the
     * one of the CPU; the others, and the behavior, are in annotations. See
     * {@code pkg/apis/autoscaling/v1/conversion.go}, v1.33; the text in the annotations is that of v2 here.
     */
    private static final class AutoscalerConversion {
        private static final String METRICS = "autoscaling.alpha.kubernetes.io/metrics";
        private static final String BEHAVIOR = "autoscaling.alpha.kubernetes.io/behavior";
        private static final String CURRENT = "autoscaling.alpha.kubernetes.io/current-metrics";
        private static final String CONDITIONS = "autoscaling.alpha.kubernetes.io/conditions";
        private static final String TARGET = "targetCPUUtilizationPercentage";

        private AutoscalerConversion() {}

        static boolean has(Resource resource) {
            return resource.apiVersion().equals("autoscaling/v1");
        }

        static ObjectNode shown(ObjectNode stored) {
            ObjectNode object = stored.deepCopy();
            ObjectNode spec = Json.child(object, "spec");
            ObjectNode status = Json.child(object, "status");
            ArrayNode others = Json.array();
            for (JsonNode metric : spec.path("metrics")) {
                JsonNode target = metric.path("resource").path("target").path("averageUtilization");
                if (isCpu(metric) && target.isNumber()) {
                    spec.set(TARGET, target);
                } else {
                    others.add(metric);
                }
            }
            annotate(object, METRICS, others);
            annotate(object, BEHAVIOR, spec.path("behavior"));
            annotate(object, CURRENT, status.path("currentMetrics"));
            annotate(object, CONDITIONS, status.path("conditions"));
            for (JsonNode metric : status.path("currentMetrics")) {
                JsonNode current = metric.path("resource").path("current").path("averageUtilization");
                if (isCpu(metric) && current.isNumber()) {
                    status.set("currentCPUUtilizationPercentage", current);
                }
            }
            spec.remove("metrics");
            spec.remove("behavior");
            status.remove("currentMetrics");
            status.remove("conditions");
            for (String count : new String[] {"currentReplicas", "desiredReplicas"}) {
                status.put(count, status.path(count).longValue(0));
            }
            return object;
        }

        private static boolean isCpu(JsonNode metric) {
            return Json.string(metric, "type").equals("Resource")
                    && Json.string(metric, "resource", "name").equals("cpu");
        }

        private static void annotate(ObjectNode object, String name, JsonNode value) {
            if (!value.isEmpty()) {
                Json.child(Json.child(object, "metadata"), "annotations").put(name, Json.text(value));
            }
        }

        static ObjectNode stored(ObjectNode shown) {
            ObjectNode object = shown.deepCopy();
            ObjectNode spec = Json.child(object, "spec");
            ObjectNode status = Json.child(object, "status");
            ArrayNode metrics = Json.array();
            taken(object, METRICS).forEach(metrics::add);
            JsonNode target = spec.path(TARGET);
            if (target.isNumber()) {
                ObjectNode cpu = metrics.addObject().put("type", "Resource");
                cpu.putObject("resource")
                        .put("name", "cpu")
                        .putObject("target")
                        .put("type", "Utilization")
                        .set("averageUtilization", target);
            }
            spec.remove(TARGET);
            spec.set("metrics", metrics);
            keep(spec, "behavior", taken(object, BEHAVIOR));
            status.remove("currentCPUUtilizationPercentage");
            JsonNode current = taken(object, CURRENT);
            status.set("currentMetrics", current.isEmpty() ? NullNode.getInstance() : current);
            keep(status, "conditions", taken(object, CONDITIONS));
            if (status.path("currentReplicas").longValue(0) == 0) {
                status.remove("currentReplicas");
            }
            return object;
        }

        private static void keep(ObjectNode parent, String field, JsonNode value) {
            if (!value.isEmpty()) {
                parent.set(field, value);
            }
        }

        /** What an annotation says; the annotation goes. */
        private static JsonNode taken(ObjectNode object, String name) {
            ObjectNode metadata = Json.child(object, "metadata");
            if (!(metadata.path("annotations") instanceof ObjectNode annotations) || !annotations.has(name)) {
                return Json.missing();
            }
            String text = annotations.remove(name).asString();
            if (annotations.isEmpty()) {
                metadata.remove("annotations");
            }
            try {
                return Json.parse(text);
            } catch (JacksonException e) {
                return Json.missing(); // as a real server: what is no JSON says nothing
            }
        }
    }
}
