package dev.kopf4j.testing;

import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectMethod;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs tests that are expected to fail, and shows their reports as people see them. */
public final class FailingTests {
    private FailingTests() {}

    /** The report of one test; empty if it has not failed. */
    public static String report(Class<?> owner, String method) {
        for (var each : owner.getDeclaredMethods()) {
            if (each.getName().equals(method)) {
                return report(selectMethod(owner, each));
            }
        }
        throw new IllegalArgumentException(owner + " has no method " + method);
    }

    /** The reports of all tests of a class. */
    public static String report(Class<?> owner) {
        return report(selectClass(owner));
    }

    private static String report(DiscoverySelector selector) {
        LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                .selectors(selector)
                .configurationParameter("junit.jupiter.conditions.deactivate", "org.junit.*DisabledCondition")
                .build();
        var listener = new SummaryGeneratingListener();
        LauncherFactory.create().execute(request, listener);
        if (listener.getSummary().getTestsStartedCount() == 0) {
            throw new IllegalStateException("no test was run for " + selector);
        }
        var report = new StringWriter();
        listener.getSummary()
                .getFailures()
                .forEach(failure -> failure.getException().printStackTrace(new PrintWriter(report, true)));
        return report.toString();
    }
}
