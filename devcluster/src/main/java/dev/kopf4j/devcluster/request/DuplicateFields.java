package dev.kopf4j.devcluster.request;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.json.YamlDuplicateKeys;
import dev.kopf4j.json.JsonLimits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.LinkedHashSet;
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

    /**
     * The messages about duplicate and unknown fields of a built-in kind, in the order in which the body has them, as
     * the decoder of typed objects finds them ({@code sigs.k8s.io/json}); in YAML duplicates come first.
     *
     * @param unknown messages about unknown fields, each {@code unknown field "PATH"}
     */
    public static List<String> withUnknown(ApiRequest request, List<String> unknown) {
        List<String> found = new ArrayList<>();
        if (RequestBody.mediaType(request).endsWith("json")) {
            Set<String> left = new LinkedHashSet<>(unknown);
            walk(request, (levels, again) -> {
                String message = left.isEmpty() ? "" : "unknown field \"" + path(levels) + "\"";
                if (left.remove(message)) {
                    found.add(message);
                } else if (again) {
                    found.add("duplicate field \"" + path(levels) + "\"");
                }
            });
            found.addAll(left);
        } else {
            found.addAll(in(request));
            found.addAll(unknown);
        }
        return found;
    }

    private static List<String> inYaml(ApiRequest request) {
        return YamlDuplicateKeys.find(new String(request.body(), StandardCharsets.UTF_8)).stream()
                .map(key -> "line " + key.line() + ": key \"" + key.name() + "\" already set in map")
                .toList();
    }

    private static List<String> inJson(ApiRequest request) {
        List<String> found = new ArrayList<>();
        walk(request, (levels, again) -> {
            if (again) {
                found.add("duplicate field \"" + path(levels) + "\"");
            }
        });
        return found;
    }

    /** Hears of each field of a text, in its order. */
    @FunctionalInterface
    private interface FieldListener {
        void field(Deque<Level> levels, boolean again);
    }

    private static void walk(ApiRequest request, FieldListener listener) {
        Deque<Level> levels = new ArrayDeque<>();
        try (JsonParser parser = FACTORY.createParser(ObjectReadContext.empty(), request.body())) {
            for (JsonToken token = parser.nextToken(); token != null; token = parser.nextToken()) {
                step(parser, token, levels, listener);
            }
        }
    }

    private static void step(JsonParser parser, JsonToken token, Deque<Level> levels, FieldListener listener) {
        Level level = levels.peek();
        if (level != null && level.array && !token.isStructEnd()) {
            level.index++;
        }
        if (token == JsonToken.PROPERTY_NAME && level != null) {
            level.name = parser.currentName();
            listener.field(levels, !level.names.add(level.name));
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
