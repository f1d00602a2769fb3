package dev.kopf4j.devcluster.types;

import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * A type with named fields. Immutable.
 *
 * @param atomic true if apply takes it as one value
 * @param fields by name, in the order of the API
 * @param defaults the values of absent fields
 */
public record StructType(String name, boolean atomic, Map<String, TypeField> fields, Map<String, JsonNode> defaults) {
    /** A field by its name. */
    public Optional<TypeField> field(String fieldName) {
        return Optional.ofNullable(fields.get(fieldName));
    }

    /** A field by its protobuf number. */
    Optional<TypeField> numbered(String number) {
        return fields.values().stream()
                .filter(typeField -> typeField.number().equals(number))
                .findFirst();
    }

    /** True if there are fields with numbers below a number. */
    boolean numberedBelow(String prefix) {
        return fields.values().stream().anyMatch(typeField -> typeField.number().startsWith(prefix));
    }
}
