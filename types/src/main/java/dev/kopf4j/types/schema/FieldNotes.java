package dev.kopf4j.types.schema;

import dev.kopf4j.crd.PrinterColumn;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** What the fields of a resource say about it as a whole. Filled while its schema is made. */
public final class FieldNotes {
    private final List<Map<String, Object>> columns = new ArrayList<>();
    private final List<String> selectable = new ArrayList<>();

    FieldNotes() {}

    /** The printer columns, in the order of the fields. */
    public List<Map<String, Object>> columns() {
        return List.copyOf(columns);
    }

    /** The paths of selectable fields, in the order of the fields. */
    public List<String> selectable() {
        return List.copyOf(selectable);
    }

    void column(PrinterColumn column, Map<String, Object> schema, Place at) {
        String name = at.name();
        columns.add(column(
                column,
                name.substring(0, 1).toUpperCase(Locale.ROOT) + name.substring(1),
                column.path().isEmpty() ? at.columnPath() : column.path(),
                type(schema)));
    }

    void selectable(Place at) {
        selectable.add(at.selectablePath());
    }

    /** A column as definitions have it. */
    public static Map<String, Object> column(PrinterColumn column, String name, String path, String type) {
        Map<String, Object> made = new LinkedHashMap<>();
        made.put("name", column.name().isEmpty() ? name : column.name());
        made.put("type", column.type().isEmpty() ? type : column.type());
        if (!column.format().isEmpty()) {
            made.put("format", column.format());
        }
        if (!column.description().isEmpty()) {
            made.put("description", column.description());
        }
        if (column.priority() != 0) {
            made.put("priority", column.priority());
        }
        made.put("jsonPath", column.path().isEmpty() ? path : column.path());
        return made;
    }

    private static String type(Map<String, Object> schema) {
        if ("date-time".equals(schema.get("format"))) {
            return "date";
        }
        return schema.get("type") instanceof String type
                        && List.of("integer", "number", "boolean").contains(type)
                ? type
                : "string";
    }
}
