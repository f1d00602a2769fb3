package dev.kopf4j.devcluster.types;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.value.DecodingException;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Base64;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads objects that clients send as protobuf, by the field numbers of the types: kubectl does so for built-in kinds
 * and has no other way. Answers are JSON, which every client takes.
 */
public final class ProtobufDecoder {
    private static final byte[] MAGIC = {'k', '8', 's', 0};
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private ProtobufDecoder() {}

    /** The object in an envelope of the API; none when its kind is not built in. */
    public static Optional<ObjectNode> read(byte[] body) {
        if (body.length < MAGIC.length || !Arrays.equals(MAGIC, 0, 4, body, 0, 4)) {
            throw new DecodingException("provided data does not appear to be a protobuf message, expected prefix");
        }
        Wire envelope = new Wire(body, MAGIC.length, body.length);
        String apiVersion = "";
        String kind = "";
        Wire raw = new Wire(body, 0, 0);
        while (envelope.next()) {
            if (envelope.field() == 1) {
                Wire type = envelope.message();
                while (type.next()) {
                    if (type.field() == 1) {
                        apiVersion = type.text();
                    } else if (type.field() == 2) {
                        kind = type.text();
                    }
                }
            } else if (envelope.field() == 2) {
                raw = envelope.message();
            }
        }
        return object(apiVersion, kind, raw);
    }

    private static Optional<ObjectNode> object(String apiVersion, String kind, Wire raw) {
        int slash = apiVersion.indexOf('/');
        String group = slash < 0 ? "" : apiVersion.substring(0, slash);
        String version = apiVersion.substring(slash + 1);
        Optional<StructType> type = kind.equals("DeleteOptions")
                ? Optional.of(BuiltinTypes.get().type("meta.v1.DeleteOptions"))
                : BuiltinTypes.get().of(group, version, kind);
        return type.map(known -> {
            ObjectNode object = Json.object().put("kind", kind).put("apiVersion", apiVersion);
            message(known, raw, object, "");
            return object;
        });
    }

    private static void message(StructType type, Wire wire, ObjectNode into, String prefix) {
        while (wire.next()) {
            String number = prefix + wire.field();
            Optional<TypeField> field = type.numbered(number);
            if (field.isPresent()) {
                put(field.get(), field.get().fieldType(), wire, into);
            } else if (type.numberedBelow(number + ".")) {
                message(type, wire.message(), into, number + ".");
            }
        }
    }

    private static void put(TypeField typeField, FieldType fieldType, Wire wire, ObjectNode into) {
        switch (fieldType) {
            case FieldType.ListOf(FieldType element) -> {
                if (element instanceof FieldType.Scalar(FieldType.ScalarType scalarType)
                        && scalarType == FieldType.ScalarType.INTEGER
                        && wire.isBytes()) {
                    Wire packed = wire.message();
                    while (packed.more()) {
                        into.withArray(typeField.name()).add(packed.varint());
                    }
                } else {
                    into.withArray(typeField.name()).add(value(element, wire));
                }
            }
            case FieldType.MapOf(FieldType element) ->
                entry(element, wire.message(), Json.child(into, typeField.name()));
            default -> into.set(typeField.name(), value(fieldType, wire));
        }
    }

    private static void entry(FieldType element, Wire wire, ObjectNode into) {
        String key = "";
        JsonNode value = JsonNodeFactory.instance.stringNode("");
        while (wire.next()) {
            if (wire.field() == 1) {
                key = wire.text();
            } else {
                value = value(element, wire);
            }
        }
        into.set(key, value);
    }

    private static JsonNode value(FieldType fieldType, Wire wire) {
        return switch (fieldType) {
            case FieldType.Struct(String name) -> {
                ObjectNode object = Json.object();
                message(BuiltinTypes.get().type(name), wire.message(), object, "");
                yield object;
            }
            case FieldType.Scalar(FieldType.ScalarType scalarType) -> scalar(scalarType, wire);
            case FieldType.ListOf list -> list(list, wire.message());
            case FieldType.MapOf(FieldType element) -> {
                ObjectNode object = Json.object();
                entry(element, wire.message(), object);
                yield object;
            }
        };
    }

    /** A list inside a map is a message with the elements as its first field. */
    private static JsonNode list(FieldType.ListOf form, Wire wire) {
        tools.jackson.databind.node.ArrayNode array = Json.array();
        while (wire.next()) {
            array.add(value(form.element(), wire));
        }
        return array;
    }

    private static JsonNode scalar(FieldType.ScalarType scalarType, Wire wire) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        return switch (scalarType) {
            case STRING -> nodes.stringNode(wire.text());
            case INTEGER -> nodes.numberNode(wire.varint());
            case BOOLEAN -> nodes.booleanNode(wire.varint() != 0);
            case NUMBER -> nodes.numberNode(BigDecimal.valueOf(wire.real()));
            case BYTES -> nodes.stringNode(Base64.getEncoder().encodeToString(wire.bytes()));
            case QUANTITY -> nodes.stringNode(first(wire.message()));
            case INT_OR_STRING -> intOrString(wire.message());
            case TIME -> time(wire.message(), false);
            case MICRO_TIME -> time(wire.message(), true);
            case ANY, SCHEMA_OR_BOOL -> Json.parse(first(wire.message()));
        };
    }

    private static String first(Wire wire) {
        String text = "";
        while (wire.next()) {
            text = wire.text();
        }
        return text;
    }

    private static JsonNode intOrString(Wire wire) {
        long type = 0;
        long number = 0;
        String text = "";
        while (wire.next()) {
            switch (wire.field()) {
                case 1 -> type = wire.varint();
                case 2 -> number = wire.varint();
                default -> text = wire.text();
            }
        }
        return type == 0 ? JsonNodeFactory.instance.numberNode(number) : JsonNodeFactory.instance.stringNode(text);
    }

    private static JsonNode time(Wire wire, boolean micros) {
        long seconds = 0;
        long nanos = 0;
        while (wire.next()) {
            if (wire.field() == 1) {
                seconds = wire.varint();
            } else {
                nanos = wire.varint();
            }
        }
        if (seconds == 0 && nanos == 0) {
            return JsonNodeFactory.instance.nullNode();
        }
        Instant instant = Instant.ofEpochSecond(seconds, nanos);
        return JsonNodeFactory.instance.stringNode(
                micros ? MICROS.format(instant) : Instant.ofEpochSecond(seconds).toString());
    }

    /** The fields of one message, one after the other. */
    private static final class Wire {
        private final byte[] data;
        private final int end;
        private int position;
        private int field;
        private int type;
        private int start;
        private int length;
        private long number;

        Wire(byte[] data, int position, int end) {
            this.data = data;
            this.position = position;
            this.end = end;
        }

        boolean more() {
            return position < end;
        }

        boolean next() {
            if (position >= end) {
                return false;
            }
            long key = varintAtPosition();
            field = (int) (key >>> 3);
            type = (int) (key & 7);
            switch (type) {
                case 0 -> number = varintAtPosition();
                case 1 -> skip(8);
                case 2 -> skip((int) varintAtPosition());
                case 5 -> skip(4);
                default -> throw new DecodingException("unknown protobuf wire type " + type);
            }
            return true;
        }

        private void skip(int count) {
            if (count < 0 || count > end - position) {
                throw new DecodingException("unexpected EOF in protobuf message");
            }
            start = position;
            length = count;
            position += count;
        }

        private long varintAtPosition() {
            long value = 0;
            for (int shift = 0; shift < 64; shift += 7) {
                if (position >= end) {
                    throw new DecodingException("unexpected EOF in protobuf message");
                }
                byte next = data[position++];
                value |= (long) (next & 0x7f) << shift;
                if (next >= 0) {
                    return value;
                }
            }
            throw new DecodingException("protobuf integer overflow");
        }

        int field() {
            return field;
        }

        boolean isBytes() {
            return type == 2;
        }

        long varint() {
            return type == 2 ? varintAtPosition() : number;
        }

        double real() {
            return ByteBuffer.wrap(data, start, length)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .getDouble();
        }

        byte[] bytes() {
            return Arrays.copyOfRange(data, start, start + length);
        }

        String text() {
            return new String(data, start, length, StandardCharsets.UTF_8);
        }

        Wire message() {
            return new Wire(data, start, start + length);
        }
    }
}
