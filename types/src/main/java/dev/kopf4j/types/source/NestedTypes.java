package dev.kopf4j.types.source;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The types that are written inside a record, for its fields. Used for one record. */
final class NestedTypes {
    private final Set<String> taken;
    private final Imports imports;
    private final String indent;
    private final RecordSource.Part part;
    private final StringBuilder code = new StringBuilder();

    /**
     * None yet.
     *
     * @param enclosing the names of the types around it, which cannot be used again
     * @param part which part of a resource the record is
     */
    NestedTypes(Set<String> enclosing, Imports imports, String indent, RecordSource.Part part) {
        this.taken = new HashSet<>(enclosing);
        this.imports = imports;
        this.indent = indent;
        this.part = part;
    }

    /** Their source. */
    String code() {
        return code.toString();
    }

    /** Writes a record for the field, and returns its name. */
    String addRecord(String field, Map<?, ?> schema) {
        String name = name(field);
        code.append('\n').append(new RecordSource(name, schema, imports, indent, part.of(field)).write(taken, ""));
        return name;
    }

    private String name(String field) {
        String name = JavaNames.type(field, taken);
        taken.add(name);
        return name;
    }

    /** Writes an enum for the field, and returns its name. */
    String addEnum(String field, List<?> values, Map<?, ?> schema) {
        String name = name(field);
        String description = schema.get("description") instanceof String text && CommentText.keeps(text) ? text : "";
        code.append('\n').append(CommentText.of(description, Map.of(), indent));
        code.append(indent).append("enum ").append(name).append(" {\n");
        List<String> constants = new ArrayList<>();
        List<String> lines = new ArrayList<>();
        for (Object value : values) {
            String constant = JavaNames.constant(String.valueOf(value), constants);
            constants.add(constant);
            lines.add(indent + "    " + annotation(constant, String.valueOf(value)) + constant);
        }
        code.append(String.join(",\n", lines)).append('\n').append(indent).append("}\n");
        return name;
    }

    private String annotation(String constant, String value) {
        if (constant.equals(value)) {
            return "";
        }
        imports.add(JsonProperty.class.getName());
        return "@JsonProperty(" + JavaText.literal(value) + ")\n" + indent + "    ";
    }
}
