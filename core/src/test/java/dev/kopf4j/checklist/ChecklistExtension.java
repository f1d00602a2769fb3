package dev.kopf4j.checklist;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/** Collects which tests have passed by their tags, and writes the table once all have run. Thread-safe. */
public final class ChecklistExtension implements BeforeAllCallback, TestWatcher {
    private static final Path TABLE = Path.of("target", "checklist.md");

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

    /** Closed by JUnit at the end of the run. */
    static final class Results implements AutoCloseable {
        private final Map<String, SortedMap<String, Boolean>> byRow = new ConcurrentSkipListMap<>();

        Results() {}

        void add(ExtensionContext context, boolean passed) {
            String test = context.getRequiredTestClass().getSimpleName() + "."
                    + context.getRequiredTestMethod().getName();
            for (String tag : context.getTags()) {
                byRow.computeIfAbsent(tag, row -> new ConcurrentSkipListMap<>())
                        .merge(test, passed, Boolean::logicalAnd);
            }
        }

        @Override
        public void close() {
            try {
                Files.writeString(TABLE, Checklist.load().table(byRow));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }
    }
}
