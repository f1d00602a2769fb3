package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.platform.launcher.LauncherDiscoveryRequest;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;

/** What {@code kopf4j init} writes compiles, and its own tests pass. */
class NewProjectTest {
    @TempDir
    private Path folder;

    @Test
    @Tag("P54")
    void theTestsOfANewProjectPass() throws Exception {
        init("greeting-operator", "--group", "example.org");
        assertTestsPass("org.example.greetings.GreetingOperatorTest");
        init("--gradle", "status-page");
        assertTestsPass("com.example.statuspages.StatusPageOperatorTest");
    }

    @Test
    @Tag("P54")
    void aNewFileCompilesAndHasNoTestThatNothingRuns() throws Exception {
        init("--file", "greeting");
        compile("GreetingOperator", Files.createTempDirectory(folder, "classes"));
        try (Stream<Path> files = Files.walk(folder)) {
            assertThat(files.filter(file -> file.toString().endsWith("Test.java")))
                    .isEmpty();
        }
    }

    private void init(String... arguments) throws IOException {
        Files.createDirectories(folder);
        String[] all = Stream.concat(
                        Stream.of(
                                "init",
                                "--folder",
                                folder.resolve("p" + arguments.length).toString()),
                        Stream.of(arguments))
                .toArray(String[]::new);
        try (RunningProgram program = Kopf4j.start(all)) {
            assertThat(program.awaitExit(Kopf4j.PATIENCE)).as("%s", program).isZero();
        }
    }

    private void assertTestsPass(String name) throws Exception {
        Path classes = Files.createTempDirectory(folder, "classes");
        compile(name, classes);
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (var loader = new URLClassLoader(new URL[] {classes.toUri().toURL()}, before)) {
            thread.setContextClassLoader(loader);
            SummaryGeneratingListener listener = new SummaryGeneratingListener();
            LauncherDiscoveryRequest request = LauncherDiscoveryRequestBuilder.request()
                    .selectors(selectClass(loader.loadClass(name)))
                    .build();
            LauncherFactory.create().execute(request, listener);
            TestExecutionSummary summary = listener.getSummary();
            assertThat(summary.getFailures())
                    .extracting(TestExecutionSummary.Failure::getException)
                    .isEmpty();
            assertThat(summary.getTestsSucceededCount()).isPositive();
        } finally {
            thread.setContextClassLoader(before);
        }
    }

    /** Compiles the sources beside a test, in whichever of the projects it is. */
    private void compile(String name, Path classes) throws IOException {
        String simple = name.substring(name.lastIndexOf('.') + 1).replace("Test", "");
        List<String> sources;
        try (Stream<Path> files = Files.walk(folder)) {
            sources = files.filter(file -> file.toString().endsWith(".java"))
                    .filter(file -> file.getFileName().toString().startsWith(simple.replace("Operator", "")))
                    .map(Path::toString)
                    .toList();
        }
        JavaCompiler javac = ToolProvider.getSystemJavaCompiler();
        StringWriter messages = new StringWriter();
        boolean compiled = javac.getTask(
                        messages,
                        null,
                        null,
                        List.of(
                                "-parameters",
                                "-proc:none",
                                "-d",
                                classes.toString(),
                                "-cp",
                                System.getProperty("java.class.path")),
                        null,
                        javac.getStandardFileManager(null, null, null).getJavaFileObjectsFromStrings(sources))
                .call();
        assertThat(compiled).as(messages::toString).isTrue();
    }
}
