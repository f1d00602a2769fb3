package dev.kopf4j.devcluster.printing;

import static dev.kopf4j.devcluster.printing.TableCells.or;

import dev.kopf4j.devcluster.json.Json;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Cells of events, by the field names of the core group: {@code printEvent} in
 * {@code pkg/printers/internalversion/printers.go}, v1.33. Pure.
 */
final class EventCells {
    private EventCells() {}

    static Map<String, TableCells.Cell> all() {
        return Map.of(
                "lastSeen",
                (event, now) -> TableColumns.text(HumanDuration.of(lastSeen(event), now)),
                "firstSeen",
                (event, now) -> TableColumns.text(HumanDuration.of(firstSeen(event), now)),
                "eventObject",
                TableCells.text(EventCells::object),
                "eventSubobject",
                TableCells.text(event -> Json.string(event, "involvedObject", "fieldPath")),
                "eventSource",
                TableCells.text(EventCells::source),
                "eventMessage",
                TableCells.text(event -> Json.string(event, "message").strip()),
                "eventCount",
                EventCells::count);
    }

    private static String firstSeen(JsonNode event) {
        return or(Json.string(event, "firstTimestamp"), Json.string(event, "eventTime"));
    }

    private static String lastSeen(JsonNode event) {
        String series = Json.string(event, "series", "lastObservedTime");
        return or(series, or(Json.string(event, "lastTimestamp"), firstSeen(event)));
    }

    /** An event of events.k8s.io without a series has no count. */
    private static JsonNode count(JsonNode event, Instant now) {
        JsonNode series = event.path("series");
        int count = series.isObject()
                ? series.path("count").intValue(0)
                : Math.max(1, event.path("count").intValue(0));
        return JsonNodeFactory.instance.numberNode(count);
    }

    private static String object(JsonNode event) {
        JsonNode about = event.path("involvedObject");
        String kind = Json.string(about, "kind").toLowerCase(Locale.ROOT);
        String name = Json.string(about, "name");
        return name.isEmpty() ? kind : kind + "/" + name;
    }

    private static String source(JsonNode event) {
        String component = or(Json.string(event, "source", "component"), Json.string(event, "reportingComponent"));
        String host = or(Json.string(event, "source", "host"), Json.string(event, "reportingInstance"));
        return host.isEmpty() ? component : component + ", " + host;
    }
}
