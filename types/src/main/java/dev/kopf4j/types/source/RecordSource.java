package dev.kopf4j.types.source;

import dev.kopf4j.types.text.UnfitException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes a record for an object.
 *
 * @param name the name of the record
 * @param schema the schema of the object
 * @param imports gets what is used
 * @param indent what stands before each line
 * @param part which part of a resource it is
 */
record RecordSource(String name, Map<?, ?> schema, Imports imports, String indent, Part part) {
    /** Parts of a resource have rules of their own for what is required. */
    enum Part {
        WHOLE,
        STATUS,
        OTHER;

        /** The part that a field of this one is. */
        Part of(String field) {
            return this == WHOLE && field.equals("status") ? STATUS : OTHER;
        }

        /** True if a field counts as optional unless it says otherwise. */
        boolean isOptional(String field) {
            return this == STATUS || of(field) == STATUS;
        }
    }

    /** A class file has room for 255 words of parameters, and some types need two. */
    private static final int COMPONENTS_MAX = 127;

    /**
     * The source of the record.
     *
     * @param enclosing the names of the types around it
     * @param head annotations and modifiers before the keyword
     */
    String write(Set<String> enclosing, String head) {
        Set<String> around = new HashSet<>(enclosing);
        around.add(name);
        NestedTypes nested = new NestedTypes(around, imports, indent + "    ", part);
        TypeChoice choice = new TypeChoice(nested, imports);
        List<Component> components = new ArrayList<>();
        List<String> names = new ArrayList<>();
        properties().forEach((field, fieldSchema) -> {
            Component component =
                    Component.of(String.valueOf(field), (Map<?, ?>) fieldSchema, presence(field), names, choice);
            names.add(component.name());
            components.add(component);
        });
        if (components.size() > COMPONENTS_MAX) {
            throw new UnfitException(
                    name + " has " + components.size() + " fields, and a record can have " + COMPONENTS_MAX
                            + "; keep it as a mapping: @Schema(preserveUnknownFields = true) Map<String, Object>");
        }
        Map<String, String> params = new LinkedHashMap<>();
        components.stream()
                .filter(each -> !each.description().isEmpty())
                .forEach(each -> params.put(each.name(), each.description()));
        StringBuilder source = new StringBuilder(CommentText.of(description(), params, indent));
        source.append(indent)
                .append(head)
                .append(autoDetect(components))
                .append("record ")
                .append(name)
                .append('(');
        List<String> lines = components.stream()
                .map(each -> "\n" + indent + "        " + each.code())
                .toList();
        source.append(String.join(",", lines)).append(") {");
        return source.append(nested.code().isEmpty() ? "" : "\n" + nested.code() + indent)
                .append("}\n")
                .toString();
    }

    private Component.Presence presence(Object field) {
        if (!required(schema).contains(field)) {
            return Component.Presence.OPTIONAL;
        }
        return part.isOptional(String.valueOf(field))
                ? Component.Presence.REQUIRED_IF_SAID
                : Component.Presence.REQUIRED;
    }

    /** Jackson writes types without fields only if they have one of its annotations. */
    private String autoDetect(List<Component> components) {
        if (!components.isEmpty()) {
            return "";
        }
        imports.add("com.fasterxml.jackson.annotation.JsonAutoDetect");
        return "@JsonAutoDetect ";
    }

    private Map<?, ?> properties() {
        return schema.get("properties") instanceof Map<?, ?> fields ? fields : Map.of();
    }

    private String description() {
        return schema.get("description") instanceof String text && CommentText.keeps(text) ? text : "";
    }

    /** The required fields that the schema describes, in the order of the fields. */
    static List<?> required(Map<?, ?> schema) {
        if (!(schema.get("required") instanceof List<?> required)) {
            return List.of();
        }
        Map<?, ?> fields = schema.get("properties") instanceof Map<?, ?> map ? map : Map.of();
        boolean described = fields.keySet().containsAll(required);
        return described
                ? required
                : required.stream().filter(fields::containsKey).toList();
    }
}
