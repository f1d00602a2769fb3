package dev.kopf4j.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.List;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** The example 09: its test passes, as in a project of its own. */
@Tag("L70")
class TestingExampleTest {
    private static final Path EXAMPLE = Path.of("09-testing");

    @Test
    void itsTestPasses(@TempDir Path classes) throws Exception {
        var compiler = ToolProvider.getSystemJavaCompiler();
        try (var files = compiler.getStandardFileManager(null, null, null)) {
            var sources =
                    files.getJavaFileObjects(EXAMPLE.resolve("Example.java"), EXAMPLE.resolve("ExampleTest.java"));
            var options = List.of("-parameters", "-proc:none", "-d", classes.toString());
            assertThat(compiler.getTask(null, files, null, options, null, sources)
                            .call())
                    .isTrue();
        }
        try (var loader = new URLClassLoader(new URL[] {classes.toUri().toURL()})) {
            TestExecutionSummary summary = run(loader.loadClass("ExampleTest"));
            assertThat(summary.getFailures())
                    .extracting(TestExecutionSummary.Failure::getException)
                    .isEmpty();
            assertThat(summary.getTestsSucceededCount()).isEqualTo(1);
        }
    }

    private static TestExecutionSummary run(Class<?> test) {
        var listener = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(test))
                                .build(),
                        listener);
        return listener.getSummary();
    }
}
