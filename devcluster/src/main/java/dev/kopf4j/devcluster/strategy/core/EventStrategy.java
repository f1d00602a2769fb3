package dev.kopf4j.devcluster.strategy.core;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.strategy.FieldChecks;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Events, by {@code pkg/apis/core/validation/events.go} of Kubernetes v1.33: those of the core API are checked only if
 * they are of the new form, those of events.k8s.io always.
 */
public final class EventStrategy implements ResourceStrategy {
    private static final int WORD_LENGTH = 128;
    private static final int NOTE_LENGTH = 1024;
    private static final Pattern QUALIFIED = Pattern.compile(
            "([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?");
    /** The names of events.k8s.io, and those of the core, which failures tell. */
    private static final Map<String, String> FIXED = Map.ofEntries(
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
    public void prepare(ObjectDraft objectDraft) {}

    @Override
    public List<FieldError> validate(ObjectDraft objectDraft) {
        FieldChecks fieldChecks = new FieldChecks();
        ObjectNode event = objectDraft.next();
        boolean core = objectDraft.resource().group().isEmpty();
        if (isSet(event, "eventTime")) {
            newForm(event, core, fieldChecks);
        } else {
            place(event, core, fieldChecks);
        }
        if (!core) {
            strict(event, objectDraft.before(), fieldChecks);
        }
        return fieldChecks.causes();
    }

    private static boolean isSet(JsonNode event, String field) {
        JsonNode value = event.path(field);
        return !value.isMissingNode() && !value.isNull();
    }

    private static String about(JsonNode event, boolean core) {
        return Json.string(event, core ? "involvedObject" : "regarding", "namespace");
    }

    private static void place(ObjectNode event, boolean core, FieldChecks fieldChecks) {
        String namespace = Json.string(event, "metadata", "namespace");
        String about = about(event, core);
        if (!about.equals(namespace) && !(about.isEmpty() && namespace.equals("default"))) {
            elsewhere(about, fieldChecks);
        }
    }

    private static void elsewhere(String about, FieldChecks fieldChecks) {
        fieldChecks.add(FieldError.invalidString("involvedObject.namespace", about, "does not match event.namespace"));
    }

    private static void newForm(ObjectNode event, boolean core, FieldChecks fieldChecks) {
        String namespace = Json.string(event, "metadata", "namespace");
        if (about(event, core).isEmpty() && !List.of("default", "kube-system").contains(namespace)) {
            elsewhere("", fieldChecks);
        }
        String reporter = core ? "reportingComponent" : "reportingController";
        String reporting = Json.string(event, reporter);
        word(reporting, reporter, Integer.MAX_VALUE, fieldChecks);
        if (!QUALIFIED.matcher(reporting).matches()) {
            fieldChecks.add(
                    FieldError.invalidString(reporter, reporting, "name part must be non-empty and a qualified name"));
        }
        for (String field : List.of("reportingInstance", "action", "reason")) {
            word(Json.string(event, field), field, WORD_LENGTH, fieldChecks);
        }
        if (Json.string(event, core ? "message" : "note").length() > NOTE_LENGTH) {
            fieldChecks.add(FieldError.invalidString("message", "", "can have at most " + NOTE_LENGTH + " characters"));
        }
    }

    private static void word(String value, String field, int limit, FieldChecks fieldChecks) {
        if (value.isEmpty()) {
            fieldChecks.add(FieldError.required(field, ""));
        } else if (value.length() > limit) {
            fieldChecks.add(FieldError.invalidString(field, "", "can have at most " + limit + " characters"));
        }
    }

    private static void strict(ObjectNode event, @Nullable ObjectNode before, FieldChecks fieldChecks) {
        if (before == null || !event.path("series").equals(before.path("series"))) {
            series(event.path("series"), fieldChecks);
        }
        if (before != null) {
            FIXED.forEach((field, told) -> fieldChecks.fixed(event.path(field), before.path(field), told));
            return;
        }
        if (!isSet(event, "eventTime")) {
            fieldChecks.add(FieldError.required("eventTime", ""));
        }
        String type = Json.string(event, "type");
        if (!type.equals("Normal") && !type.equals("Warning")) {
            fieldChecks.add(FieldError.invalidString("type", "", "has invalid value: " + type));
        }
        for (String field : List.of("deprecatedFirstTimestamp", "deprecatedLastTimestamp")) {
            unset(isSet(event, field), field, fieldChecks);
        }
        unset(event.path("deprecatedCount").longValue(0) != 0, "deprecatedCount", fieldChecks);
        unset(!event.path("deprecatedSource").isEmpty(), "deprecatedSource", fieldChecks);
    }

    private static void unset(boolean set, String field, FieldChecks fieldChecks) {
        if (set) {
            fieldChecks.add(FieldError.invalidString(FIXED.getOrDefault(field, field), "", "needs to be unset"));
        }
    }

    private static void series(JsonNode series, FieldChecks fieldChecks) {
        if (!series.isObject()) {
            return;
        }
        if (series.path("count").longValue(0) < 2) {
            fieldChecks.add(FieldError.invalidString("series.count", "", "should be at least 2"));
        }
        if (!isSet(series, "lastObservedTime")) {
            fieldChecks.add(FieldError.required("series.lastObservedTime", ""));
        }
    }
}
