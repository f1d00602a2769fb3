package dev.kopf4j.devcluster.printing;

import dev.kopf4j.devcluster.file.BesideClass;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.CustomKind;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.json.SortedKeys;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/** The columns of resources. */
public final class TableColumns {
    private static final Logger LOG = LoggerFactory.getLogger(TableColumns.class);
    private static final TableColumn NAME = new TableColumn(
            "Name",
            "string",
            "name",
            "Name must be unique within a namespace.",
            0,
            (object, now) -> object.path("metadata").path("name"));
    private static final TableColumn AGE = new TableColumn(
            "Age",
            "date",
            "",
            "How long ago the object was created.",
            0,
            (object, now) -> text(CellFunctions.age(object, now)));

    private static final TableColumn CREATED = new TableColumn(
            "Created At",
            "date",
            "",
            "When the object was created.",
            0,
            (object, now) -> object.path("metadata").path("creationTimestamp"));

    private static final Map<String, Function<JsonNode, ArrayNode>> ROW_CONDITIONS =
            Map.of("pods", PodCells::rowConditions);

    private TableColumns() {}

    /** The columns of a resource. */
    public static List<TableColumn> columns(Resource resource) {
        List<TableColumn> columns = new ArrayList<>();
        CustomKind custom = resource.custom();
        if (custom == null) {
            columns.addAll(BuiltinColumns.of(resource).orElse(List.of(CREATED)));
        } else if (custom.columns().isEmpty()) {
            columns.add(AGE);
        } else {
            columns.addAll(additional(custom.columns()));
        }
        boolean named = custom == null
                && columns.stream().anyMatch(tableColumn -> tableColumn.name().equals(NAME.name()));
        if (!named) {
            columns.addFirst(NAME);
        }
        return columns;
    }

    /** The conditions of an object's row; usually none. */
    public static ArrayNode rowConditions(Resource resource, JsonNode object) {
        return ROW_CONDITIONS
                .getOrDefault(resource.qualified(), any -> Json.array())
                .apply(object);
    }

    /** The columns of a definition up to the first one whose path is malformed. */
    private static List<TableColumn> additional(List<JsonNode> given) {
        List<TableColumn> columns = new ArrayList<>();
        for (JsonNode column : given) {
            try {
                columns.add(additional(column, JsonPath.parse(Json.string(column, "jsonPath"))));
            } catch (IllegalArgumentException e) {
                LOG.atDebug().setCause(e).log("a table ends before a column");
                break;
            }
        }
        return columns;
    }

    private static TableColumn additional(JsonNode column, JsonPath path) {
        String type = Json.string(column, "type");
        return new TableColumn(
                Json.string(column, "name"),
                type,
                Json.string(column, "format"),
                Json.string(column, "description"),
                column.path("priority").intValue(0),
                (object, now) -> {
                    List<JsonNode> found = path.find(object);
                    return found.isEmpty() ? NullNode.getInstance() : cell(type, found.getFirst(), now);
                });
    }

    /**
     * A value in a column of a type: {@code cellForJSONValue} in
     * {@code pkg/registry/customresource/tableconvertor/tableconvertor.go} of apiextensions-apiserver, v1.33; texts are
     * printed by {@code util/jsonpath/jsonpath.go} of client-go.
     */
    private static JsonNode cell(String type, JsonNode value, Instant now) {
        JsonNode other = NullNode.getInstance();
        return switch (type) {
            case "date" -> value.isString() ? text(HumanDuration.of(value.stringValue(), now)) : other;
            case "integer" ->
                value.isNumber()
                        ? JsonNodeFactory.instance.numberNode(
                                value.numberValue().longValue())
                        : other;
            case "number" -> value.isNumber() ? value : other;
            case "boolean" -> value.isBoolean() ? value : other;
            default -> text(printed(value));
        };
    }

    private static String printed(JsonNode value) {
        if (value.isNull()) {
            return "<no value>";
        }
        return value.isString() ? value.stringValue() : Json.text(SortedKeys.valueOf(value));
    }

    static JsonNode text(String text) {
        return JsonNodeFactory.instance.stringNode(text);
    }

    /** The column definitions of a table. */
    public static ArrayNode definitions(List<TableColumn> columns) {
        ArrayNode definitions = Json.array();
        for (TableColumn tableColumn : columns) {
            ObjectNode definition = definitions.addObject();
            definition.put("name", tableColumn.name()).put("type", tableColumn.type());
            definition.put("format", tableColumn.format()).put("description", tableColumn.description());
            definition.put("priority", tableColumn.priority());
        }
        return definitions;
    }

    /** The columns of built-in kinds, from {@code columns.txt}, which is read for the first table. Thread-safe. */
    private static final class BuiltinColumns {
        private static final Map<String, String[]> LINES = read();

        private BuiltinColumns() {}

        private static Map<String, String[]> read() {
            Map<String, String[]> lines = new HashMap<>();
            for (String line : BesideClass.lines(BuiltinColumns.class, "columns.txt")) {
                String[] parts = line.split(" \\| ", -1);
                lines.put(parts[0], parts);
            }
            return lines;
        }

        /** The columns after the name; empty for a kind that has the usual table. */
        static Optional<List<TableColumn>> of(Resource resource) {
            String[] parts = LINES.get(resource.bucket());
            if (parts == null) {
                return Optional.empty();
            }
            List<TableColumn> columns = new ArrayList<>();
            for (int index = 1; index < parts.length; index++) {
                columns.add(column(parts[index].split(" ", 3)));
            }
            return Optional.of(columns);
        }

        private static TableColumn column(String[] words) {
            int slash = words[1].indexOf('/');
            String type = slash < 0 ? words[1] : words[1].substring(0, slash);
            int priority = slash < 0 ? 0 : Integer.parseInt(words[1].substring(slash + 1));
            String format = words[0].equals("Name") || words[0].equals("Attacher") ? "name" : "";
            CellExpression.Value value = CellExpression.parse(words[2].strip());
            return new TableColumn(
                    words[0].replace('_', ' '),
                    type,
                    format,
                    "",
                    priority,
                    (object, now) -> value.of(object, now).orElseGet(() -> text("")));
        }
    }
}
