package dev.kopf4j.cli.plan;

import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.json.JsonDiff;
import dev.kopf4j.json.JsonDiff.Item;
import dev.kopf4j.text.KubernetesTimestamps;
import dev.kopf4j.text.TextShortener;
import java.time.DateTimeException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What differs between two states of an object, but for what differs between any two runs: versions, uids, times, and
 * who manages which field. Pure.
 */
final class Differences {
    private static final int VALUE_BYTES_MAX = 100;
    private static final String TIME = "(a time)";
    private static final Set<String> OF_THE_SERVER =
            Set.of("resourceVersion", "managedFields", "generation", "uid", "creationTimestamp", "selfLink");

    private Differences() {}

    /** From one state to another one; either may be missing. */
    static List<Item> between(@Nullable ObjectNode before, @Nullable ObjectNode after) {
        return JsonDiff.between(comparable(before), comparable(after)).items();
    }

    /** True if both make of the object what the other does. */
    static boolean same(Optional<ObjectNode> one, Optional<ObjectNode> other) {
        return between(one.orElse(null), other.orElse(null)).isEmpty();
    }

    private static @Nullable JsonNode comparable(@Nullable ObjectNode object) {
        if (object == null) {
            return null;
        }
        ObjectNode copy = (ObjectNode) withoutTimes(object);
        if (copy.get("metadata") instanceof ObjectNode metadata) {
            metadata.remove(OF_THE_SERVER);
            if (metadata.get("annotations") instanceof ObjectNode annotations) {
                unpack(annotations);
            }
        }
        return copy;
    }

    /** Records and states that annotations keep as JSON are compared as such. */
    private static void unpack(ObjectNode annotations) {
        for (Map.Entry<String, JsonNode> each : List.copyOf(annotations.properties())) {
            String text = each.getValue().asString("").strip();
            if (text.startsWith("{")) {
                try {
                    annotations.set(each.getKey(), withoutTimes(Json.parse(text)));
                } catch (JsonConversionException e) {
                    // Not JSON: it is compared as text.
                }
            }
        }
    }

    private static JsonNode withoutTimes(JsonNode node) {
        return switch (node) {
            case ObjectNode object -> {
                ObjectNode copy = Json.object();
                object.properties().forEach(each -> copy.set(each.getKey(), withoutTimes(each.getValue())));
                yield copy;
            }
            case ArrayNode list -> {
                ArrayNode copy = Json.mapper().createArrayNode();
                list.values().forEach(each -> copy.add(withoutTimes(each)));
                yield copy;
            }
            default -> isTime(node) ? Json.fromJava(TIME) : node;
        };
    }

    private static boolean isTime(JsonNode node) {
        String text = node.asString("");
        if (!node.isString() || text.length() < 19 || text.length() > 40 || text.charAt(4) != '-') {
            return false;
        }
        try {
            KubernetesTimestamps.parse(text);
            return true;
        } catch (DateTimeException e) {
            return false;
        }
    }

    /** The same items, in which one of the whole object is told by its parts. */
    static List<Item> byFields(List<Item> items) {
        List<Item> told = new ArrayList<>();
        for (Item item : items) {
            JsonNode whole = item.newValue() == null ? item.oldValue() : item.newValue();
            if (item.field().equals(FieldPath.ROOT) && whole instanceof ObjectNode object) {
                object.properties()
                        .forEach(each -> told.add(
                                item.newValue() == null
                                        ? new Item(item.operation(), FieldPath.of(each.getKey()), each.getValue(), null)
                                        : new Item(
                                                item.operation(), FieldPath.of(each.getKey()), null, each.getValue())));
            } else {
                told.add(item);
            }
        }
        return told;
    }

    /** A difference in words: {@code spec.size: 1 -> 2}. */
    static String text(Item item, boolean showsValues) {
        return text(item.field().toString(), item, showsValues);
    }

    /** The same, of lists of the same length element by element. */
    static List<String> texts(Item item, boolean showsValues) {
        return texts(item.field().toString(), item, showsValues);
    }

    private static List<String> texts(String path, Item item, boolean showsValues) {
        if (!(item.oldValue() instanceof ArrayNode before)
                || !(item.newValue() instanceof ArrayNode after)
                || before.size() != after.size()) {
            return List.of(text(path, item, showsValues));
        }
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < before.size(); i++) {
            String element = path + "[" + i + "]";
            for (Item inside : JsonDiff.between(before.get(i), after.get(i)).items()) {
                String field = inside.field().toString();
                texts.addAll(texts(field.isEmpty() ? element : element + "." + field, inside, showsValues));
            }
        }
        return texts;
    }

    private static String text(String path, Item item, boolean showsValues) {
        return path + ": "
                + switch (item.operation()) {
                    case ADD -> "added, " + value(item.newValue(), showsValues);
                    case REMOVE -> "removed, it was " + value(item.oldValue(), showsValues);
                    case CHANGE -> value(item.oldValue(), showsValues) + " -> " + value(item.newValue(), showsValues);
                };
    }

    private static String value(@Nullable JsonNode value, boolean showsValues) {
        if (!showsValues) {
            return "(not shown)";
        }
        return value == null ? "nothing" : TextShortener.middle(Json.text(value), VALUE_BYTES_MAX);
    }
}
