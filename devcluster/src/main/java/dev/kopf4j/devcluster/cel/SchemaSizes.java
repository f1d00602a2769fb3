package dev.kopf4j.devcluster.cel;

import static dev.kopf4j.devcluster.cel.cost.SizedType.REQUEST;

import dev.kopf4j.devcluster.cel.cost.SizedType;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * The sizes that a schema allows: what it does not limit is limited by the greatest request, of 3 MiB. Follows
 * {@code pkg/cel/common/schemas.go} and {@code pkg/cel/limits.go} of the apiserver library, v1.33. Used for one
 * definition.
 */
final class SchemaSizes {
    private static final int BYTES_OF_CHARACTER = 4;
    private static final int TIME = 32;
    private static final int DATE = 12;
    private static final SizedType METADATA = new SizedType(
            0,
            2,
            Map.of("name", SizedType.scalar(REQUEST - 2, 2), "generateName", SizedType.scalar(REQUEST - 2, 2)),
            null);

    private final IdentityHashMap<JsonNode, Optional<SizedType>> known = new IdentityHashMap<>();

    /**
     * The sizes of a schema's values; empty if expressions cannot read them.
     *
     * @param resource true for what has a type and metadata
     */
    Optional<SizedType> of(StructuralSchema schema, boolean resource) {
        Optional<SizedType> present = known.get(schema.node());
        if (present == null) {
            present = make(schema, resource);
            known.put(schema.node(), present);
        }
        return present;
    }

    private Optional<SizedType> make(StructuralSchema schema, boolean resource) {
        if (schema.flag("x-kubernetes-int-or-string")) {
            return Optional.of(SizedType.scalar(length(schema).orElse(REQUEST - 2), 1));
        }
        return switch (resource ? "object" : schema.type()) {
            case "array" -> array(schema);
            case "object" -> object(schema, resource);
            case "string" -> Optional.of(text(schema));
            case "boolean" -> Optional.of(SizedType.scalar(0, 4));
            case "number", "integer" -> Optional.of(SizedType.scalar(0, 1));
            default -> Optional.empty();
        };
    }

    private Optional<SizedType> array(StructuralSchema schema) {
        return schema.items()
                .flatMap(items -> of(items, items.embedsResource()))
                .map(element -> {
                    long most = limit(schema, "maxItems").orElse((REQUEST - 2) / (element.least() + 1));
                    return new SizedType(most, 2, Map.of(), element);
                });
    }

    private Optional<SizedType> object(StructuralSchema schema, boolean resource) {
        JsonNode additional = schema.node().path("additionalProperties");
        if (additional.isObject()) {
            StructuralSchema values = new StructuralSchema(additional);
            return of(values, values.embedsResource()).map(element -> {
                // quotes, a colon and a comma, and a key of two characters
                long most = limit(schema, "maxProperties").orElse((REQUEST - 2) / (element.least() + 6));
                return new SizedType(most, 2, Map.of(), element);
            });
        }
        Set<String> required = new HashSet<>();
        schema.node().path("required").forEach(name -> required.add(name.stringValue()));
        Map<String, SizedType> fields = new HashMap<>();
        long least = 2;
        for (Map.Entry<String, JsonNode> property :
                schema.node().path("properties").properties()) {
            StructuralSchema field = new StructuralSchema(property.getValue());
            Optional<SizedType> type = of(field, field.embedsResource());
            if (type.isEmpty()) {
                continue;
            }
            fields.put(FieldNameEscaping.escape(property.getKey()), type.get());
            if (required.contains(property.getKey()) && !property.getValue().has("default")) {
                least += property.getKey().length() + type.get().least() + 4;
            }
        }
        if (resource) {
            fields.put("apiVersion", SizedType.scalar(REQUEST - 2, 2));
            fields.put("kind", SizedType.scalar(REQUEST - 2, 2));
            fields.put("metadata", METADATA);
        }
        return Optional.of(new SizedType(0, least, fields, null));
    }

    private static SizedType text(StructuralSchema schema) {
        return switch (Json.string(schema.node(), "format")) {
            case "byte" -> SizedType.scalar(limit(schema, "maxLength").orElse(REQUEST - 2), 2);
            case "duration" -> SizedType.scalar(TIME, 3);
            case "date" -> SizedType.scalar(DATE, DATE);
            case "date-time" -> SizedType.scalar(TIME, 21);
            default -> SizedType.scalar(length(schema).orElseGet(() -> longest(schema)), 2);
        };
    }

    private static long longest(StructuralSchema schema) {
        JsonNode values = schema.node().path("enum");
        if (values.isEmpty()) {
            return REQUEST - 2;
        }
        return values.valueStream()
                .filter(JsonNode::isString)
                .mapToLong(value -> value.stringValue().getBytes(StandardCharsets.UTF_8).length)
                .max()
                .orElse(0);
    }

    /** The greatest length of a text in bytes. */
    private static Optional<Long> length(StructuralSchema schema) {
        return limit(schema, "maxLength").map(characters -> characters * BYTES_OF_CHARACTER);
    }

    private static Optional<Long> limit(StructuralSchema schema, String keyword) {
        JsonNode limit = schema.node().path(keyword);
        return limit.isNumber() ? Optional.of(Math.max(0, limit.longValue())) : Optional.empty();
    }
}
