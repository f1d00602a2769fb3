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
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
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

    static final String MANIFESTS = """
            apiVersion: kopf.dev/v1
            kind: KopfExample
            metadata: {name: one}
            spec: {duration: 1m}
            ---
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: kopfexamples.kopf.dev}
            spec:
              group: kopf.dev
              scope: Namespaced
              names: {kind: KopfExample, plural: kopfexamples, singular: kopfexample}
              versions:
              - name: v1
                served: true
                storage: true
                schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """;

    @TempDir
    private Path folder;

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void handlesTheObjectsBesideTheSourceUntilItIsStopped() throws Exception {
        write("Example.java", OPERATOR);
        write("manifests.yaml", MANIFESTS);
        write("kustomization.yaml", "resources: [manifests.yaml]");
        write("monitor.yaml", "{apiVersion: monitoring.coreos.com/v1, kind: ServiceMonitor, metadata: {name: m}}");
        try (var program = ProgramProcess.start(folder, "run", "--devcluster", "Example.java")) {
            program.awaitErr("kustomization.yaml is not applied: it has no Kubernetes objects.");
            program.awaitErr("Left out of the files beside the source: cannot apply ServiceMonitor m");
            program.awaitOut("export KUBECONFIG=/");
            assertThat(program.awaitErr("Handler 'createFn' succeeded.")).contains("[default/one] ");
            program.signal("TERM");
            assertThat(program.awaitExit()).isEqualTo(ExitCode.OK);
        }
    }

    @Test
    @DisabledOnOs(OS.WINDOWS)
    void theReasonOfTheEndIsALineOfJsonTooIfTheLogIs() throws Exception {
        try (var program = ProgramProcess.start(folder, "run", "-A", "--log-format", "json", "Missing.java")) {
            assertThat(program.awaitErr("Missing.java"))
                    .startsWith("{\"message\":\"Cannot read the source file")
                    .contains("\"severity\":\"error\"")
                    .endsWith("}");
            assertThat(program.awaitExit()).isEqualTo(ExitCode.USAGE);
        }
    }

    @Test
    @Tag("L45")
    @DisabledOnOs(OS.WINDOWS)
    void debugShowsTheRequestsAndNoCredentials() throws Exception {
        write("Example.java", OPERATOR);
        write("manifests.yaml", MANIFESTS);
        try (var program = ProgramProcess.start(folder, "run", "--devcluster", "--debug", "Example.java")) {
            String kubeconfig = program.awaitOut("export KUBECONFIG=/").replace("export KUBECONFIG=", "");
            String token = Files.readString(Path.of(kubeconfig.strip()))
                    .lines()
                    .filter(line -> line.strip().startsWith("token:"))
                    .findFirst()
                    .orElseThrow()
                    .replaceFirst(".*token:\\s*", "")
                    .replace("\"", "");
            program.awaitErr("Handler 'createFn' succeeded.");
            program.awaitErr("PATCH http");
            program.signal("TERM");
            assertThat(program.awaitExit()).isEqualTo(ExitCode.OK);
            assertThat(token).hasSizeGreaterThan(8);
            assertThat(program.seen()).anyMatch(line -> line.matches(".*GET http.*/apis.* -> 200"));
            assertThat(program.seen()).noneMatch(line -> line.contains(token));
        }
    }

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
    @Tag("P14")
    void theEmbeddedClusterOfAnOperatorHasTheOptionsOfOneAlone() throws Exception {
        write("manifests.yaml", """
                apiVersion: v1
                kind: Pod
                metadata: {name: web, namespace: default}
                spec: {containers: [{name: web, image: web}]}
                """);
        write("Example.java", """
                import dev.kopf4j.*;
                import org.slf4j.Logger;

                class Example {
                    @OnField(value = "pods", field = "status.phase")
                    void phase(String newValue, Logger logger) { logger.info("the phase is {}", newValue); }
                }
                """);
        String[] arguments = {
            "run", "--devcluster", "--workloads=0.1", "--data=kept", "--fault=x1 PATCH /api/v1/** 500", "Example.java"
        };
        try (var program = ProgramProcess.start(folder, arguments)) {
            program.awaitErrs("the phase is Running", "500");
            program.signal("TERM");
            assertThat(program.awaitExit()).isZero();
        }
        assertThat(folder.resolve("kept")).isNotEmptyDirectory();
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
