package dev.kopf4j.devcluster.cel;

import com.google.protobuf.ByteString;
import com.google.protobuf.Duration;
import com.google.protobuf.NullValue;
import com.google.protobuf.Timestamp;
import dev.kopf4j.devcluster.schema.StringFormats;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import dev.kopf4j.devcluster.value.ApiTimes;
import dev.kopf4j.devcluster.value.GoDurations;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Makes JSON the values of expressions; {@code pkg/cel/common/values.go} of the apiserver library, v1.33. */
final class CelValues {
    private static final Instant FIRST_TIME = Instant.parse("0001-01-01T00:00:00Z");

    private CelValues() {}

    /** A value by its schema: the fields of objects are escaped, the keys of maps are not. */
    static Object of(StructuralSchema structuralSchema, JsonNode node) {
        return switch (node) {
            case ObjectNode object -> {
                boolean isMap =
                        structuralSchema.node().path("additionalProperties").isObject();
                Map<String, Object> map = new LinkedHashMap<>();
                for (Map.Entry<String, JsonNode> entry : object.properties()) {
                    String name = isMap ? entry.getKey() : FieldNameEscaping.escape(entry.getKey());
                    Optional<StructuralSchema> field = structuralSchema.field(entry.getKey());
                    map.put(name, field.isPresent() ? of(field.get(), entry.getValue()) : plain(entry.getValue()));
                }
                yield map;
            }
            case ArrayNode array
            when structuralSchema.items().isPresent() -> {
                List<Object> list = new ArrayList<>();
                array.forEach(item -> list.add(of(structuralSchema.items().get(), item)));
                yield list;
            }
            default -> scalar(structuralSchema, node);
        };
    }

    private static Object scalar(StructuralSchema structuralSchema, JsonNode node) {
        if (node.isNumber() && structuralSchema.type().equals("number")) {
            return node.doubleValue();
        }
        if (node.isString() && !structuralSchema.flag("x-kubernetes-int-or-string")) {
            return text(structuralSchema.node().path("format").asString(""), node.stringValue());
        }
        return plain(node);
    }

    private static Object text(String format, String text) {
        if (!StringFormats.fits(format, text)) {
            return text;
        }
        return switch (format) {
            case "date-time" ->
                ApiTimes.read(text).map(time -> time(time, text)).orElse(text);
            case "date" ->
                time(LocalDate.parse(text).atStartOfDay(ZoneOffset.UTC).toInstant(), text);
            case "byte" -> ByteString.copyFrom(Base64.getDecoder().decode(text));
            case "duration" ->
                GoDurations.parse(text).<Object>map(CelValues::duration).orElse(text);
            default -> text;
        };
    }

    /** A time of CEL; what it does not know as one stays a text, which no function of times takes. */
    private static Object time(Instant instant, String text) {
        return instant.isBefore(FIRST_TIME) ? text : timestamp(instant);
    }

    private static Object timestamp(Instant instant) {
        return Timestamp.newBuilder()
                .setSeconds(instant.getEpochSecond())
                .setNanos(instant.getNano())
                .build();
    }

    private static Object duration(java.time.Duration duration) {
        long nanos = duration.toNanos();
        return Duration.newBuilder()
                .setSeconds(nanos / 1_000_000_000)
                .setNanos((int) (nanos % 1_000_000_000))
                .build();
    }

    /** A value without a schema. */
    static Object plain(JsonNode node) {
        return switch (node) {
            case ObjectNode object -> {
                Map<String, Object> map = new LinkedHashMap<>();
                object.properties().forEach(entry -> map.put(entry.getKey(), plain(entry.getValue())));
                yield map;
            }
            case ArrayNode array -> {
                List<Object> list = new ArrayList<>();
                array.forEach(item -> list.add(plain(item)));
                yield list;
            }
            default ->
                switch (node.getNodeType()) {
                    case BOOLEAN -> node.booleanValue();
                    case NUMBER ->
                        node.isIntegralNumber() && node.canConvertToLong()
                                ? (Object) node.longValue()
                                : (Object) node.doubleValue();
                    case STRING -> node.stringValue();
                    default -> NullValue.NULL_VALUE;
                };
        };
    }
}
