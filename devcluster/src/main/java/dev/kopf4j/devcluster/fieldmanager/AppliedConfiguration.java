package dev.kopf4j.devcluster.fieldmanager;

import dev.kopf4j.devcluster.status.ApiException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What somebody applies, checked against the schema, as a set of fields. Follows {@code typed/validate.go} and
 * {@code typed/tofieldset.go} of structured-merge-diff v4.6. A real server answers 500 to what does not fit, and so
 * does this.
 */
final class AppliedConfiguration {
    private final String description;

    /**
     * Reads configurations.
     *
     * @param description what error messages call the object
     */
    AppliedConfiguration(String description) {
        this.description = description;
    }

    /** The fields that a configuration sets. */
    FieldSet fields(MergeSchema schema, ObjectNode configuration) {
        FieldSet set = new FieldSet();
        collect(schema, configuration, set, List.of());
        return set;
    }

    private void collect(MergeSchema schema, JsonNode value, FieldSet set, List<String> path) {
        checkType(schema, value, path);
        switch (schema.structure()) {
            case NONE -> set.makeMember();
            case FIELDS -> object(schema, value, set, path);
            case ANY -> {
                if (value.isObject()) {
                    object(schema, value, set, path);
                } else {
                    set.makeMember();
                }
            }
            case KEYED, SET -> list(schema, value, set, path);
        }
    }

    private void object(MergeSchema schema, JsonNode value, FieldSet set, List<String> path) {
        for (Map.Entry<String, JsonNode> entry : value.properties()) {
            String name = PathElements.field(entry.getKey());
            List<String> below = extended(path, name);
            MergeSchema field =
                    schema.field(entry.getKey()).orElseThrow(() -> refused(below, "field not declared in schema"));
            FieldSet child = set.child(name);
            collect(field, entry.getValue(), child, below);
            if (isMember(schema, entry.getKey(), entry.getValue())) {
                child.makeMember();
            }
            if (child.isEmpty()) {
                set.children().remove(name);
            }
        }
    }

    /** Entries of maps and what is empty are owned themselves, not only by what is in them. */
    private static boolean isMember(MergeSchema schema, String name, JsonNode value) {
        boolean hasContent = value.isObject() && !value.isEmpty();
        if (schema.structure() == MergeSchema.Structure.ANY && hasContent) {
            return false;
        }
        return value.isNull() || (value.isObject() && value.isEmpty()) || !schema.declares(name);
    }

    private void list(MergeSchema schema, JsonNode value, FieldSet set, List<String> path) {
        for (int index = 0; index < value.size(); index++) {
            JsonNode element = value.get(index);
            checkKeys(schema, element, index, path);
            String name = PathElements.name(schema, element);
            if (set.children().containsKey(name)) {
                throw refused(extended(path, name), "duplicate entries for key");
            }
            FieldSet child = set.child(name);
            collect(schema.element(), element, child, extended(path, name));
            child.makeMember();
        }
    }

    private void checkKeys(MergeSchema schema, JsonNode element, int index, List<String> path) {
        if (schema.structure() == MergeSchema.Structure.KEYED) {
            keyProblem(schema, element).ifPresent(problem -> {
                throw refused(path, "element " + index + ": associative list with keys " + problem);
            });
        }
    }

    /** Follows keyedAssociativeListItemToPathElement of {@code typed/helpers.go}. */
    private static Optional<String> keyProblem(MergeSchema schema, JsonNode element) {
        if (element.isNull()) {
            return Optional.of("may not have a null element");
        }
        if (!element.isObject()) {
            return Optional.of("may not have non-map elements");
        }
        return schema.keys().stream()
                .filter(key -> !element.has(key) && schema.keyDefault(key).isEmpty())
                .findFirst()
                .map(key -> "has an element that omits key field \"" + key + "\" (and doesn't have default value)");
    }

    private void checkType(MergeSchema schema, JsonNode value, List<String> path) {
        boolean fits = value.isNull()
                || switch (schema.type()) {
                    case "object" -> value.isObject();
                    case "array" -> value.isArray();
                    case "string" -> value.isString();
                    case "numeric" -> value.isNumber();
                    case "boolean" -> value.isBoolean();
                    default -> true;
                };
        if (!fits) {
            throw refused(path, "expected " + expected(schema.type()) + ", got " + typeOf(value));
        }
    }

    private static String expected(String type) {
        return switch (type) {
            case "object" -> "map";
            case "array" -> "list";
            case "numeric" -> "numeric (int or float)";
            default -> type;
        };
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
        return ApiException.plain500("failed to create typed patch object (" + description + "): "
                + PathElements.shown(path) + ": " + reason);
    }

    private static List<String> extended(List<String> path, String name) {
        List<String> longer = new ArrayList<>(path);
        longer.add(name);
        return longer;
    }
}
