package dev.kopf4j.devcluster.json;

import dev.kopf4j.json.JsonLimits;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;
import tools.jackson.databind.node.ValueNode;

/** The one JSON reader and writer of the server. Stateless and thread-safe. */
public final class Json {
    private static final JsonMapper MAPPER = mapper(JsonLimits.ofAnswers());
    private static final JsonMapper WRITTEN = mapper(JsonLimits.ofRequests());
    private static final JsonMapper REQUESTS = mapper(JsonLimits.ofRequests())
            .rebuild()
            .nodeFactory(new ServerValues())
            .build();

    private Json() {}

    private static JsonMapper mapper(JsonFactory factory) {
        return JsonMapper.builder(factory)
                .enable(DeserializationFeature.FAIL_ON_TRAILING_TOKENS)
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .build();
    }

    /**
     * Reads the body of a request, as {@link #parse(byte[])} does; what has too many levels is not JSON, either.
     * Numbers are those that a real server keeps; {@link TooLargeNumberException} for what it cannot.
     */
    public static JsonNode parseRequest(byte[] text) {
        return REQUESTS.readTree(text);
    }

    /** Reads a document; {@link JacksonException} if it is not JSON, a missing node if it is empty. */
    public static JsonNode parse(byte[] text) {
        return MAPPER.readTree(text);
    }

    /** Reads a document; {@link JacksonException} when it is not JSON. */
    public static JsonNode parse(String text) {
        return MAPPER.readTree(text);
    }

    /** Reads a document with numbers as they are written: 1.0 is no integer. */
    public static JsonNode parseWritten(byte[] text) {
        return WRITTEN.readTree(text);
    }

    /** Whether a document may have a number that is written with a point or an exponent. */
    public static boolean hasReals(byte[] text) {
        boolean quoted = false;
        for (int at = 1; at < text.length; at++) {
            byte each = text[at];
            if (each == '"') {
                quoted = !quoted;
            } else if (quoted && each == '\\') {
                at++;
            } else if (!quoted
                    && (each == '.' || each == 'e' || each == 'E')
                    && text[at - 1] >= '0'
                    && text[at - 1] <= '9') {
                return true;
            }
        }
        return false;
    }

    /** A value of a JSON patch as a real server keeps it; {@link TooLargeNumberException} if it cannot. */
    public static JsonNode kept(JsonNode value) {
        return REQUESTS.readTree(bytes(value));
    }

    /** The compact form in UTF-8. */
    public static byte[] bytes(JsonNode node) {
        return MAPPER.writeValueAsBytes(node);
    }

    /** The compact form. */
    public static String text(JsonNode node) {
        return MAPPER.writeValueAsString(node);
    }

    /** A new empty object. */
    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** A new empty array. */
    public static ArrayNode array() {
        return JsonNodeFactory.instance.arrayNode();
    }

    /** A new array of strings. */
    public static ArrayNode array(Iterable<String> values) {
        ArrayNode array = array();
        values.forEach(array::add);
        return array;
    }

    /** A copy of a form, in which values stand for the texts {@code $NAME}; it equals what is read of its text. */
    public static ObjectNode filled(ObjectNode form, Map<String, ?> values) {
        ObjectNode filled = object();
        form.properties().forEach(field -> filled.set(field.getKey(), filled(field.getValue(), values)));
        return filled;
    }

    private static JsonNode filled(JsonNode form, Map<String, ?> values) {
        if (form instanceof ObjectNode object) {
            return filled(object, values);
        } else if (form instanceof ArrayNode elements) {
            ArrayNode filled = array();
            elements.forEach(each -> filled.add(filled(each, values)));
            return filled;
        }
        Object value = form.isString() ? values.get(form.stringValue().replaceFirst("^[$]", "")) : null;
        return value == null || !form.stringValue().startsWith("$")
                ? form
                : value instanceof Number number
                        ? number(number.longValue())
                        : JsonNodeFactory.instance.stringNode(value.toString());
    }

    private static JsonNode number(long value) {
        return (int) value == value
                ? JsonNodeFactory.instance.numberNode((int) value)
                : JsonNodeFactory.instance.numberNode(value);
    }

    /** The string at a chain of keys; empty if there is none. */
    public static String string(JsonNode node, String... keys) {
        JsonNode found = at(node, keys);
        return found.isString() ? found.stringValue() : "";
    }

    /** The node at a chain of keys, or a missing node. */
    public static JsonNode at(JsonNode node, String... keys) {
        JsonNode found = node;
        for (String key : keys) {
            found = found.path(key);
        }
        return found;
    }

    /** The elements of the array at a chain of keys; none if there is no array. */
    public static Stream<JsonNode> items(JsonNode node, String... keys) {
        return at(node, keys).valueStream();
    }

    /** The node at a path such as {@code .spec.replicas}; a missing node for an empty one. */
    public static JsonNode atPath(JsonNode node, String path) {
        return path.isEmpty() ? missing() : at(node, path.substring(1).split("\\.", -1));
    }

    /** The array at a key, created if there is none. */
    public static ArrayNode list(ObjectNode parent, String key) {
        return parent.get(key) instanceof ArrayNode present ? present : parent.putArray(key);
    }

    /** The object at a key, created if there is none. */
    public static ObjectNode child(ObjectNode parent, String key) {
        if (parent.get(key) instanceof ObjectNode present) {
            return present;
        }
        return parent.putObject(key);
    }

    /** The missing node. */
    public static JsonNode missing() {
        return MissingNode.getInstance();
    }

    /**
     * Values as a real server keeps them. Numbers: integers of 64 bits, and real numbers of double precision for all
     * others, written without an exponent from a millionth up to 10^21; neither 1.0 nor -0 is kept as it was sent.
     * Texts: half of a letter (a lone surrogate) becomes U+FFFD.
     */
    private static final class ServerValues extends JsonNodeFactory {
        private static final long serialVersionUID = 1L;

        private static final char REPLACEMENT = '\uFFFD';
        private static final double PLAIN_MIN = 1e-6;
        private static final double PLAIN_MAX = 1e21;

        @Override
        public StringNode stringNode(String text) {
            return super.stringNode(isWellFormed(text) ? text : wellFormed(text));
        }

        private static boolean isWellFormed(String text) {
            for (int at = 0; at < text.length(); at++) {
                if (Character.isSurrogate(text.charAt(at))) {
                    return false;
                }
            }
            return true;
        }

        private static String wellFormed(String text) {
            StringBuilder whole = new StringBuilder(text.length());
            text.codePoints()
                    .forEach(letter -> whole.appendCodePoint(
                            letter >= Character.MIN_SURROGATE && letter <= Character.MAX_SURROGATE
                                    ? REPLACEMENT
                                    : letter));
            return whole.toString();
        }

        @Override
        public ValueNode numberNode(BigInteger number) {
            return number.bitLength() < Long.SIZE ? numberNode(number.longValue()) : real(number.doubleValue(), number);
        }

        @Override
        public ValueNode numberNode(BigDecimal number) {
            return real(number.doubleValue(), number);
        }

        private ValueNode real(double number, Number sent) {
            if (!Double.isFinite(number)) {
                throw new TooLargeNumberException(sent);
            }
            BigDecimal shortest = new BigDecimal(Double.toString(number)).stripTrailingZeros();
            double size = Math.abs(number);
            if (shortest.signum() == 0) {
                return numberNode(0);
            }
            if (size >= PLAIN_MAX || size < PLAIN_MIN) {
                return super.numberNode(shortest);
            }
            if (shortest.scale() > 0) {
                return super.numberNode(shortest);
            }
            BigInteger whole = shortest.toBigIntegerExact();
            return whole.bitLength() < Long.SIZE ? numberNode(whole.longValue()) : super.numberNode(whole);
        }
    }
}
