package dev.kopf4j.devcluster.conformance;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.json.JsonEquality;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Where two answers differ, by the kit's rules: failures by reason, details and causes, all else completely. */
final class Difference {
    private final List<String> lines = new ArrayList<>();

    private Difference() {}

    static List<String> of(JsonNode expected, JsonNode got, String path) {
        Difference difference = new Difference();
        difference.compare(expected, got, path);
        return difference.lines;
    }

    static boolean isFailure(JsonNode value) {
        return value.path("kind").stringValue("").equals("Status")
                && value.path("status").stringValue("").equals("Failure");
    }

    private void compare(JsonNode expected, JsonNode got, String path) {
        if (isFailure(expected)) {
            failure(expected, got, path);
        } else if (expected instanceof ObjectNode && got instanceof ObjectNode) {
            objects(expected, got, path);
        } else if (expected instanceof ArrayNode && got instanceof ArrayNode) {
            arrays(expected, got, path);
        } else if (!JsonEquality.same(expected, got)) {
            lines.add(path + ": expected " + Json.text(expected) + ", got " + Json.text(got));
        }
    }

    private void objects(JsonNode expected, JsonNode got, String path) {
        TreeSet<String> names = new TreeSet<>(expected.propertyNames());
        names.addAll(got.propertyNames());
        for (String name : names) {
            String place = path + "." + name;
            if (!got.has(name)) {
                lines.add(place + ": missing, expected " + Json.text(expected.get(name)));
            } else if (!expected.has(name)) {
                lines.add(place + ": unexpected " + Json.text(got.get(name)));
            } else {
                compare(expected.get(name), got.get(name), place);
            }
        }
    }

    private void arrays(JsonNode expected, JsonNode got, String path) {
        if (expected.size() != got.size()) {
            lines.add(path + ": expected " + expected.size() + " elements, got " + got.size());
        }
        for (int index = 0; index < Math.min(expected.size(), got.size()); index++) {
            compare(expected.get(index), got.get(index), path + "[" + index + "]");
        }
    }

    private void failure(JsonNode expected, JsonNode got, String path) {
        for (String field : List.of("kind", "apiVersion", "status", "reason", "code")) {
            same(expected.path(field), got.path(field), path + "." + field);
        }
        if (!expected.path("message").asString("").isEmpty()
                && got.path("message").asString("").isEmpty()) {
            lines.add(path + ".message: missing");
        }
        for (String field : List.of("kind", "group", "name")) {
            same(expected.path("details").path(field), got.path("details").path(field), path + ".details." + field);
        }
        List<String> wanted = causes(expected);
        List<String> found = causes(got);
        if (!wanted.equals(found)) {
            lines.add(path + ".details.causes: expected " + wanted + ", got " + found);
        }
        if (!lines.isEmpty()) {
            lines.add("  (server said: " + Json.text(got.path("message")) + ")");
        }
    }

    private void same(JsonNode expected, JsonNode got, String path) {
        if (!expected.asString("").equals(got.asString(""))) {
            lines.add(path + ": expected " + expected + ", got " + got);
        }
    }

    private static List<String> causes(JsonNode status) {
        return status.path("details")
                .path("causes")
                .valueStream()
                .map(cause -> cause.path("field").asString("") + " "
                        + cause.path("reason").asString(""))
                .sorted()
                .toList();
    }
}
