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
import java.util.Locale;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads objects that clients send as protobuf, by the field numbers of the types. kubectl always sends built-in kinds
 * so. Responses are JSON, which every client accepts.
 */
public final class ProtobufDecoder {
    private static final byte[] MAGIC = {'k', '8', 's', 0};

    private ProtobufDecoder() {}

    /**
     * The object in an envelope of the API, which is runtime.Unknown of {@code pkg/runtime/generated.proto} of
     * apimachinery, v1.33; empty if its kind is not built in.
     */
    public static Optional<ObjectNode> read(byte[] body) {
        if (body.length < MAGIC.length || !Arrays.equals(MAGIC, 0, 4, body, 0, 4)) {
            throw new DecodingException("provided data does not appear to be a protobuf message, expected prefix");
        }
        ProtobufWire envelope = new ProtobufWire(body, MAGIC.length, body.length);
        String apiVersion = "";
        String kind = "";
        ProtobufWire raw = new ProtobufWire(body, 0, 0);
        while (envelope.next()) {
            if (envelope.field() == 1) {
                ProtobufWire type = envelope.message();
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

    private static Optional<ObjectNode> object(String apiVersion, String kind, ProtobufWire raw) {
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

    private static void message(StructType type, ProtobufWire wire, ObjectNode into, String prefix) {
        while (wire.next()) {
            String number = prefix + wire.field();
            Optional<TypeField> field = type.numbered(number);
            if (field.isPresent()) {
                put(field.get(), wire, into);
            } else if (type.numberedBelow(number + ".")) {
                message(type, wire.message(), into, number + ".");
            }
        }
    }

    private static void put(TypeField field, ProtobufWire wire, ObjectNode into) {
        switch (field.fieldType()) {
            case FieldType.ListOf(FieldType element) -> add(element, wire, into.withArray(field.name()));
            case FieldType.MapOf(FieldType element) -> entry(element, wire.message(), Json.child(into, field.name()));
            default -> into.set(field.name(), value(field.fieldType(), wire));
        }
    }

    private static void add(FieldType element, ProtobufWire wire, ArrayNode list) {
        if (ScalarCodec.isWhole(element) && wire.isBytes()) {
            ProtobufWire packed = wire.message();
            while (packed.more()) {
                list.add(packed.packedVarint());
            }
        } else {
            list.add(value(element, wire));
        }
    }

    private static void entry(FieldType element, ProtobufWire wire, ObjectNode into) {
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

    private static JsonNode value(FieldType fieldType, ProtobufWire wire) {
        return switch (fieldType) {
            case FieldType.Struct(String name) -> {
                ObjectNode object = Json.object();
                message(BuiltinTypes.get().type(name), wire.message(), object, "");
                yield object;
            }
            case FieldType.Scalar(FieldType.ScalarType scalarType) -> ProtobufScalars.read(scalarType, wire);
            case FieldType.ListOf(FieldType element) -> list(element, wire.message());
            case FieldType.MapOf(FieldType element) -> {
                ObjectNode object = Json.object();
                entry(element, wire.message(), object);
                yield object;
            }
        };
    }

    /** A list inside a map is a message with the elements as its first field. */
    private static JsonNode list(FieldType element, ProtobufWire wire) {
        ArrayNode array = Json.array();
        while (wire.next()) {
            array.add(value(element, wire));
        }
        return array;
    }

    /** Makes single values in protobuf JSON. Some are messages: times, quantities, integers or strings. Pure. */
    private static final class ProtobufScalars {
        private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern(
                        "yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'", Locale.ROOT)
                .withZone(ZoneOffset.UTC);
        private static final JsonNodeFactory NODES = JsonNodeFactory.instance;
        private static final FieldType SCHEMA = new FieldType.Struct(BuiltinTypes.SCHEMA);

        private ProtobufScalars() {}

        /** The present field. */
        static JsonNode read(FieldType.ScalarType scalarType, ProtobufWire wire) {
            return switch (scalarType) {
                case STRING -> NODES.stringNode(wire.text());
                case INTEGER, LONG -> NODES.numberNode(wire.varint());
                case BOOLEAN -> NODES.booleanNode(wire.varint() != 0);
                case NUMBER -> number(wire.real());
                case BYTES -> NODES.stringNode(Base64.getEncoder().encodeToString(wire.bytes()));
                case QUANTITY -> NODES.stringNode(onlyField(wire.message()));
                case INT_OR_STRING -> intOrString(wire.message());
                case TIME -> time(wire.message(), false);
                case MICRO_TIME -> time(wire.message(), true);
                case ANY -> Json.parse(onlyField(wire.message()));
                case SCHEMA_OR_BOOL -> schemaOrBool(wire.message());
                case SCHEMA_OR_STRINGS -> schemaOrStrings(wire.message());
            };
        }

        /** Whole numbers are written without a fraction, as Go writes them. */
        private static JsonNode number(double real) {
            long whole = (long) real;
            return whole == real && Math.abs(real) < 1L << 53
                    ? NODES.numberNode(whole)
                    : NODES.numberNode(BigDecimal.valueOf(real));
        }

        private static String onlyField(ProtobufWire wire) {
            String text = "";
            while (wire.next()) {
                text = wire.text();
            }
            return text;
        }

        /**
         * JSONSchemaPropsOrBool has a boolean, which is always written, and a schema; JSONSchemaPropsOrArray a schema
         * and schemas. One that is empty is null.
         */
        private static JsonNode schemaOrBool(ProtobufWire wire) {
            JsonNode read = NODES.nullNode();
            boolean orBool = false;
            while (wire.next()) {
                if (!wire.isBytes()) {
                    orBool = true;
                    read = NODES.booleanNode(wire.varint() != 0);
                } else if (orBool || wire.field() == 1) {
                    read = value(SCHEMA, wire);
                } else {
                    ArrayNode schemas = read instanceof ArrayNode earlier ? earlier : Json.array();
                    schemas.add(value(SCHEMA, wire));
                    read = schemas;
                }
            }
            return read;
        }

        private static JsonNode schemaOrStrings(ProtobufWire wire) {
            ArrayNode strings = Json.array();
            while (wire.next()) {
                if (wire.field() == 1) {
                    return value(SCHEMA, wire);
                }
                strings.add(wire.text());
            }
            return strings;
        }

        private static JsonNode intOrString(ProtobufWire wire) {
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
            return type == 0 ? NODES.numberNode(number) : NODES.stringNode(text);
        }

        private static JsonNode time(ProtobufWire wire, boolean micros) {
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
                return NODES.nullNode();
            }
            return NODES.stringNode(
                    micros
                            ? MICROS.format(Instant.ofEpochSecond(seconds, nanos))
                            : Instant.ofEpochSecond(seconds).toString());
        }
    }

    /**
     * Reads the fields of one protobuf message, one after the other; <a
     * href="https://protobuf.dev/programming-guides/encoding/">the encoding</a>. Confined to one thread.
     */
    private static final class ProtobufWire {
        private static final int VARINT = 0;
        private static final int FIXED_64 = 1;
        private static final int BYTES = 2;
        private static final int FIXED_32 = 5;

        private final byte[] data;
        private final int end;
        private int position;
        private int field;
        private int type;
        private int start;
        private int length;
        private long number;

        /** Reads the message between two positions. */
        ProtobufWire(byte[] data, int position, int end) {
            this.data = data;
            this.position = position;
            this.end = end;
        }

        /** True if there is more to read. */
        boolean more() {
            return position < end;
        }

        /** Goes to the next field; false if there is none. */
        boolean next() {
            if (!more()) {
                return false;
            }
            long key = varintAtPosition();
            field = (int) (key >>> 3);
            type = (int) (key & 7);
            switch (type) {
                case VARINT -> number = varintAtPosition();
                case FIXED_64 -> skip(Long.BYTES);
                case BYTES -> skip((int) varintAtPosition());
                case FIXED_32 -> skip(Integer.BYTES);
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
            for (int shift = 0; shift < Long.SIZE; shift += 7) {
                if (!more()) {
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

        /** The number of the present field. */
        int field() {
            return field;
        }

        /** True if the present field is a string, bytes, a message, or packed numbers. */
        boolean isBytes() {
            return type == BYTES;
        }

        /** The present field as a whole number. */
        long varint() {
            return number;
        }

        /** The next of packed whole numbers, which have no field numbers between them. */
        long packedVarint() {
            return varintAtPosition();
        }

        /** The present field as a number of 64 bits. */
        double real() {
            if (length != Double.BYTES) {
                throw new DecodingException("unexpected EOF in protobuf message");
            }
            return ByteBuffer.wrap(data, start, length)
                    .order(ByteOrder.LITTLE_ENDIAN)
                    .getDouble();
        }

        /** The present field as bytes. */
        byte[] bytes() {
            return Arrays.copyOfRange(data, start, start + length);
        }

        /** The present field as a string. */
        String text() {
            return new String(data, start, length, StandardCharsets.UTF_8);
        }

        /** The present field as a message. */
        ProtobufWire message() {
            return new ProtobufWire(data, start, start + length);
        }
    }
}
