package dev.kopf4j.types.schema;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.net.URI;
import java.net.URL;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.OffsetDateTime;
import java.time.ZonedDateTime;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalDouble;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.UUID;

/**
 * The schemas of types that are one value in JSON, and of those that no reflection could describe. Pure.
 *
 * <p>They refuse what handlers could not read: of a format, servers take more than Java does, and of {@code int32} any
 * whole number.
 */
public final class PlainTypes {
    private static final String FORMAT = "format";
    private static final String PATTERN = "pattern";

    /** What {@link Duration} reads; Kubernetes' own form, {@code 1h30m}, it does not. */
    private static final String ISO_DURATION = isoDuration();

    /** As tools for Go write it. */
    private static final String QUANTITY = "^(\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))"
            + "(([KMGTPE]i)|[numkMGTPE]|([eE](\\+|-)?(([0-9]+(\\.[0-9]*)?)|(\\.[0-9]+))))?$";

    private static final Map<String, Map<String, Object>> READABLE = Map.of(
            "int32",
            Map.of("minimum", Integer.MIN_VALUE, "maximum", Integer.MAX_VALUE),
            "uuid",
            Map.of(PATTERN, "^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$"),
            "date-time",
            Map.of(PATTERN, "^[0-9-]{10}[tT][0-9:]{8}(\\.[0-9]{1,9})?([zZ]|[-+](0[0-9]|1[0-7]):[0-5][0-9]|[-+]18:00)$"),
            "uri",
            Map.of(PATTERN, uri()));

    private static final Map<Class<?>, Map<String, Object>> BY_CLASS = new HashMap<>();

    /** Of libraries that are not needed to recognize their types. */
    private static final Map<String, Map<String, Object>> BY_NAME = new HashMap<>();

    static {
        put(Map.of("type", "string"), String.class, CharSequence.class, char[].class);
        put(
                Map.of("type", "string", "minLength", 1, "maxLength", 1, PATTERN, "^[\\x{0}-\\x{FFFF}]$"),
                char.class,
                Character.class);
        put(Map.of("type", "boolean"), boolean.class, Boolean.class);
        put(integer("int32", Byte.MIN_VALUE, Byte.MAX_VALUE), byte.class, Byte.class);
        put(integer("int32", Short.MIN_VALUE, Short.MAX_VALUE), short.class, Short.class);
        put(integer("int32", Integer.MIN_VALUE, Integer.MAX_VALUE), int.class, Integer.class, OptionalInt.class);
        put(Map.of("type", "integer", FORMAT, "int64"), long.class, Long.class, OptionalLong.class);
        put(Map.of("type", "integer"), BigInteger.class);
        put(Map.of("type", "number", FORMAT, "float"), float.class, Float.class);
        put(Map.of("type", "number", FORMAT, "double"), double.class, Double.class, OptionalDouble.class);
        put(Map.of("type", "number"), BigDecimal.class, Number.class);
        put(text("date-time"), Instant.class, OffsetDateTime.class, ZonedDateTime.class);
        put(Map.of("type", "string", FORMAT, "date"), LocalDate.class);
        put(text("uuid"), UUID.class);
        put(text("uri"), URI.class);
        put(Map.of("type", "string", FORMAT, "uri"), URL.class);
        put(Map.of("type", "string", FORMAT, "byte"), byte[].class);
        put(Map.of("type", "string", PATTERN, ISO_DURATION), Duration.class);
        String models = "io.fabric8.kubernetes.api.model.";
        BY_NAME.put(models + "Quantity", intOrString(Map.of(PATTERN, QUANTITY)));
        BY_NAME.put(models + "IntOrString", intOrString(readable("int32")));
        BY_NAME.put(models + "AnyType", anything());
        BY_NAME.put(models + "Duration", Map.of("type", "string", PATTERN, wordedDuration()));
        BY_NAME.put(models + "MicroTime", Map.of("type", "string", FORMAT, "date-time"));
        BY_NAME.put(models + "ObjectMeta", object());
        BY_NAME.put(models + "FieldsV1", object());
        BY_NAME.put(models + "KubernetesResource", object());
        BY_NAME.put(models + "runtime.RawExtension", object());
        BY_NAME.put(models + "HasMetadata", embedded());
        BY_NAME.put(models + "GenericKubernetesResource", embedded());
        BY_NAME.put("com.fasterxml.jackson.databind.JsonNode", anything());
        BY_NAME.put("tools.jackson.databind.JsonNode", anything());
        BY_NAME.put("tools.jackson.databind.node.ObjectNode", object());
        BY_NAME.put("com.fasterxml.jackson.databind.node.ObjectNode", object());
    }

    private PlainTypes() {}

    /**
     * What is to be in a schema of this format so that it refuses what the Java type cannot read, and servers take;
     * empty where there is no such thing.
     */
    public static Map<String, Object> readable(String format) {
        return READABLE.getOrDefault(format, Map.of());
    }

    /**
     * A part has to be there, and one after the T: patterns of the API server cannot look ahead, but the last part can
     * be named. More digits might be more than a duration can be.
     */
    private static String isoDuration() {
        String number = "[-+]?[0-9]{1,13}";
        String days = number + "D";
        String hours = number + "H";
        String minutes = number + "M";
        String seconds = number + "([.,][0-9]{0,9})?S";
        String time = "T(" + hours + "|(" + hours + ")?(" + minutes + "|(" + minutes + ")?" + seconds + "))";
        return "^[-+]?P(" + days + "|(" + days + ")?" + time + ")$";
    }

    /** The durations of fabric8, which writes them in nanoseconds. */
    private static String wordedDuration() {
        String units = "us|µs|micros?|ms|millis?|s|secs?|m|mins?|h|hr|hours?|d|days?|w|wk|weeks?";
        String fraction = "(\\.[0-9]{1,9})?\\s*";
        return "^([-+]?(([0-9]{1,18}|[0-8][0-9]{18})" + fraction + "(?i:ns|nanos?)|[0-9]{1,12}" + fraction + "(?i:"
                + units + "))\\s*)+$";
    }

    /** Servers take spaces, braces, brackets and single percent signs anywhere, and {@code http://} without a host. */
    private static String uri() {
        String refused = "\\pZ\\p{Cc}\"#%<>\\\\^`{|}";
        String escaped = "|%[0-9a-fA-F]{2})";
        String any = "([^" + refused + "]" + escaped + "*";
        String plain = "([^" + refused + "?\\[\\]]" + escaped;
        String part = "([^" + refused + "?\\[\\]/]" + escaped;
        String user = "([^" + refused + "?\\[\\]/@]" + escaped + "*@";
        String ipv6 = "(" + user + ")?\\[[0-9a-fA-F:.]+(%25[a-zA-Z0-9_.]+)?\\](:[0-9]{0,9})?";
        String path = "/(" + part + plain + "*)?";
        String host = "//((" + part + "+|" + ipv6 + ")(/" + plain + "*)?|/" + plain + "*)";
        String scheme = "[a-zA-Z][-+.a-zA-Z0-9]*:";
        String opaque = scheme + "([^" + refused + "/]" + escaped + any;
        return "^((" + scheme + ")?(" + path + "|" + host + ")(\\?" + any + ")?|" + opaque + ")(#" + any + ")?$";
    }

    private static void put(Map<String, Object> schema, Class<?>... types) {
        for (Class<?> type : types) {
            BY_CLASS.put(type, schema);
        }
    }

    private static Map<String, Object> integer(String format, int minimum, int maximum) {
        return Map.of("type", "integer", FORMAT, format, "minimum", minimum, "maximum", maximum);
    }

    private static Map<String, Object> text(String format) {
        Map<String, Object> schema = new HashMap<>(readable(format));
        schema.put("type", "string");
        schema.put(FORMAT, format);
        return schema;
    }

    /** A whole number or a text. */
    static Map<String, Object> intOrString() {
        return intOrString(Map.of());
    }

    private static Map<String, Object> intOrString(Map<String, Object> limits) {
        Map<String, Object> schema = new HashMap<>(limits);
        schema.put("anyOf", java.util.List.of(Map.of("type", "integer"), Map.of("type", "string")));
        schema.put("x-kubernetes-int-or-string", true);
        return schema;
    }

    /** Any value. */
    static Map<String, Object> anything() {
        return Map.of("x-kubernetes-preserve-unknown-fields", true);
    }

    /** Any object. */
    static Map<String, Object> object() {
        return Map.of("type", "object", "x-kubernetes-preserve-unknown-fields", true);
    }

    /** Any object of Kubernetes. */
    static Map<String, Object> embedded() {
        return Map.of(
                "type", "object", "x-kubernetes-embedded-resource", true, "x-kubernetes-preserve-unknown-fields", true);
    }

    /** A new schema of the type; empty if it is not one of these. */
    static Optional<Map<String, Object>> of(Class<?> type) {
        Map<String, Object> found = BY_CLASS.containsKey(type) ? BY_CLASS.get(type) : BY_NAME.get(type.getName());
        return Optional.ofNullable(found).map(LinkedHashMap::new);
    }
}
