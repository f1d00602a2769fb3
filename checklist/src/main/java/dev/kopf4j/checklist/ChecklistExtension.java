package dev.kopf4j.checklist;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Collects which tests have passed, by their tags, and writes the table when all tests have run. The tests run in
 * several modules and processes. Each process writes its results into a file of its module, and makes the table of all
 * such files; so the last process makes the complete one. While tests are missing, because they have not run yet or
 * were skipped, the table has another name, so that nobody takes it for the complete one. Thread-safe.
 */
public final class ChecklistExtension implements BeforeAllCallback, TestWatcher {
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
    public ChecklistExtension() {}

    @Override
    public void beforeAll(ExtensionContext context) {
        results(context);
    }

    @Override
    public void testSuccessful(ExtensionContext context) {
        results(context).add(context, true);
    }

    @Override
    public void testFailed(ExtensionContext context, @Nullable Throwable cause) {
        results(context).add(context, false);
    }

    private static Results results(ExtensionContext context) {
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.create(ChecklistExtension.class))
                .computeIfAbsent(Results.class);
    }

    /** JUnit closes it at the end of a run. */
    static final class Results implements AutoCloseable {
        Results() {}

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
}
