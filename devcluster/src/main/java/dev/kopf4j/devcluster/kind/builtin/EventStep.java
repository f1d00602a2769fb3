package dev.kopf4j.devcluster.kind.builtin;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.kind.Draft;
import dev.kopf4j.devcluster.kind.KindRules;
import dev.kopf4j.devcluster.status.Cause;
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
final class EventStep implements KindRules {
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
    public void prepare(Draft draft) {}

    @Override
    public List<Cause> check(Draft draft) {
        Checks checks = new Checks();
        ObjectNode event = draft.next();
        boolean core = draft.resource().group().isEmpty();
        if (isSet(event, "eventTime")) {
            newForm(event, core, checks);
        } else {
            place(event, core, checks);
        }
        if (!core) {
            strict(event, draft.before(), checks);
        }
        return checks.causes();
    }

    private static boolean isSet(JsonNode event, String field) {
        JsonNode value = event.path(field);
        return !value.isMissingNode() && !value.isNull();
    }

    private static String about(JsonNode event, boolean core) {
        return Json.string(event, core ? "involvedObject" : "regarding", "namespace");
    }

    private static void place(ObjectNode event, boolean core, Checks checks) {
        String namespace = Json.string(event, "metadata", "namespace");
        String about = about(event, core);
        if (!about.equals(namespace) && !(about.isEmpty() && namespace.equals("default"))) {
            elsewhere(about, checks);
        }
    }

    private static void elsewhere(String about, Checks checks) {
        checks.add(Cause.invalidString("involvedObject.namespace", about, "does not match event.namespace"));
    }

    private static void newForm(ObjectNode event, boolean core, Checks checks) {
        String namespace = Json.string(event, "metadata", "namespace");
        if (about(event, core).isEmpty() && !List.of("default", "kube-system").contains(namespace)) {
            elsewhere("", checks);
        }
        String reporter = core ? "reportingComponent" : "reportingController";
        String reporting = Json.string(event, reporter);
        word(reporting, reporter, Integer.MAX_VALUE, checks);
        if (!QUALIFIED.matcher(reporting).matches()) {
            checks.add(Cause.invalidString(reporter, reporting, "name part must be non-empty and a qualified name"));
        }
        for (String field : List.of("reportingInstance", "action", "reason")) {
            word(Json.string(event, field), field, WORD_LENGTH, checks);
        }
        if (Json.string(event, core ? "message" : "note").length() > NOTE_LENGTH) {
            checks.add(Cause.invalidString("message", "", "can have at most " + NOTE_LENGTH + " characters"));
        }
    }

    private static void word(String value, String field, int limit, Checks checks) {
        if (value.isEmpty()) {
            checks.add(Cause.required(field, ""));
        } else if (value.length() > limit) {
            checks.add(Cause.invalidString(field, "", "can have at most " + limit + " characters"));
        }
    }

    private static void strict(ObjectNode event, @Nullable ObjectNode before, Checks checks) {
        if (before == null || !event.path("series").equals(before.path("series"))) {
            series(event.path("series"), checks);
        }
        if (before != null) {
            FIXED.forEach((field, told) -> checks.fixed(event.path(field), before.path(field), told));
            return;
        }
        if (!isSet(event, "eventTime")) {
            checks.add(Cause.required("eventTime", ""));
        }
        String type = Json.string(event, "type");
        if (!type.equals("Normal") && !type.equals("Warning")) {
            checks.add(Cause.invalidString("type", "", "has invalid value: " + type));
        }
        for (String field : List.of("deprecatedFirstTimestamp", "deprecatedLastTimestamp")) {
            unset(isSet(event, field), field, checks);
        }
        unset(event.path("deprecatedCount").longValue(0) != 0, "deprecatedCount", checks);
        unset(!event.path("deprecatedSource").isEmpty(), "deprecatedSource", checks);
    }

    private static void unset(boolean set, String field, Checks checks) {
        if (set) {
            checks.add(Cause.invalidString(FIXED.getOrDefault(field, field), "", "needs to be unset"));
        }
    }

    private static void series(JsonNode series, Checks checks) {
        if (!series.isObject()) {
            return;
        }
        if (series.path("count").longValue(0) < 2) {
            checks.add(Cause.invalidString("series.count", "", "should be at least 2"));
        }
        if (!isSet(series, "lastObservedTime")) {
            checks.add(Cause.required("series.lastObservedTime", ""));
        }
    }
}
