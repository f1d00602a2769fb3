package dev.kopf4j.checklist;

import dev.kopf4j.checklist.Checklist.Row;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The promises and the tests that show them, as a table in Markdown. */
final class ChecklistTable {
    private static final String HEAD = """
            # Promises and the tests that show them

            Each row is a promise. The tests that carry its id as a tag show that it is kept. This file is generated from the \
            results of the tests; do not edit it, but make it anew:
            `./mvnw -B clean verify -Dmaven.test.failure.ignore && cp target/checklist.md checklist/checklist.md`
            Whether the tests notice a broken promise is asked by `checklist/audit`: see CONTRIBUTING.md.

            | row | promise | tests | status |
            |---|---|---|---|
            """;

    private ChecklistTable() {}

    /** The results say, for each row, which tests have passed. */
    static String of(List<Row> rows, Map<String, SortedMap<String, Boolean>> results) {
        return HEAD
                + rows.stream()
                        .map(row -> line(row, results.getOrDefault(row.id(), new TreeMap<>())))
                        .collect(Collectors.joining());
    }

    private static String line(Row row, SortedMap<String, Boolean> tests) {
        String names = tests.keySet().stream().map(name -> "`" + name + "`").collect(Collectors.joining(", "));
        return "| " + row.id() + " | " + row.promise().replace("|", "\\|") + " | " + names + " | " + status(row, tests)
                + " |\n";
    }

    private static String status(Row row, SortedMap<String, Boolean> tests) {
        if (row.notApplicable() != null) {
            return "n/a: " + row.notApplicable();
        }
        if (tests.isEmpty()) {
            return "no test yet";
        }
        if (tests.containsValue(false)) {
            return "**failed**";
        }
        return row.open() == null ? "passed" : "open: " + row.open();
    }
}
