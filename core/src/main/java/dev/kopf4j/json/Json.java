package dev.kopf4j.json;

import java.lang.reflect.Type;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.StreamWriteFeature;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads, writes and converts JSON with one configuration for the whole framework.
 *
 * <p>Thread-safe. The returned trees are new and belong to the caller.
 */
public final class Json {
    private static final JsonMapper MAPPER = JsonMapper.builder(JsonLimits.factory())
            .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
            // As in Kubernetes' own Go types, an absent number is 0, and an absent flag is false. Boxed types can tell
            // them apart.
            .disable(DeserializationFeature.FAIL_ON_NULL_FOR_PRIMITIVES)
            // 1.5 must not silently become 1.
            .disable(DeserializationFeature.ACCEPT_FLOAT_AS_INT)
            .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
            // Lambdas, locks and the like have no properties. An empty object would hide the mistake.
            .enable(SerializationFeature.FAIL_ON_EMPTY_BEANS)
            .enable(StreamWriteFeature.WRITE_BIGDECIMAL_AS_PLAIN)
            .build();

    private Json() {}

    /** Returns the mapper, for streaming. It is immutable, as all mappers of Jackson 3 are. */
    public static JsonMapper mapper() {
        return MAPPER;
    }

    /** Returns a new empty object. */
    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** Reads one JSON value; throws {@link JsonConversionException} with line and column if there is none. */
    public static JsonNode parse(byte[] text) {
        try {
            return present(MAPPER.readTree(text));
        } catch (JacksonException e) {
            throw notJson(e);
        }
    }

    /** Reads one JSON value; throws {@link JsonConversionException} with line and column if there is none. */
    public static JsonNode parse(String text) {
        try {
            return present(MAPPER.readTree(text));
        } catch (JacksonException e) {
            throw notJson(e);
        }
    }

    /** Reads one JSON object; throws {@link JsonConversionException} for any other value. */
    public static ObjectNode parseObject(byte[] text) {
        return requireObject(parse(text));
    }

    /** Writes compactly, in UTF-8. Where a text has half of a character (a lone surrogate), a question mark stands. */
    public static byte[] bytes(JsonNode node) {
        try {
            return MAPPER.writeValueAsBytes(node);
        } catch (JacksonException e) {
            return MAPPER.writeValueAsString(node).getBytes(StandardCharsets.UTF_8);
        }
    }

    /** Writes compactly: no blanks, no line ends. */
    public static String text(JsonNode node) {
        return MAPPER.writeValueAsString(node);
    }

    /**
     * Returns plain Java values, deeply immutable: maps and lists (in the document's order), strings, booleans, numbers
     * of the narrowest type (integer, long, big integer; double or big decimal), null.
     */
    public static @Nullable Object toJava(@Nullable JsonNode node) {
        return JsonToJava.of(node);
    }

    /** Returns an object as maps and lists, which may be changed, all the way down. */
    public static Map<String, @Nullable Object> toMutableMap(ObjectNode node) {
        return JsonToMutableJava.map(node);
    }

    /**
     * Returns the JSON of a Java value: maps, collections, arrays, optionals, strings, numbers, enums (by name), times
     * and durations (ISO 8601), JSON trees (copied), records and beans. Throws {@link JsonConversionException} for
     * anything else (functions, cycles, not-a-number, null keys), and for what is much larger than any object of
     * Kubernetes may be; the message names the Java type and the path. Besides, whatever the value's own code throws.
     */
    public static JsonNode fromJava(@Nullable Object value) {
        return new JavaToJson(MAPPER).read(value);
    }

    /**
     * Binds a value to a Java type, such as a record. Unknown properties are ignored, absent primitives are zero,
     * absent references are null. Throws {@link JsonConversionException} if the value does not fit, or if there is
     * nothing to bind (JSON null to a type without a value for it); the message names the path, what was found, and
     * what was expected.
     */
    @SuppressWarnings(
            "TypeParameterUnusedInFormals") // the type is known at run time only, from the handler's parameter
    public static <T> T bind(JsonNode node, Type type) {
        return bind(node, type, FieldPath.ROOT);
    }

    /** Binds a part of a document, as {@link #bind(JsonNode, Type)} does. Messages put the path of the part first. */
    @SuppressWarnings("TypeParameterUnusedInFormals") // as above
    public static <T> T bind(JsonNode node, Type type, FieldPath at) {
        try {
            T value = MAPPER.treeToValue(node, MAPPER.constructType(type));
            if (value == null) {
                throw new JsonConversionException(BindingErrorMessage.nothingToBind(at, type), null);
            }
            return value;
        } catch (JacksonException e) {
            throw new JsonConversionException(BindingErrorMessage.message(at, node, type, e), e);
        }
    }

    private static JsonNode present(@Nullable JsonNode node) {
        if (node == null || node.isMissingNode()) {
            throw new JsonConversionException("expected a JSON value, but the text is empty", null);
        }
        return node;
    }

    private static ObjectNode requireObject(JsonNode node) {
        if (node instanceof ObjectNode object) {
            return object;
        }
        throw new JsonConversionException("expected a JSON object, but found " + ValueExcerpt.of(node), null);
    }

    private static JsonConversionException notJson(JacksonException e) {
        return new JsonConversionException(ParsingErrorMessage.of(e), e);
    }
}
