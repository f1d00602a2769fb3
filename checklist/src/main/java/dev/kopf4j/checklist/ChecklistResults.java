package dev.kopf4j.checklist;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The results of a run of tests; JUnit closes it at the end of the run. The tests run in several modules and processes.
 * Each process writes its results into a file of its module, and makes the table of all such files; so the last process
 * makes the complete one. While tests are missing, because they have not run yet or were skipped, the table has another
 * name, so that nobody takes it for the complete one. Thread-safe.
 */
final class ChecklistResults implements AutoCloseable {
    private static final Path ROOT = Path.of("..");
    private static final Path TABLES = ROOT.resolve("target");
    private static final String COMPLETE = "checklist.md";
    private static final String INCOMPLETE = "checklist-incomplete.md";
    private static final Path PARTS = Path.of("target", "checklist");

    /** Shared by all runs of this process: where several processes share the tests, JUnit runs each class by itself. */
    private static final TestResults OF_PROCESS = new TestResults();

    /** Read once in each process, and only if a test of this process has ended. */
    private static final class Sources {
        private static final TaggedTests TAGGED = find();

        private Sources() {}

        private static TaggedTests find() {
            try {
                return TaggedTests.find(ROOT);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }

    /** Made by JUnit. */
    ChecklistResults() {}

    void add(ExtensionContext context, boolean passed) {
        String test = context.getRequiredTestClass().getSimpleName() + "."
                + context.getRequiredTestMethod().getName();
        context.getTags().forEach(tag -> OF_PROCESS.add(tag, test, passed));
    }

    @Override
    public void close() {
        try {
            Files.createDirectories(PARTS);
            OF_PROCESS.write(PARTS.resolve(System.getProperty("test.fork", "1") + ".tsv"));
            Files.createDirectories(TABLES);
            Map<String, SortedMap<String, Boolean>> results = TestResults.readAll(ROOT, PARTS);
            List<String> missing = Sources.TAGGED.missing(results);
            String table = Checklist.load().table(results);
            Files.deleteIfExists(TABLES.resolve(missing.isEmpty() ? INCOMPLETE : COMPLETE));
            Files.writeString(TABLES.resolve(missing.isEmpty() ? COMPLETE : INCOMPLETE), notRun(missing) + table);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String notRun(List<String> missing) {
        return missing.isEmpty() ? "" : "Do not keep this table: these tests have not run: " + missing + "\n\n";
    }
}
