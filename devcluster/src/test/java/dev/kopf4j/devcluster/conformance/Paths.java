package dev.kopf4j.devcluster.conformance;

import dev.kopf4j.devcluster.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The paths of traces: {@code a.b[0].c}, {@code a['x.y']}, {@code items[*].x}, {@code list[name=pods]}. */
final class Paths {
    private static final Pattern SEGMENT =
            Pattern.compile("\\.?([A-Za-z0-9_$-]+)|\\[(\\d+|\\*)\\]|\\['([^']*)'\\]|\\[([A-Za-z.]+)=([^\\]]*)\\]");

    private Paths() {}

    private sealed interface Step {
        record Key(String name) implements Step {}

        record Index(int index) implements Step {}

        record All() implements Step {}

        record Find(String path, String value) implements Step {}
    }

    private static List<Step> parse(String path) {
        List<Step> steps = new ArrayList<>();
        Matcher matcher = SEGMENT.matcher(path);
        int position = 0;
        while (position < path.length()) {
            if (!matcher.find(position) || matcher.start() != position) {
                throw new IllegalArgumentException("bad path " + path + " at " + position);
            }
            if (matcher.group(1) != null) {
                steps.add(new Step.Key(matcher.group(1)));
            } else if (matcher.group(2) != null) {
                steps.add(
                        matcher.group(2).equals("*")
                                ? new Step.All()
                                : new Step.Index(Integer.parseInt(matcher.group(2))));
            } else if (matcher.group(3) != null) {
                steps.add(new Step.Key(matcher.group(3)));
            } else {
                steps.add(new Step.Find(matcher.group(4), matcher.group(5)));
            }
            position = matcher.end();
        }
        return steps;
    }

    /** The first value at a path, or a missing node. */
    static JsonNode lookup(JsonNode value, String path) {
        JsonNode found = value;
        for (Step step : parse(path)) {
            found = switch (step) {
                case Step.Key(String name) -> found.isObject() ? found.path(name) : Json.missing();
                case Step.Index(int index) -> found.isArray() ? found.path(index) : Json.missing();
                case Step.All all -> Json.missing();
                case Step.Find(String inner, String wanted) ->
                    found.valueStream()
                            .filter(each -> lookup(each, inner).asString("").equals(wanted))
                            .findFirst()
                            .orElse(Json.missing());
            };
        }
        return found;
    }

    /** Sets a value, in new objects where there are none; places in lists must be there. */
    static void set(JsonNode value, String path, JsonNode set) {
        List<Step> steps = parse(path);
        JsonNode container = value;
        for (Step step : steps.subList(0, steps.size() - 1)) {
            container = below(container, step);
        }
        switch (steps.getLast()) {
            case Step.Key(String name) -> ((ObjectNode) container).set(name, set);
            case Step.Index(int index) -> ((ArrayNode) container).set(index, set);
            case Step.All all -> throw new IllegalArgumentException("not one place: " + path);
            case Step.Find find -> throw new IllegalArgumentException("not one place: " + path);
        }
    }

    private static JsonNode below(JsonNode container, Step step) {
        return switch (step) {
            case Step.Key(String name) ->
                container.has(name) ? container.get(name) : ((ObjectNode) container).putObject(name);
            case Step.Index(int index) -> container.get(index);
            case Step.All all -> throw new IllegalArgumentException("not one place");
            case Step.Find find -> throw new IllegalArgumentException("not one place");
        };
    }

    /** Removes the fields that a path reaches; there must be one. */
    static void remove(JsonNode value, String path) {
        if (lookup(value, path).isMissingNode()) {
            throw new IllegalArgumentException("nothing at " + path);
        }
        visit(value, path, (container, key) -> ((ObjectNode) container).remove((String) key));
    }

    /** Calls for every place that a path reaches: the container, and the key or index in it. */
    static void visit(JsonNode value, String path, BiConsumer<JsonNode, Object> action) {
        visit(value, parse(path), action);
    }

    private static void visit(JsonNode value, List<Step> steps, BiConsumer<JsonNode, Object> action) {
        for (Object key : keys(value, steps.getFirst())) {
            if (steps.size() == 1) {
                action.accept(value, key);
            } else {
                JsonNode below = key instanceof String name ? value.get(name) : value.get((Integer) key);
                visit(below, steps.subList(1, steps.size()), action);
            }
        }
    }

    private static List<Object> keys(JsonNode value, Step step) {
        List<Object> keys = new ArrayList<>();
        switch (step) {
            case Step.Key(String name) -> {
                if (value instanceof ObjectNode && value.has(name)) {
                    keys.add(name);
                }
            }
            case Step.Index(int index) -> {
                if (value instanceof ArrayNode && index < value.size()) {
                    keys.add(index);
                }
            }
            case Step.All all -> {
                if (value instanceof ObjectNode object) {
                    keys.addAll(object.propertyNames());
                }
                for (int index = 0; value.isArray() && index < value.size(); index++) {
                    keys.add(index);
                }
            }
            case Step.Find(String inner, String wanted) -> {
                for (int index = 0; value.isArray() && index < value.size(); index++) {
                    if (lookup(value.get(index), inner).asString("").equals(wanted)) {
                        keys.add(index);
                    }
                }
            }
        }
        return keys;
    }
}
