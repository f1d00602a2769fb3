package dev.kopf4j.persistence.progress;

import dev.kopf4j.json.Json;
import dev.kopf4j.text.KubernetesTimestamps;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes and reads progress records as JSON objects. Reading is tolerant: it ignores unknown fields (of a newer Kopf),
 * reports a broken value and uses its default, and rejects only what is no JSON object. Pure.
 */
final class ProgressCodec {
    private ProgressCodec() {}

    /** Returns the fields in Kopf's order, with empty ones or without. */
    static ObjectNode encode(ProgressRecord record, boolean withNulls) {
        ObjectNode json = Json.object();
        json.put("started", text(record.started()));
        json.put("stopped", text(record.stopped()));
        json.put("delayed", text(record.delayed()));
        json.put("purpose", record.purpose());
        json.put("retries", record.retries());
        json.put("success", record.success());
        json.put("failure", record.failure());
        json.put("message", record.message());
        json.set("subrefs", subrefs(record));
        return withNulls ? json : json.removeIf(JsonNode::isNull);
    }

    static @Nullable ProgressRecord decode(JsonNode json, Consumer<String> problem) {
        if (!json.isObject()) {
            problem.accept("expected an object");
            return null;
        }
        return new ProgressRecord(
                time(json, "started", problem),
                time(json, "stopped", problem),
                time(json, "delayed", problem),
                string(json, "purpose", problem),
                count(json, "retries", problem),
                flag(json, "success", problem),
                flag(json, "failure", problem),
                string(json, "message", problem),
                strings(json, "subrefs", problem));
    }

    private static @Nullable String text(@Nullable Instant time) {
        return time == null ? null : KubernetesTimestamps.format(time);
    }

    private static @Nullable JsonNode subrefs(ProgressRecord record) {
        if (record.subrefs().isEmpty()) {
            return null;
        }
        ArrayNode subrefs = Json.mapper().createArrayNode();
        record.subrefs().forEach(subrefs::add);
        return subrefs;
    }

    private static @Nullable Instant time(JsonNode json, String field, Consumer<String> problem) {
        String text = string(json, field, problem);
        if (text == null) {
            return null;
        }
        try {
            return KubernetesTimestamps.parse(text);
        } catch (DateTimeException e) {
            problem.accept(field + " is no time: \"" + text + "\"");
            return null;
        }
    }

    private static @Nullable String string(JsonNode json, String field, Consumer<String> problem) {
        JsonNode value = json.path(field);
        if (isAbsent(value) || value.isString()) {
            return value.stringValue(null);
        }
        problem.accept(field + " is no string: " + value);
        return null;
    }

    private static int count(JsonNode json, String field, Consumer<String> problem) {
        JsonNode value = json.path(field);
        if (isAbsent(value)) {
            return 0;
        }
        if (value.isNumber() && value.canConvertToExactIntegral() && value.canConvertToInt() && value.asInt() >= 0) {
            return value.asInt();
        }
        problem.accept(field + " is no count: " + value);
        return 0;
    }

    private static boolean flag(JsonNode json, String field, Consumer<String> problem) {
        JsonNode value = json.path(field);
        if (isAbsent(value) || value.isBoolean()) {
            return value.booleanValue(false);
        }
        problem.accept(field + " is neither true nor false: " + value);
        return false;
    }

    private static List<String> strings(JsonNode json, String field, Consumer<String> problem) {
        JsonNode values = json.path(field);
        List<String> strings = new ArrayList<>();
        for (JsonNode value : values.isArray() ? values : Json.object()) {
            if (value.isString()) {
                strings.add(value.stringValue());
            } else {
                problem.accept(field + " has something that is no string: " + value);
            }
        }
        if (!isAbsent(values) && !values.isArray()) {
            problem.accept(field + " is no list: " + values);
        }
        return strings;
    }

    private static boolean isAbsent(JsonNode value) {
        return value.isMissingNode() || value.isNull();
    }
}
