package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Events of events.k8s.io: {@code ValidateEventCreate} and {@code ValidateEventUpdate} in
 * {@code pkg/apis/core/validation/events.go}, v1.33. They are the same objects as the events of the core group, so that
 * their strategy is here. Errors name the fields of the core group.
 */
final class EventsV1Strategy implements ResourceStrategy {
    /** Fields that do not change, with their names in the core group. */
    private static final Map<String, String> IMMUTABLE = Map.ofEntries(
            Map.entry("regarding", "involvedObject"),
            Map.entry("reason", "reason"),
            Map.entry("note", "message"),
            Map.entry("deprecatedSource", "source"),
            Map.entry("deprecatedFirstTimestamp", "firstTimestamp"),
            Map.entry("deprecatedLastTimestamp", "lastTimestamp"),
            Map.entry("deprecatedCount", "count"),
            Map.entry("type", "type"),
            Map.entry("eventTime", "eventTime"),
            Map.entry("action", "action"),
            Map.entry("related", "related"),
            Map.entry("reportingController", "reportingController"),
            Map.entry("reportingInstance", "reportingInstance"));

    @Override
    public void validate(ObjectDraft draft, FieldChecks checks) {
        ObjectNode event = draft.next();
        ObjectNode before = draft.before();
        LegacyEventValidation.check(event, EventFields.EVENTS_V1, checks);
        if (before == null || !event.path("series").equals(before.path("series"))) {
            series(event.path("series"), checks);
        }
        if (before == null) {
            created(event, checks);
        } else {
            IMMUTABLE.forEach((field, shown) -> checks.immutable(event.path(field), before.path(field), shown));
        }
    }

    private static void created(ObjectNode event, FieldChecks checks) {
        if (!EventFields.isSet(event, "eventTime")) {
            checks.add(FieldError.required("eventTime", ""));
        }
        String type = Json.string(event, "type");
        if (!type.equals("Normal") && !type.equals("Warning")) {
            checks.problem("has invalid value: " + type, "type", "");
        }
        for (String field : List.of("deprecatedFirstTimestamp", "deprecatedLastTimestamp")) {
            unset(EventFields.isSet(event, field), field, checks);
        }
        unset(event.path("deprecatedCount").longValue(0) != 0, "deprecatedCount", checks);
        unset(!event.path("deprecatedSource").isEmpty(), "deprecatedSource", checks);
    }

    private static void unset(boolean set, String field, FieldChecks checks) {
        checks.problem(set ? "needs to be unset" : "", IMMUTABLE.getOrDefault(field, field), "");
    }

    private static void series(JsonNode series, FieldChecks checks) {
        if (!series.isObject()) {
            return;
        }
        if (series.path("count").longValue(0) < 2) {
            checks.problem("should be at least 2", "series.count", "");
        }
        if (!EventFields.isSet(series, "lastObservedTime")) {
            checks.add(FieldError.required("series.lastObservedTime", ""));
        }
    }
}
