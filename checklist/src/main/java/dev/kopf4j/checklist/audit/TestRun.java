package dev.kopf4j.checklist.audit;

import java.io.PrintWriter;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.platform.engine.DiscoverySelector;
import org.junit.platform.engine.discovery.DiscoverySelectors;
import org.junit.platform.launcher.Launcher;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** Runs tests in this process, aside from the table of the checklist. */
final class TestRun {
    private final Launcher launcher = LauncherFactory.create();

    /** A request for tests whose results do not count for the table. */
    static LauncherDiscoveryRequestBuilder request() {
        return LauncherDiscoveryRequestBuilder.request()
                .configurationParameter("junit.jupiter.extensions.autodetection.enabled", "false");
    }

    /** True if all have passed, and there are some. */
    boolean passes(List<String> methods) {
        LauncherDiscoveryRequest request = request()
                .selectors(methods.stream()
                        .map(DiscoverySelectors::selectMethod)
                        .map(DiscoverySelector.class::cast)
                        .toList())
                .build();
        SummaryGeneratingListener summary = new SummaryGeneratingListener();
        launcher.execute(request, summary);
        summary.getSummary().printFailuresTo(new PrintWriter(System.err, true, StandardCharsets.UTF_8));
        return summary.getSummary().getTotalFailureCount() == 0
                && summary.getSummary().getTestsSucceededCount() > 0;
    }
}
