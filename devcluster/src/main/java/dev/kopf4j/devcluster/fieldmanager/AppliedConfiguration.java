package dev.kopf4j.devcluster.fieldmanager;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** What somebody applies: checked against the shape, as a set of fields, merged into a live object. */
final class AppliedConfiguration {
    private final String about;

    AppliedConfiguration(String about) {
        this.about = about;
    }

    /** The fields that a configuration names; 500 when it does not fit the shape, as a real server answers. */
    FieldSet fields(MergeSchema mergeSchema, ObjectNode configuration) {
        FieldSet set = new FieldSet();
        collect(mergeSchema, configuration, set, List.of());
        return set;
    }

    private void collect(MergeSchema mergeSchema, JsonNode value, FieldSet set, List<String> path) {
        checkType(mergeSchema, value, path);
        switch (mergeSchema.structure()) {
            case NONE -> set.makeMember();
            case FIELDS -> object(mergeSchema, value, set, path);
            case ANY -> {
                if (value.isObject()) {
                    object(mergeSchema, value, set, path);
                } else {
                    set.makeMember();
                }
            }
            case KEYED, SET -> list(mergeSchema, value, set, path);
        }
    }

    private void object(MergeSchema mergeSchema, JsonNode value, FieldSet set, List<String> path) {
        for (Map.Entry<String, JsonNode> entry : value.properties()) {
            List<String> below = extended(path, PathElements.field(entry.getKey()));
            Optional<MergeSchema> field = mergeSchema.field(entry.getKey());
            if (field.isEmpty()) {
                throw refused(below, "field not declared in schema");
            }
            FieldSet child = set.child(PathElements.field(entry.getKey()));
            JsonNode part = entry.getValue();
            collect(field.get(), part, child, below);
            if (part.isNull() || (part.isObject() && part.isEmpty()) || !mergeSchema.declares(entry.getKey())) {
                if (mergeSchema.structure() != MergeSchema.Structure.ANY || !part.isObject() || part.isEmpty()) {
                    child.makeMember();
                }
            }
            if (child.isEmpty()) {
                set.children().remove(PathElements.field(entry.getKey()));
            }
        }
    }

    private void list(MergeSchema mergeSchema, JsonNode value, FieldSet set, List<String> path) {
        for (JsonNode element : value) {
            checkKeys(mergeSchema, element, path);
            String name = PathElements.name(mergeSchema, element);
            if (set.children().containsKey(name)) {
                throw refused(extended(path, name), "duplicate entries for key");
            }
            FieldSet child = set.child(name);
            collect(mergeSchema.element(), element, child, extended(path, name));
            child.makeMember();
        }
    }

    private void checkKeys(MergeSchema mergeSchema, JsonNode element, List<String> path) {
        if (mergeSchema.structure() == MergeSchema.Structure.KEYED
                && mergeSchema.keys().stream().noneMatch(element::has)) {
            throw refused(
                    path,
                    "element 0: associative list with keys has an element that omits all key fields "
                            + mergeSchema.keys());
        }
    }

    private void checkType(MergeSchema mergeSchema, JsonNode value, List<String> path) {
        boolean fits = value.isNull()
                || switch (mergeSchema.type()) {
                    case "object" -> value.isObject();
                    case "array" -> value.isArray();
                    case "string" -> value.isString();
                    case "numeric" -> value.isNumber();
                    case "boolean" -> value.isBoolean();
                    default -> true;
                };
        if (!fits) {
            String expected = switch (mergeSchema.type()) {
                case "object" -> "map";
                case "array" -> "list";
                case "numeric" -> "numeric (int or float)";
                default -> mergeSchema.type();
            };
            throw refused(path, "expected " + expected + ", got " + typeOf(value));
        }
    }

    private static String typeOf(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> "map";
            case ARRAY -> "list";
            case NUMBER -> value.isIntegralNumber() ? "int" : "float";
            case BOOLEAN -> "boolean";
            default -> "string";
        };
    }

    private ApiException refused(List<String> path, String reason) {
        return ApiException.plain500(
                "failed to create typed patch object (" + about + "): " + PathElements.shown(path) + ": " + reason);
    }

    private static List<String> extended(List<String> path, String name) {
        List<String> longer = new ArrayList<>(path);
        longer.add(name);
        return longer;
    }

    /** The live object with the configuration merged in; neither is changed. */
    static JsonNode merge(MergeSchema mergeSchema, JsonNode live, JsonNode configuration) {
        return switch (mergeSchema.structure()) {
            case NONE -> configuration.deepCopy();
            case FIELDS, ANY ->
                live instanceof ObjectNode object && configuration instanceof ObjectNode other
                        ? mergeObjects(mergeSchema, object, other)
                        : configuration.deepCopy();
            case KEYED, SET ->
                live instanceof ArrayNode array && configuration instanceof ArrayNode other
                        ? mergeLists(mergeSchema, array, other)
                        : configuration.deepCopy();
        };
    }

    private static ObjectNode mergeObjects(MergeSchema mergeSchema, ObjectNode live, ObjectNode configuration) {
        ObjectNode merged = live.deepCopy();
        for (Map.Entry<String, JsonNode> entry : configuration.properties()) {
            JsonNode present = live.get(entry.getKey());
            MergeSchema below = mergeSchema.field(entry.getKey()).orElse(MergeSchema.UNKNOWN);
            merged.set(
                    entry.getKey(),
                    present == null ? entry.getValue().deepCopy() : merge(below, present, entry.getValue()));
        }
        return merged;
    }

    /** Elements of the configuration in its order, those of the live list where they stood among them. */
    private static ArrayNode mergeLists(MergeSchema mergeSchema, ArrayNode live, ArrayNode configuration) {
        Map<String, JsonNode> applied = new LinkedHashMap<>();
        configuration.forEach(element -> applied.put(PathElements.name(mergeSchema, element), element));
        List<String> order = new ArrayList<>(applied.keySet());
        Map<String, JsonNode> present = new LinkedHashMap<>();
        live.forEach(element -> present.put(PathElements.name(mergeSchema, element), element));
        ArrayNode merged = Json.array();
        int next = 0;
        for (Map.Entry<String, JsonNode> entry : present.entrySet()) {
            int wanted = order.indexOf(entry.getKey());
            if (wanted < 0) {
                merged.add(entry.getValue().deepCopy());
            } else {
                while (next <= wanted) {
                    add(mergeSchema, merged, present, applied, order.get(next++));
                }
            }
        }
        while (next < order.size()) {
            add(mergeSchema, merged, present, applied, order.get(next++));
        }
        return merged;
    }

    private static void add(
            MergeSchema mergeSchema,
            ArrayNode merged,
            Map<String, JsonNode> present,
            Map<String, JsonNode> applied,
            String name) {
        JsonNode element = java.util.Objects.requireNonNull(applied.get(name));
        JsonNode former = present.get(name);
        merged.add(former == null ? element.deepCopy() : merge(mergeSchema.element(), former, element));
    }
}
