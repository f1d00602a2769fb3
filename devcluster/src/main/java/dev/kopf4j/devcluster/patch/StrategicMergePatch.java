package dev.kopf4j.devcluster.patch;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.types.BuiltinTypes;
import dev.kopf4j.devcluster.types.FieldType;
import dev.kopf4j.devcluster.types.StructType;
import dev.kopf4j.devcluster.types.TypeField;
import dev.kopf4j.json.JsonEquality;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Strategic merge patches, which merge lists by keys and obey directives: {@code pkg/util/strategicpatch/patch.go} of
 * apimachinery, v1.33.
 */
public final class StrategicMergePatch {
    private static final String DIRECTIVE = "$patch";
    private static final String RETAIN = "$retainKeys";
    private static final String DELETE_FROM = "$deleteFromPrimitiveList/";
    private static final String ORDER = "$setElementOrder/";

    private StrategicMergePatch() {}

    /** Changes an object of a built-in kind in place and returns it. */
    public static ObjectNode apply(Resource resource, ObjectNode present, ObjectNode patch) {
        return merge(present, patch.deepCopy(), BuiltinTypes.get().of(resource));
    }

    private static ObjectNode merge(ObjectNode target, ObjectNode patch, Optional<StructType> type) {
        JsonNode directive = patch.remove(DIRECTIVE);
        if (directive != null) {
            return directed(target, patch, directive, type);
        }
        retain(target, patch.remove(RETAIN));
        for (Map.Entry<String, JsonNode> entry : List.copyOf(patch.properties())) {
            String key = entry.getKey();
            if (key.startsWith(DELETE_FROM)) {
                deleteFrom(target, key.substring(DELETE_FROM.length()), entry.getValue());
            } else if (!key.startsWith(ORDER)) {
                field(target, patch, key, entry.getValue(), type);
            }
        }
        patch.properties().forEach(entry -> orderOnly(target, patch, entry.getKey(), type));
        return target;
    }

    private static ObjectNode directed(
            ObjectNode target, ObjectNode patch, JsonNode directive, Optional<StructType> type) {
        return switch (directive.stringValue("")) {
            case "replace" -> {
                target.removeAll();
                target.setAll(patch);
                yield target;
            }
            case "delete" -> {
                target.removeAll();
                yield target;
            }
            case "merge" -> merge(target, patch, type);
            default -> throw unknown(directive, patch);
        };
    }

    private static ApiException unknown(JsonNode directive, ObjectNode patch) {
        return ApiException.plain500("unknown patch type: " + directive.asString() + " in map: " + Json.text(patch));
    }

    private static void retain(ObjectNode target, @Nullable JsonNode keys) {
        if (keys == null) {
            return;
        }
        List<String> kept = keys.valueStream().map(JsonNode::stringValue).toList();
        target.retain(kept);
    }

    private static void deleteFrom(ObjectNode target, String list, JsonNode values) {
        if (target.get(list) instanceof ArrayNode present) {
            for (JsonNode value : values) {
                present.removeIf(each -> JsonEquality.same(each, value));
            }
        }
    }

    private static void field(
            ObjectNode target, ObjectNode patch, String key, JsonNode value, Optional<StructType> type) {
        JsonNode present = target.get(key);
        switch (value) {
            case ObjectNode object -> {
                ObjectNode base = present instanceof ObjectNode existing ? existing : Json.object();
                target.set(key, merge(base, object, type.flatMap(known -> below(known, key))));
            }
            case ArrayNode array -> {
                ArrayNode base = present instanceof ArrayNode existing ? existing : Json.array();
                target.set(key, list(base, array, patch.get(ORDER + key), type.flatMap(known -> known.field(key))));
            }
            default -> {
                if (value.isNull()) {
                    target.remove(key);
                } else {
                    target.set(key, value);
                }
            }
        }
    }

    private static void orderOnly(ObjectNode target, ObjectNode patch, String key, Optional<StructType> type) {
        if (!key.startsWith(ORDER)) {
            return;
        }
        String list = key.substring(ORDER.length());
        if (!patch.has(list) && target.get(list) instanceof ArrayNode present) {
            target.set(list, list(present, Json.array(), patch.get(key), type.flatMap(known -> known.field(list))));
        }
    }

    private static ArrayNode list(
            ArrayNode present, ArrayNode patch, @Nullable JsonNode order, Optional<TypeField> field) {
        if (field.isEmpty() || !field.get().merges()) {
            return withoutDirectives(patch);
        }
        String key = field.get().mergeKey();
        return key.isEmpty()
                ? union(present, patch, order)
                : new KeyedList(key, structOf(field.get().fieldType())).merge(present, patch, order);
    }

    private static Optional<StructType> below(StructType type, String key) {
        return type.field(key).flatMap(typeField -> structOf(typeField.fieldType()));
    }

    private static Optional<StructType> structOf(FieldType fieldType) {
        return switch (fieldType) {
            case FieldType.Struct(String name) -> Optional.of(BuiltinTypes.get().type(name));
            case FieldType.ListOf(FieldType element) -> structOf(element);
            case FieldType.MapOf map -> Optional.empty();
            case FieldType.Scalar scalar -> Optional.empty();
        };
    }

    private static ArrayNode union(ArrayNode present, ArrayNode patch, @Nullable JsonNode order) {
        ArrayNode merged = present.deepCopy();
        for (JsonNode value : patch) {
            if (merged.valueStream().noneMatch(each -> JsonEquality.same(each, value))) {
                merged.add(value);
            }
        }
        return arrange(merged, order == null ? patch : order, present, JsonNode::asString);
    }

    private static ArrayNode withoutDirectives(ArrayNode patch) {
        for (JsonNode item : patch) {
            if (item instanceof ObjectNode object) {
                object.remove(DIRECTIVE);
            }
        }
        return patch;
    }

    /**
     * The order of a merged list: {@code normalizeElementOrder} in {@code pkg/util/strategicpatch/patch.go} of
     * apimachinery, v1.33. Patched elements keep the patch's order, all others the server's order. The two sequences
     * are merged by the server's order; an element that is new to the server comes first.
     */
    private static ArrayNode arrange(
            ArrayNode merged, JsonNode patchOrder, JsonNode serverOrder, Function<JsonNode, String> identity) {
        List<String> wanted = names(patchOrder, identity);
        List<String> former = names(serverOrder, identity);
        List<JsonNode> patched = new ArrayList<>();
        List<JsonNode> others = new ArrayList<>();
        for (JsonNode element : merged) {
            (wanted.contains(identity.apply(element)) ? patched : others).add(element);
        }
        patched.sort(Comparator.comparingInt(element -> wanted.indexOf(identity.apply(element))));
        others.sort(Comparator.comparingInt(element -> former.indexOf(identity.apply(element))));
        return weave(others, patched, former, identity);
    }

    private static ArrayNode weave(
            List<JsonNode> others, List<JsonNode> patched, List<String> former, Function<JsonNode, String> identity) {
        ArrayNode result = Json.array();
        int left = 0;
        int right = 0;
        while (left < others.size() && right < patched.size()) {
            int leftIndex = former.indexOf(identity.apply(others.get(left)));
            int rightIndex = former.indexOf(identity.apply(patched.get(right)));
            boolean leftFirst = leftIndex >= 0 && rightIndex >= 0 && leftIndex < rightIndex;
            result.add(leftFirst ? others.get(left++) : patched.get(right++));
        }
        others.subList(left, others.size()).forEach(result::add);
        patched.subList(right, patched.size()).forEach(result::add);
        return result;
    }

    private static List<String> names(JsonNode elements, Function<JsonNode, String> identity) {
        return elements.valueStream().map(identity).toList();
    }

    /** A list whose elements are objects with a key. */
    private record KeyedList(String key, Optional<StructType> type) {
        ArrayNode merge(ArrayNode present, ArrayNode patch, @Nullable JsonNode order) {
            boolean replace = patch.valueStream()
                    .anyMatch(each -> "replace".equals(each.path(DIRECTIVE).stringValue("")) && !each.has(key));
            List<JsonNode> result = new ArrayList<>();
            if (!replace) {
                present.forEach(result::add);
            }
            List<JsonNode> wanted = new ArrayList<>();
            for (JsonNode item : patch) {
                if (item instanceof ObjectNode object && !(replace && object.has(DIRECTIVE))) {
                    element(result, object, wanted);
                }
            }
            ArrayNode merged = Json.array();
            result.forEach(merged::add);
            ArrayNode patched = Json.array();
            wanted.forEach(patched::add);
            return arrange(
                    merged,
                    order == null ? patched : order,
                    present,
                    each -> each.path(key).asString());
        }

        private void element(List<JsonNode> result, ObjectNode item, List<JsonNode> wanted) {
            JsonNode directive = item.get(DIRECTIVE);
            if (!item.has(key)) {
                throw ApiException.plain500("map: " + Json.text(item) + " does not contain declared merge key: " + key);
            }
            int index = indexOf(result, item.get(key));
            if (directive != null) {
                switch (directive.stringValue("")) {
                    case "delete" -> result.removeIf(each -> JsonEquality.same(each.get(key), item.get(key)));
                    case "replace" -> put(result, index, item.without(DIRECTIVE));
                    case "merge" -> item.remove(DIRECTIVE);
                    default -> throw unknown(directive, item);
                }
                if (item.has(DIRECTIVE) || !"merge".equals(directive.stringValue(""))) {
                    return;
                }
            }
            wanted.add(item);
            ObjectNode base = index >= 0 ? (ObjectNode) result.get(index) : Json.object();
            put(result, index, StrategicMergePatch.merge(base, item.deepCopy(), type));
        }

        private int indexOf(List<JsonNode> list, @Nullable JsonNode value) {
            for (int index = 0; index < list.size(); index++) {
                if (JsonEquality.same(list.get(index).get(key), value)) {
                    return index;
                }
            }
            return -1;
        }

        private static void put(List<JsonNode> list, int index, JsonNode value) {
            if (index < 0) {
                list.add(value);
            } else {
                list.set(index, value);
            }
        }
    }
}
