package dev.kopf4j.checklist;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.extension.BeforeAllCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.TestWatcher;

/**
 * Hears from JUnit which tests have passed, and gives that, by the tests' tags, to {@link ChecklistResults}, which
 * makes the table when all tests have run. Thread-safe.
 */
public final class ChecklistExtension implements BeforeAllCallback, TestWatcher {
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

    private static ChecklistResults results(ExtensionContext context) {
        return context.getRoot()
                .getStore(ExtensionContext.Namespace.create(ChecklistExtension.class))
                .computeIfAbsent(ChecklistResults.class);
    }
}
