package dev.kopf4j.devcluster.types;

import dev.kopf4j.devcluster.json.Json;
import java.math.BigDecimal;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** Makes single values in protobuf JSON. Some are messages: times, quantities, integers or strings. Pure. */
final class ProtobufScalars {
    private static final DateTimeFormatter MICROS =
            DateTimeFormatter.ofPattern("yyyy-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);
    private static final JsonNodeFactory NODES = JsonNodeFactory.instance;

    private ProtobufScalars() {}

    /** The present field. */
    static JsonNode read(FieldType.ScalarType scalarType, ProtobufWire wire) {
        return switch (scalarType) {
            case STRING -> NODES.stringNode(wire.text());
            case INTEGER, LONG -> NODES.numberNode(wire.varint());
            case BOOLEAN -> NODES.booleanNode(wire.varint() != 0);
            case NUMBER -> NODES.numberNode(BigDecimal.valueOf(wire.real()));
            case BYTES -> NODES.stringNode(Base64.getEncoder().encodeToString(wire.bytes()));
            case QUANTITY -> NODES.stringNode(onlyField(wire.message()));
            case INT_OR_STRING -> intOrString(wire.message());
            case TIME -> time(wire.message(), false);
            case MICRO_TIME -> time(wire.message(), true);
            case ANY, SCHEMA_OR_BOOL -> Json.parse(onlyField(wire.message()));
        };
    }

    private static String onlyField(ProtobufWire wire) {
        String text = "";
        while (wire.next()) {
            text = wire.text();
        }
        return text;
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
