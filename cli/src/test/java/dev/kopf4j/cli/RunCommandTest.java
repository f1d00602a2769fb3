package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.cli.process.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RunCommandTest {
    private static final String OPERATOR = """
            import dev.kopf4j.OnCreate;
            import java.util.Map;

            class Example {
                @OnCreate("kopfexamples")
                Map<String, String> createFn(String name) { return Map.of("message", "hello " + name); }
            }
            """;

    @TempDir
    private Path folder;

    @Test
    void refusesManifestsForARealCluster() throws IOException {
        Path source = write("Example.java", OPERATOR);

        var result = CommandRun.of("run", "--apply", "x.yaml", source.toString());
        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err())
                .contains("--apply works with --devcluster only")
                .contains("kubectl apply -f x.yaml");
    }

    @ParameterizedTest
    @ValueSource(strings = {"--workloads", "--port=7777", "--data=folder", "--fault=GET /api/v1/pods 429"})
    @Tag("P14")
    void refusesOptionsOfTheEmbeddedClusterForARealOne(String option) throws IOException {
        Path source = write("Example.java", OPERATOR);

        var result = CommandRun.of("run", option, source.toString());
        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("add --devcluster");
    }

    @Test
    void refusesNamespacesTogetherWithAllOfThem() throws IOException {
        Path source = write("Example.java", OPERATOR);

        var result = CommandRun.of("run", "-A", "-n", "default", source.toString());
        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("Either --namespace or --all-namespaces can be used, not both.");
    }

    @ParameterizedTest
    @CsvSource({
        "--devclutser, Unknown option: '--devclutser', --devcluster",
        "--priority=high, Invalid value for option '--priority': 'high' is not a whole number, --help",
        "--log-format=xml, Invalid value for option '--log-format', json"
    })
    void tellsAWrongOptionInAFewLines(String option, String problem, String wayOut) {
        var result = CommandRun.of("run", option, "Example.java");

        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).startsWith("kopf4j: " + problem).containsIgnoringCase(wayOut);
        assertThat(result.err().lines()).hasSizeLessThan(4).last().isEqualTo("See `kopf4j run --help`.");
    }

    @Test
    void namesASourceFileThatIsMissing() {
        var result = CommandRun.of("run", "-A", "Nothing.java");

        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains("Cannot read the source file Nothing.java: there is no such file");
    }

    @Test
    @Tag("L47")
    void refusesNoSourcesAsWrongUsage() {
        var result = CommandRun.of("run", "-A");

        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err())
                .contains("There is nothing to run: name a source file, as in `kopf4j run Example.java`")
                .contains("by -m");
    }

    @Test
    @Tag("K01")
    @Tag("L47")
    void looksForTheNamedClasses() {
        String message = "There is no class and no package no.such.Name";
        for (var result : List.of(
                CommandRun.of("run", "-A", "-m", "no.such.Name"),
                CommandRun.of("run", "-A", "--module=no.such.Name"),
                CommandRun.with(Map.of("KOPF4J_RUN_MODULES", "no.such.Name"), "run", "-A"))) {
            assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
            assertThat(result.err()).contains(message);
        }
    }

    @ParameterizedTest
    @Tag("L15")
    @CsvSource({
        "0, version",
        "0, run --help",
        "2, run",
        "2, run --no-such-option",
        "2, no-such-command",
        "2, run -A Missing.java",
        "4, run -A Broken.java",
        "4, run -A Nothing.java",
        "4, run -A Wrong.java",
        "1, run -A --kubeconfig unreachable.yaml Example.java"
    })
    void exitCodesAreThoseOfTheContract(int exitCode, String arguments) throws IOException {
        write("Broken.java", "class Broken { int size = true; }");
        write("Nothing.java", "class Nothing {}");
        write("Wrong.java", "class Wrong { @dev.kopf4j.OnCreate(\"pods\") void fn(Thread unknown) {} }");
        write("Example.java", OPERATOR);
        write("unreachable.yaml", """
                clusters: [{name: c, cluster: {server: 'http://localhost:1'}}]
                contexts: [{name: x, context: {cluster: c}}]
                current-context: x
                """);
        String[] words = arguments.split(" ", -1);
        for (int i = 0; i < words.length; i++) {
            words[i] = words[i].endsWith(".java") || words[i].endsWith(".yaml")
                    ? folder.resolve(words[i]).toString()
                    : words[i];
        }
        assertThat(CommandRun.with(Map.of("KOPF4J_SETTINGS_NETWORKING_ERROR_BACKOFFS", ","), words)
                        .exitCode())
                .isEqualTo(exitCode);
    }

    @Test
    @Tag("L46")
    void showsTheCompilersMessages() throws IOException {
        Path source = write("Broken.java", "class Broken { int size = true; }");

        var result = CommandRun.of("run", "-A", source.toString());
        assertThat(result.exitCode()).isEqualTo(ExitCode.SOURCES);
        assertThat(result.err())
                .contains(source + ":1: error: incompatible types")
                .contains("do not compile");
    }

    @Test
    void showsTheLeastOperatorIfThereAreNoHandlers() throws IOException {
        Path source = write("Nothing.java", "class Nothing { void created() {} }");

        var result = CommandRun.of("run", "-A", source.toString());
        assertThat(result.exitCode()).isEqualTo(ExitCode.SOURCES);
        assertThat(result.err()).contains("No handlers found in " + source).contains("@OnCreate(\"kopfexamples\")");
    }

    @Test
    void namesTheLineOfAMalformedManifest() throws IOException {
        Path source = write("Example.java", OPERATOR);
        Path manifest = write("bad.yaml", "kind: [A\nname: x\n");

        var result = CommandRun.of("run", "--devcluster", source.toString());
        assertThat(result.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(result.err()).contains(manifest + " is not YAML, line 2");
    }

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }
}
