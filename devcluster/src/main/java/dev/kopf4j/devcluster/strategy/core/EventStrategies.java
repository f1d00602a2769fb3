package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import dev.kopf4j.devcluster.value.DnsNames;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Events, in the core group and in the group events.k8s.io. */
final class EventStrategies {
    private static final int WORD_LENGTH = 128;
    private static final int NOTE_LENGTH = 1024;
    private static final Pattern QUALIFIED =
            Pattern.compile("(" + DnsNames.SUBDOMAIN + "/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");

    private EventStrategies() {}

    /**
     * Events of the core group: checked only if they have an {@code eventTime}, as those of events.k8s.io have. See
     * {@code pkg/apis/core/validation/events.go}, v1.33.
     */
    static final class EventStrategy implements ResourceStrategy {
        @Override
        public void validate(ObjectDraft draft, FieldChecks checks) {
            checkLegacyEvent(draft.next(), EventFields.CORE, checks);
        }
    }

    /**
     * Events of events.k8s.io: {@code ValidateEventCreate} and {@code ValidateEventUpdate} in
     * {@code pkg/apis/core/validation/events.go}, v1.33. They are the same objects as the events of the core group, so
     * that their strategy is here. Errors name the fields of the core group.
     */
    static final class EventsV1Strategy implements ResourceStrategy {
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
            checkLegacyEvent(event, EventFields.EVENTS_V1, checks);
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

    /** The names of some fields of events, which differ between the core group and events.k8s.io. */
    record EventFields(String regarding, String reporter, String note) {
        static final EventFields CORE = new EventFields("involvedObject", "reportingComponent", "message");
        static final EventFields EVENTS_V1 = new EventFields("regarding", "reportingController", "note");

        /** Whether a field of an event has a value. */
        static boolean isSet(JsonNode event, String field) {
            JsonNode value = event.path(field);
            return !value.isMissingNode() && !value.isNull();
        }
    }

    /**
     * Validates what events of both groups have in common: {@code legacyValidateEvent} in
     * {@code pkg/apis/core/validation/events.go}, v1.33.
     */
    private static void checkLegacyEvent(ObjectNode event, EventFields fields, FieldChecks checks) {
        String namespace = Json.string(event, "metadata", "namespace");
        String about = Json.string(event, fields.regarding(), "namespace");
        if (!EventFields.isSet(event, "eventTime")) {
            if (!about.equals(namespace) && !(about.isEmpty() && namespace.equals("default"))) {
                otherNamespace(about, checks);
            }
            return;
        }
        if (about.isEmpty() && !List.of("default", "kube-system").contains(namespace)) {
            otherNamespace("", checks);
        }
        String reporter = Json.string(event, fields.reporter());
        word(reporter, fields.reporter(), Integer.MAX_VALUE, checks);
        if (!QUALIFIED.matcher(reporter).matches()) {
            if (reporter.isEmpty()) {
                checks.problem("name part must be non-empty", fields.reporter(), reporter);
            }
            checks.problem(
                    "name part must consist of alphanumeric characters, '-', '_' or '.'", fields.reporter(), reporter);
        }
        for (String field : List.of("reportingInstance", "action", "reason")) {
            word(Json.string(event, field), field, WORD_LENGTH, checks);
        }
        if (Json.string(event, fields.note()).length() > NOTE_LENGTH) {
            checks.problem("can have at most " + NOTE_LENGTH + " characters", "message", "");
        }
    }

    private static void otherNamespace(String about, FieldChecks checks) {
        checks.problem("does not match event.namespace", "involvedObject.namespace", about);
    }

    private static void word(String value, String field, int limit, FieldChecks checks) {
        if (value.isEmpty()) {
            checks.add(FieldError.required(field, ""));
        } else if (value.length() > limit) {
            checks.problem("can have at most " + limit + " characters", field, "");
        }
    }
}
