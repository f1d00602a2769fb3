package dev.kopf4j.checklist;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** The promises of the framework. Immutable. */
record Checklist(List<Row> rows) {
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
            return parse(new String(Objects.requireNonNull(stream).readAllBytes(), StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static Checklist parse(String text) {
        return new Checklist(text.lines().map(Row::parse).toList());
    }

    /** Returns the table as Markdown; the results say, for each row, which tests have passed. */
    String table(Map<String, SortedMap<String, Boolean>> results) {
        return ChecklistTable.of(rows, results);
    }
}
