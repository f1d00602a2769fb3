package dev.kopf4j.devcluster.request;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.json.YamlDuplicateKeys;
import dev.kopf4j.json.JsonLimits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;

/** Finds fields that a text has twice, which a tree does not show. */
public final class DuplicateFields {
    private static final JsonFactory FACTORY = JsonLimits.ofRequests();

    private DuplicateFields() {}

    private static final class Level {
        private final Set<String> names = new HashSet<>();
        private final boolean array;
        private String name = "";
        private int index = -1;

        Level(boolean array) {
            this.array = array;
        }
    }

    /** Messages about duplicate fields in the body of a create, update or patch. */
    public static List<String> in(ApiRequest request) {
        String type = RequestBody.mediaType(request);
        if (type.endsWith("json")) {
            return inJson(request);
        }
        return type.endsWith("yaml") ? inYaml(request) : List.of();
    }

    private static List<String> inYaml(ApiRequest request) {
        return YamlDuplicateKeys.find(new String(request.body(), StandardCharsets.UTF_8)).stream()
                .map(key -> "line " + key.line() + ": key \"" + key.name() + "\" already set in map")
                .toList();
    }

    private static List<String> inJson(ApiRequest request) {
        List<String> found = new ArrayList<>();
        Deque<Level> levels = new ArrayDeque<>();
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), request.body())) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                step(parser, token, levels, found);
            }
        }
        return found;
    }

    private static void step(JsonParser parser, JsonToken token, Deque<Level> levels, List<String> found) {
        Level level = levels.peek();
        if (level != null && level.array && !token.isStructEnd()) {
            level.index++;
        }
        if (token == JsonToken.PROPERTY_NAME && level != null) {
            level.name = parser.currentName();
            if (!level.names.add(level.name)) {
                found.add("duplicate field \"" + path(levels) + "\"");
            }
        } else if (token.isStructStart()) {
            levels.push(new Level(token == JsonToken.START_ARRAY));
        } else if (token.isStructEnd()) {
            levels.pop();
        }
    }

    private static String path(Deque<Level> levels) {
        StringBuilder path = new StringBuilder();
        levels.descendingIterator().forEachRemaining(level -> {
            if (level.array) {
                path.append('[').append(level.index).append(']');
            } else {
                path.append(path.isEmpty() ? "" : ".").append(level.name);
            }
        });
        return path.toString();
    }
}
