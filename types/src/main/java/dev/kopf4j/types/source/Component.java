package dev.kopf4j.types.source;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A component of a record. Immutable.
 *
 * @param name its name
 * @param code its annotations, type and name
 * @param description what the comment of the record says of it; empty if nothing, or said elsewhere
 */
record Component(String name, String code, String description) {
    /** When the value of a component is there. */
    enum Presence {
        OPTIONAL,
        REQUIRED,
        /** Always, but the annotation has to say so. */
        REQUIRED_IF_SAID
    }

    static Component of(String field, Map<?, ?> schema, Presence presence, List<String> taken, TypeChoice choice) {
        Map<Object, Object> rest = new LinkedHashMap<>(schema);
        JavaType type = choice.of(schema, field, false);
        String description = "";
        if (rest.get("description") instanceof String text && CommentText.keeps(text)) {
            rest.remove("description");
            description = type.described() ? "" : text;
        }
        boolean nullable = Boolean.TRUE.equals(rest.get("nullable"));
        boolean required = presence != Presence.OPTIONAL;
        boolean absent = nullable || (!required && !rest.containsKey("default"));
        List<String> flags = new ArrayList<>(type.flags());
        if (required && (absent || rest.containsKey("default") || presence == Presence.REQUIRED_IF_SAID)) {
            flags.add("required = true");
        }
        String name = JavaNames.component(field, taken);
        String annotation = SchemaText.of(rest, type.base(), flags, choice.imports());
        return new Component(
                name, json(field, name, choice) + annotation + typed(type, absent, choice) + " " + name, description);
    }

    private static String json(String field, String name, TypeChoice choice) {
        if (field.equals(name)) {
            return "";
        }
        choice.imports().add("com.fasterxml.jackson.annotation.JsonProperty");
        return "@JsonProperty(" + JavaText.literal(field) + ") ";
    }

    private static String typed(JavaType type, boolean absent, TypeChoice choice) {
        if (!absent) {
            return type.name();
        }
        choice.imports().add("org.jspecify.annotations.Nullable");
        return type.boxed().contains("[]") ? type.boxed() : "@Nullable " + type.boxed();
    }
}
