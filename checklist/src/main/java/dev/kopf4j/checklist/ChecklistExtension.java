package dev.kopf4j.checklist;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Collects which tests have passed by their tags, and writes the table once all have run. The tests run in several
 * modules and processes: each leaves its part in its module, and the last one sees them all. Thread-safe.
 */
public final class ChecklistExtension implements BeforeAllCallback, TestWatcher {
    private static final Path ROOT = Path.of("..");
    private static final Path TABLE = ROOT.resolve("target").resolve("checklist.md");
    private static final Path PARTS = Path.of("target", "checklist");

    /** Of all runs: where several processes share the tests, each class is a run of its own. */
    private static final TestResults OF_PROCESS = new TestResults();

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

    /** Closed by JUnit at the end of a run. */
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
                Files.createDirectories(TABLE.getParent());
                Files.writeString(TABLE, Checklist.load().table(TestResults.readAll(ROOT, PARTS)));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
