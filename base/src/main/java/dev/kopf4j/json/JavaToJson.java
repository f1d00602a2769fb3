package dev.kopf4j.json;

import dev.kopf4j.text.BoundedText;
import dev.kopf4j.text.TextShortener;
import dev.kopf4j.text.WellFormedText;
import java.lang.reflect.Array;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.core.exc.StreamWriteException;
import tools.jackson.core.util.JsonGeneratorDelegate;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Turns Java values into trees. Containers are walked here, so that an error can name the path. Values that JSON does
 * not have (records, beans, enums, times) go through Jackson's databind. Used once.
 */
final class JavaToJson {
    /** Deeper than any object on a server: only a value that contains itself gets there. */
    private static final int DEPTH_MAX = JsonLimits.SERVER_LEVELS_MAX;

    private static final int SHOWN_BYTES_MAX = 300;

    /** More than fit into an object of Kubernetes: etcd takes 1.5 MB. Lists in lists can have any number of values. */
    private static final int VALUES_MAX = 1_000_000;

    private static final int BYTES_MAX = 16 * 1024 * 1024;

    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private final JsonMapper mapper;
    private int values;

    JavaToJson(JsonMapper mapper) {
        this.mapper = mapper;
    }

    JsonNode read(@Nullable Object value) {
        try {
            return read(value, FieldPath.ROOT);
        } catch (StackOverflowError e) {
            throw refusal(
                    FieldPath.ROOT,
                    value,
                    "it is nested more deeply than the thread's stack allows, or contains itself",
                    e);
        }
    }

    private JsonNode read(@Nullable Object value, FieldPath at) {
        if (at.keys().size() > DEPTH_MAX) {
            throw tooDeep(at, value);
        }
        if (++values > VALUES_MAX) {
            throw refusal(at, value, "there are more than " + VALUES_MAX + " values", null);
        }
        return switch (value) {
            case null -> NODES.nullNode();
            case String text -> NODES.stringNode(WellFormedText.of(text));
            case Boolean flag -> NODES.booleanNode(flag);
            case Integer number -> NODES.numberNode(number);
            case Double number -> finite(number, at);
            case Float number -> finite(Double.parseDouble(number.toString()), at);
            case JsonNode tree -> bound(tree, at);
            case Map<?, ?> map -> object(map, at);
            case Iterable<?> items when isPlainContainer(items) -> array(items, at);
            case Optional<?> optional -> read(optional.orElse(null), at);
            case Object array when array.getClass().isArray() && !(array instanceof byte[]) -> arrayOf(array, at);
            default -> bound(value, at);
        };
    }

    /**
     * Only collections are lists: a {@link java.nio.file.Path} iterates over itself, and some beans can be iterated
     * too.
     */
    private static boolean isPlainContainer(Iterable<?> items) {
        return items instanceof Collection<?>;
    }

    private JsonNode object(Map<?, ?> map, FieldPath at) {
        ObjectNode object = NODES.objectNode();
        map.forEach((key, value) -> object.set(key(key, at, map), read(value, at.append(String.valueOf(key)))));
        return object;
    }

    private String key(@Nullable Object key, FieldPath at, Map<?, ?> map) {
        return switch (key) {
            case null -> throw refusal(at, map, "it has a null key", null);
            case Enum<?> constant -> bound(constant, at).asString();
            default -> WellFormedText.of(key.toString());
        };
    }

    private ArrayNode array(Iterable<?> items, FieldPath at) {
        ArrayNode array = NODES.arrayNode();
        for (Object item : items) {
            array.add(read(item, at.append(String.valueOf(array.size()))));
        }
        return array;
    }

    private ArrayNode arrayOf(Object items, FieldPath at) {
        ArrayNode array = NODES.arrayNode();
        for (int index = 0; index < Array.getLength(items); index++) {
            array.add(read(Array.get(items, index), at.append(String.valueOf(index))));
        }
        return array;
    }

    private static JsonNode finite(double number, FieldPath at) {
        if (!Double.isFinite(number)) {
            throw refusal(at, number, "JSON has no " + number, null);
        }
        return NODES.numberNode(number);
    }

    /** Writes the value and reads it back, so that the tree has only nodes that a parser makes. */
    private JsonNode bound(Object value, FieldPath at) {
        if (value.getClass().isHidden()) {
            throw refusal(at, value, "it is a function", null);
        }
        try {
            BoundedText text = new BoundedText(BYTES_MAX);
            try (JsonGenerator generator = new FiniteNumbers(mapper.createGenerator(text))) {
                mapper.writeValue(generator, value);
            }
            JsonNode tree = mapper.readTree(text.toString());
            if (at.keys().size() + depth(tree) > DEPTH_MAX) {
                throw tooDeep(at, value);
            }
            return tree;
        } catch (JacksonException e) {
            FieldPath place = at;
            for (JacksonException.Reference step : e.getPath()) {
                place = place.append(
                        step.getPropertyName() == null ? String.valueOf(step.getIndex()) : step.getPropertyName());
            }
            throw refusal(place, value, e.getOriginalMessage(), e);
        }
    }

    /** Refuses numbers that JSON does not have, where Jackson writes them as texts. Confined. */
    private static final class FiniteNumbers extends JsonGeneratorDelegate {
        FiniteNumbers(JsonGenerator generator) {
            super(generator, false);
        }

        @Override
        public JsonGenerator writeNumber(double number) {
            return super.writeNumber(finite(number));
        }

        @Override
        public JsonGenerator writeNumber(float number) {
            return super.writeNumber((float) finite(number));
        }

        @Override
        public JsonGenerator writeArray(double[] numbers, int offset, int length) {
            for (int index = offset; index < offset + length; index++) {
                finite(numbers[index]);
            }
            return super.writeArray(numbers, offset, length);
        }

        private double finite(double number) {
            if (!Double.isFinite(number)) {
                throw new StreamWriteException(this, "JSON has no " + number);
            }
            return number;
        }
    }

    private static int depth(JsonNode tree) {
        int deepest = 0;
        for (JsonNode child : tree) {
            deepest = Math.max(deepest, 1 + depth(child));
        }
        return deepest;
    }

    private static JsonConversionException tooDeep(FieldPath at, @Nullable Object value) {
        return refusal(at, value, "it is nested deeper than " + DEPTH_MAX + " levels or contains itself", null);
    }

    private static JsonConversionException refusal(
            FieldPath at, @Nullable Object value, String reason, @Nullable Throwable cause) {
        String place = at.keys().isEmpty() ? "the value" : TextShortener.middle(at.toString(), SHOWN_BYTES_MAX);
        String type = value == null ? "null" : value.getClass().getName();
        return new JsonConversionException(
                place + " cannot be expressed in JSON (Java type " + type + "): " + reason
                        + "; use maps, lists, strings, numbers, booleans, records or beans",
                cause);
    }

    /**
     * Turns trees into immutable maps and lists. It does not use {@code Map.copyOf}, because JSON has nulls, and the
     * order must stay. Pure.
     */
    static final class JsonToJava {
        private JsonToJava() {}

        static @Nullable Object of(@Nullable JsonNode node) {
            if (node == null) {
                return null;
            }
            return switch (node.getNodeType()) {
                case OBJECT -> map(node);
                case ARRAY -> list(node);
                case BOOLEAN -> node.booleanValue();
                case NUMBER -> node.numberValue();
                case STRING, BINARY, POJO -> node.asString();
                case MISSING, NULL -> null;
            };
        }

        private static Map<String, @Nullable Object> map(JsonNode node) {
            Map<String, @Nullable Object> map = LinkedHashMap.newLinkedHashMap(node.size());
            node.forEachEntry((key, value) -> map.put(key, of(value)));
            return Collections.unmodifiableMap(map);
        }

        private static List<@Nullable Object> list(JsonNode node) {
            List<@Nullable Object> list = new ArrayList<>(node.size());
            for (JsonNode item : node) {
                list.add(of(item));
            }
            return Collections.unmodifiableList(list);
        }
    }
}
