package dev.kopf4j.devcluster.printing;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiFunction;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** The columns of built-in kinds, from {@code columns.txt}, which is read for the first table. Thread-safe. */
final class BuiltinColumns {
    private static final Map<String, String[]> LINES = read();

    private BuiltinColumns() {}

    private static Map<String, String[]> read() {
        try (InputStream stream = BuiltinColumns.class.getResourceAsStream("columns.txt")) {
            if (stream == null) {
                throw new IllegalStateException("columns.txt is missing beside " + BuiltinColumns.class);
            }
            Map<String, String[]> lines = new HashMap<>();
            new BufferedReader(new InputStreamReader(stream, StandardCharsets.UTF_8))
                    .lines()
                    .filter(line -> !line.startsWith("#"))
                    .forEach(line -> {
                        String[] parts = line.split(" \\| ", -1);
                        lines.put(parts[0], parts);
                    });
            return lines;
        } catch (IOException e) {
            throw new UncheckedIOException("columns.txt cannot be read", e);
        }
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
        return new TableColumn(words[0].replace('_', ' '), type, format, "", priority, value(words[2].strip()));
    }

    private static BiFunction<JsonNode, Instant, JsonNode> value(String expression) {
        if (expression.startsWith("@")) {
            return TableCells.function(expression.substring(1));
        }
        char mark = expression.charAt(expression.length() - 1);
        String path = Character.isLetter(mark) ? expression : expression.substring(0, expression.length() - 1);
        String[] keys = path.substring(1).split("\\.", -1);
        return (object, now) -> {
            JsonNode found = Json.at(object, keys);
            if (!found.isMissingNode() && !found.isNull()) {
                return found;
            }
            return switch (mark) {
                case '#' -> JsonNodeFactory.instance.numberNode(0);
                case '~' -> TableColumns.text(TableCells.NONE);
                case '!' -> TableColumns.text(TableCells.UNSET);
                default -> TableColumns.text("");
            };
        };
    }
}
