package dev.kopf4j.devcluster.type;

import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A type with named fields. Immutable.
 *
 * @param atomic whether it is one value for apply
 * @param fields by name, in the order of the API
 * @param defaults what absent fields are
 */
public record StructType(String name, boolean atomic, Map<String, Field> fields, Map<String, JsonNode> defaults) {
    /** A field by its name. */
    public Optional<Field> field(String fieldName) {
        return Optional.ofNullable(fields.get(fieldName));
    }

    /** A field by its protobuf number. */
    Optional<Field> numbered(String number) {
        return fields.values().stream()
                .filter(field -> field.number().equals(number))
                .findFirst();
    }

    /** Whether fields are numbered below a number. */
    boolean numberedBelow(String prefix) {
        return fields.values().stream().anyMatch(field -> field.number().startsWith(prefix));
    }
}
