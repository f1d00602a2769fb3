package dev.kopf4j.types.source;

import java.util.List;
import java.util.Map;

/**
 * The Java type that was chosen for a schema. Immutable.
 *
 * @param name what is written where a value is always there
 * @param boxed what is written where it may be absent, and between angle brackets
 * @param base the schema that the type gives, with the flags
 * @param flags attributes of the annotation that the type needs
 * @param described true if the description is in the comment of a type that was written for it
 */
record JavaType(String name, String boxed, Map<String, Object> base, List<String> flags, boolean described) {
    static JavaType plain(String name, String boxed, Map<String, Object> base) {
        return new JavaType(name, boxed, base, List.of(), false);
    }

    static JavaType plain(String name, Map<String, Object> base) {
        return plain(name, name, base);
    }

    static JavaType flagged(String name, Map<String, Object> base, String... flags) {
        return new JavaType(name, name, base, List.of(flags), false);
    }
}
