package dev.kopf4j.devcluster.fieldmanager;

import dev.kopf4j.devcluster.json.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The names of parts in FieldsV1: {@code f:field}, <code>k:{"key":"value"}</code>, {@code v:"value"}. Follows
 * {@code fieldpath/serialize-pe.go} of structured-merge-diff v4.6.
 */
final class PathElements {
    private PathElements() {}

    static String field(String name) {
        return "f:" + name;
    }

    /** Whether a name is one of a field, a value, keys or an index. */
    static boolean isKnown(String name) {
        return name.length() >= 2 && name.charAt(1) == ':' && "fvki".indexOf(name.charAt(0)) >= 0;
    }

    /** Why a name cannot be read; empty if it can, or if its kind is not known: {@code DeserializePathElement}. */
    static Optional<String> problem(String name) {
        if (name.length() < 2) {
            return Optional.of("parsing key as path element: key must be 2 characters long:");
        }
        if (name.charAt(1) != ':') {
            return Optional.of("parsing key as path element: missing colon: " + name);
        }
        String rest = name.substring(2);
        boolean readable = switch (name.charAt(0)) {
            case 'v' -> isJson(rest, false);
            case 'k' -> isJson(rest, true);
            case 'i' -> rest.matches("[+-]?[0-9]{1,18}");
            default -> true;
        };
        return readable ? Optional.empty() : Optional.of("parsing key as path element: invalid: " + name);
    }

    private static boolean isJson(String text, boolean object) {
        try {
            JsonNode value = Json.parse(text);
            return object ? value.isObject() : !value.isMissingNode();
        } catch (JacksonException e) {
            return false;
        }
    }

    /** The name of a list element. */
    static String name(MergeSchema list, JsonNode element) {
        if (list.structure() == MergeSchema.Structure.SET) {
            return "v:" + Json.text(element);
        }
        TreeMap<String, JsonNode> sorted = new TreeMap<>();
        for (String key : list.keys()) {
            JsonNode value = element.get(key);
            if (value != null) {
                sorted.put(key, value);
            } else {
                list.keyDefault(key).ifPresent(preset -> sorted.put(key, preset));
            }
        }
        ObjectNode key = Json.object();
        sorted.forEach(key::set);
        return "k:" + Json.text(key);
    }

    /** The parts of a value by their names, in order; several where elements of a list have the same name. */
    static Map<String, List<JsonNode>> parts(MergeSchema mergeSchema, @Nullable JsonNode value) {
        Map<String, List<JsonNode>> parts = new LinkedHashMap<>();
        if (value instanceof ObjectNode object) {
            object.properties().forEach(entry -> parts.put(field(entry.getKey()), List.of(entry.getValue())));
        } else if (value instanceof ArrayNode array) {
            array.forEach(element -> parts.computeIfAbsent(name(mergeSchema, element), name -> new ArrayList<>(1))
                    .add(element));
        }
        return parts;
    }

    /** The schema of the part with a name. */
    static MergeSchema shape(MergeSchema mergeSchema, String name) {
        return name.startsWith("f:")
                ? mergeSchema.field(name.substring(2)).orElse(MergeSchema.UNKNOWN)
                : mergeSchema.element();
    }

    /** A path as error messages show it; PathElement.String of {@code fieldpath/element.go}. */
    static String shown(List<String> path) {
        StringBuilder shown = new StringBuilder();
        for (String name : path) {
            String rest = name.substring(2);
            switch (name.charAt(0)) {
                case 'f' -> shown.append('.').append(rest);
                case 'v' -> shown.append("[=").append(rest).append(']');
                case 'i' -> shown.append('[').append(rest).append(']');
                default -> shown.append('[').append(keys(rest)).append(']');
            }
        }
        return shown.toString();
    }

    private static String keys(String json) {
        StringBuilder keys = new StringBuilder();
        Json.parse(json)
                .properties()
                .forEach(entry -> keys.append(keys.isEmpty() ? "" : ",")
                        .append(entry.getKey())
                        .append('=')
                        .append(Json.text(entry.getValue())));
        return keys.toString();
    }
}
