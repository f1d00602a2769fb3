package dev.kopf4j.devcluster.conversion;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Converts events between the core group, whose field names the store keeps, and events.k8s.io, which has other field
 * names: {@code pkg/apis/events/v1/conversion.go}, v1.33.
 */
public final class EventConversion {
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
    public static boolean has(Resource resource) {
        return resource.group().equals("events.k8s.io");
    }

    /** An object of the store as the resource shows it. */
    public static ObjectNode shown(Resource resource, ObjectNode stored) {
        return has(resource) ? renamed(stored, true) : stored;
    }

    /** An object of the resource as the store keeps it. */
    public static ObjectNode stored(Resource resource, ObjectNode shown) {
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
