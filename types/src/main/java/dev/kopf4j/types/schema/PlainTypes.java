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

/** The schemas of types that are one value in JSON, and of those that no reflection could describe. Pure. */
final class PlainTypes {
    private static final String FORMAT = "format";

    /** What {@link Duration} reads; Kubernetes' own form, {@code 1h30m}, it does not. */
    private static final String ISO_DURATION = isoDuration();

    private static final Map<Class<?>, Map<String, Object>> BY_CLASS = new HashMap<>();

    /** Of libraries that are not needed to recognize their types. */
    private static final Map<String, Map<String, Object>> BY_NAME = new HashMap<>();

    static {
        put(Map.of("type", "string"), String.class, CharSequence.class, char[].class);
        put(Map.of("type", "string", "minLength", 1, "maxLength", 1), char.class, Character.class);
        put(Map.of("type", "boolean"), boolean.class, Boolean.class);
        put(integer("int32", Byte.MIN_VALUE, Byte.MAX_VALUE), byte.class, Byte.class);
        put(integer("int32", Short.MIN_VALUE, Short.MAX_VALUE), short.class, Short.class);
        put(Map.of("type", "integer", FORMAT, "int32"), int.class, Integer.class, OptionalInt.class);
        put(Map.of("type", "integer", FORMAT, "int64"), long.class, Long.class, OptionalLong.class);
        put(Map.of("type", "integer"), BigInteger.class);
        put(Map.of("type", "number", FORMAT, "float"), float.class, Float.class);
        put(Map.of("type", "number", FORMAT, "double"), double.class, Double.class, OptionalDouble.class);
        put(Map.of("type", "number"), BigDecimal.class, Number.class);
        put(text("date-time"), Instant.class, OffsetDateTime.class, ZonedDateTime.class);
        put(text("date"), LocalDate.class);
        put(text("uuid"), UUID.class);
        put(text("uri"), URI.class, URL.class);
        put(text("byte"), byte[].class);
        put(Map.of("type", "string", "pattern", ISO_DURATION), Duration.class);
        String models = "io.fabric8.kubernetes.api.model.";
        BY_NAME.put(models + "Quantity", intOrString());
        BY_NAME.put(models + "IntOrString", intOrString());
        BY_NAME.put(models + "AnyType", anything());
        BY_NAME.put(models + "Duration", Map.of("type", "string"));
        BY_NAME.put(models + "MicroTime", text("date-time"));
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
     * A part has to be there, and one after the T: patterns of the API server cannot look ahead, but the last part can
     * be named.
     */
    private static String isoDuration() {
        String days = "[-+]?[0-9]+D";
        String hours = "[-+]?[0-9]+H";
        String minutes = "[-+]?[0-9]+M";
        String seconds = "[-+]?[0-9]+([.,][0-9]{0,9})?S";
        String time = "T(" + hours + "|(" + hours + ")?(" + minutes + "|(" + minutes + ")?" + seconds + "))";
        return "^[-+]?P(" + days + "|(" + days + ")?" + time + ")$";
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
        return Map.of("type", "string", FORMAT, format);
    }

    /** A whole number or a text. */
    static Map<String, Object> intOrString() {
        return Map.of(
                "anyOf",
                java.util.List.of(Map.of("type", "integer"), Map.of("type", "string")),
                "x-kubernetes-int-or-string",
                true);
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
