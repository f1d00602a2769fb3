package dev.kopf4j.types.schema;

import java.util.Map;

/**
 * What is said of types and their fields. Immutable, as the map is.
 *
 * @param texts the text of each type by its binary name, and of each field by that name, {@code #}, and the field's
 */
public record Comments(Map<String, String> texts) {
    /** The text of a type; empty if there is none. */
    public String of(Class<?> type) {
        return texts.getOrDefault(type.getName(), "");
    }

    /** The text of a component or field of a type; empty if there is none. */
    public String of(Class<?> type, String field) {
        return texts.getOrDefault(type.getName() + "#" + field, "");
    }
}
