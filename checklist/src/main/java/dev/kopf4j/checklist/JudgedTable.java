package dev.kopf4j.checklist;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;

/**
 * Answers that a real API server has given, as tables: the judge of what the operator and the dev cluster do by the
 * same library, so that neither could tell that the other one is wrong. Each table says in its head what was asked.
 */
public final class JudgedTable {
    private JudgedTable() {}

    /** The rows of the table of that name: the cells, which {@code " | "} parts. */
    public static List<List<String>> rows(String name) {
        String file = "/judged/" + name + ".txt";
        try (InputStream stream = JudgedTable.class.getResourceAsStream(file)) {
            if (stream == null) {
                throw new IllegalArgumentException("there is no table " + file);
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(line -> List.of(line.split(" \\| ", -1)))
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
