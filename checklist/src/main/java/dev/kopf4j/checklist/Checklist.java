package dev.kopf4j.checklist;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The promises of the framework, and the table of the tests that show each of them. Immutable. */
record Checklist(List<Row> rows) {
    private static final String HEAD = """
            # Promises and the tests that show them

            Each row is a promise. The tests that carry its id as a tag show that it is kept. This file is generated from the \
            results of the tests; do not edit it, but make it anew:
            `./mvnw -B clean verify -Dmaven.test.failure.ignore && cp target/checklist.md checklist/checklist.md`
            Whether the tests notice a broken promise is asked by `checklist/audit`: see CONTRIBUTING.md.

            | row | promise | tests | status |
            |---|---|---|---|
            """;

    /**
     * One promise.
     *
     * @param notApplicable why it does not apply to this framework; null if it does
     * @param open what is missing yet, whatever the tests show; null if nothing is
     */
    record Row(
            String id,
            String promise,
            @Nullable String notApplicable,
            @Nullable String open) {
        private static final String OPEN = "open: ";

        private static Row parse(String line) {
            String[] parts = line.split("\t", -1);
            String remark = parts.length > 2 ? parts[2] : null;
            return remark != null && remark.startsWith(OPEN)
                    ? new Row(parts[0], parts[1], null, remark.substring(OPEN.length()))
                    : new Row(parts[0], parts[1], remark, null);
        }
    }

    static Checklist load() {
        try (InputStream stream = Checklist.class.getResourceAsStream("/checklist.tsv")) {
            String text = new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8);
            return new Checklist(text.lines().map(Row::parse).toList());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Returns the table as Markdown; the results say, for each row, which tests have passed. */
    String table(Map<String, SortedMap<String, Boolean>> results) {
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
