package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.KubernetesClientException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever a user gives, the answer is a message that says what is wrong; and other objects are handled on. */
@Execution(ExecutionMode.CONCURRENT)
class BadInputTest {
    private static final Path MINIMAL = Kopf4j.ROOT.resolve("examples/01-minimal");

    @TempDir
    private Path folder;

    static Stream<Arguments> wrongSources() {
        return Stream.of(
                Arguments.of(
                        Named.of("does not compile", """
                                import dev.kopf4j.*;
                                class Operator1 {
                                    @OnCreate("kopfexamples")
                                    void createFn(Spec spec) { spec.nothing(); }
                                }
                                """),
                        List.of("Operator1.java:4: error: cannot find symbol", "spec.nothing()")),
                Arguments.of(
                        Named.of("has no annotated method", "class Operator1 { void createFn() {} }"),
                        List.of("No handlers", "Operator1.java", "@OnCreate")),
                Arguments.of(Named.of("has an unknown parameter", """
                                import dev.kopf4j.*;
                                class Operator1 {
                                    @OnCreate("kopfexamples")
                                    void createFn(Spec spec, int attempts) {}
                                }
                                """), List.of("createFn", "attempts", "retry")),
                Arguments.of(Named.of("has two methods with one id", """
                                import dev.kopf4j.*;
                                class Operator1 {
                                    @OnCreate(value = "kopfexamples", id = "same")
                                    void createFn1() {}
                                    @OnCreate(value = "kopfexamples", id = "same")
                                    void createFn2() {}
                                }
                                """), List.of("same", "createFn1", "createFn2")));
    }

    @ParameterizedTest
    @MethodSource("wrongSources")
    void refusesSourcesThatAreNoOperator(String source, List<String> messages) {
        Path file = TextFile.write(folder.resolve("Operator1.java"), source);
        try (RunningProgram operator = Kopf4j.start("run", "--devcluster", file.toString())) {
            assertThat(operator.awaitExit(Kopf4j.PATIENCE)).as("%s", operator).isEqualTo(4);
            assertThat(operator.errors()).contains(messages).doesNotContain("\tat ");
        }
    }

    @Test
    void refusesToApplyWithoutItsOwnCluster() {
        try (RunningProgram operator = Kopf4j.start(
                "run", "--apply", "examples/01-minimal/crd.yaml", source("").toString())) {
            assertThat(operator.awaitExit(Kopf4j.PATIENCE)).as("%s", operator).isEqualTo(2);
            assertThat(operator.errors()).contains("--apply", "--devcluster").doesNotContain("\tat ");
        }
    }

    @Test
    void refusesMalformedManifests() {
        Path manifest = TextFile.write(folder.resolve("wrong.yaml"), "kind: KopfExample\nmetadata:\n  - name: [\n");
        try (RunningProgram operator = Kopf4j.start(
                "run",
                "--devcluster",
                "--apply",
                manifest.toString(),
                source("").toString())) {
            assertThat(operator.awaitExit(Kopf4j.PATIENCE)).as("%s", operator).isEqualTo(2);
            assertThat(operator.errors()).contains("wrong.yaml", "line 4").doesNotContain("\tat ");
        }
    }

    @Test
    void saysWhichServerCannotBeReached() {
        Path kubeconfig = TextFile.write(folder.resolve("kubeconfig"), """
                apiVersion: v1
                kind: Config
                clusters: [{name: gone, cluster: {server: "http://127.0.0.1:1"}}]
                users: [{name: me, user: {}}]
                contexts: [{name: gone, context: {cluster: gone, user: me}}]
                current-context: gone
                """);
        try (RunningProgram operator =
                Kopf4j.start("run", "-A", "--kubeconfig", kubeconfig.toString(), "examples/01-minimal/Example.java")) {
            assertThat(operator.awaitExit(Kopf4j.PATIENCE)).as("%s", operator).isEqualTo(1);
            assertThat(operator.errors())
                    .contains("http://127.0.0.1:1 cannot be reached", "--devcluster")
                    .doesNotContain("\tat ");
        }
    }

    @Test
    void waitsForResourcesThatDoNotExistYet() throws IOException {
        Path source = source("""
                    @OnCreate("kopfexamples")
                    void createFn() {}
                """);
        try (RunningProgram operator = Kopf4j.start("run", "--devcluster", source.toString())) {
            assertThat(operator.awaitLog("Unresolved resources cannot be served", Kopf4j.PATIENCE))
                    .contains("kopfexamples");
            try (KubernetesClient client = Kopf4j.client(operator)) {
                create(client, Files.readString(MINIMAL.resolve("crd.yaml")));
                String object = Files.readString(MINIMAL.resolve("obj.yaml"));
                await("the definition is established")
                        .atMost(Kopf4j.PATIENCE)
                        .ignoreExceptionsInstanceOf(KubernetesClientException.class)
                        .untilAsserted(() -> create(client, object));
                assertThat(operator.awaitLog("Handler 'createFn' succeeded.", Kopf4j.PATIENCE))
                        .contains("kopf-example-1");
            }
        }
    }

    @Test
    void goesOnWithOtherObjectsWhenOneDoesNotBind() {
        Path source = source("""
                    record ExampleSpec(int count) {}

                    @OnCreate("kopfexamples")
                    Object createFn(ExampleSpec spec) { return spec.count(); }
                """);
        try (RunningProgram operator = startWithDefinition(source);
                KubernetesClient client = Kopf4j.client(operator)) {
            create(client, example("misfit", "count: many"));
            assertThat(operator.awaitLog("Handler 'createFn' failed permanently", Kopf4j.PATIENCE))
                    .contains("misfit", "count", "many");
            create(client, example("fit", "count: 1"));
            assertThat(operator.awaitLog("Handler 'createFn' succeeded.", Kopf4j.PATIENCE))
                    .contains("default/fit");
            assertThat(operator.logged("Handler 'createFn' failed")).isEqualTo(1);
        }
    }

    @Test
    void retriesHandlersThatThrowAndGoesOnWithOtherObjects() {
        Path source = source("""
                    @OnCreate(value = "kopfexamples", backoff = "1s")
                    void createFn(Spec spec) {
                        if (spec.has("broken")) throw new IllegalStateException("Oops!");
                    }
                """);
        try (RunningProgram operator = startWithDefinition(source);
                KubernetesClient client = Kopf4j.client(operator)) {
            create(client, example("broken", "broken: true"));
            assertThat(operator.awaitLog("Handler 'createFn' failed with an exception", Kopf4j.PATIENCE))
                    .contains("broken", "Oops!");
            create(client, example("sound", "field: value"));
            assertThat(operator.awaitLog("Handler 'createFn' succeeded.", Kopf4j.PATIENCE))
                    .contains("default/sound");
            await().atMost(Kopf4j.PATIENCE)
                    .until(() -> operator.logged("Handler 'createFn' failed with an exception") >= 2);
        }
    }

    private Path source(String members) {
        return TextFile.write(
                folder.resolve("Operator1.java"), "import dev.kopf4j.*;\nclass Operator1 {\n" + members + "}\n");
    }

    private static RunningProgram startWithDefinition(Path source) {
        return Kopf4j.start(
                "run", "--devcluster", "--apply", MINIMAL.resolve("crd.yaml").toString(), source.toString());
    }

    private static String example(String name, String spec) {
        return "apiVersion: kopf.dev/v1\nkind: KopfExample\nmetadata:\n  name: " + name
                + "\n  namespace: default\nspec:\n  " + spec + "\n";
    }

    private static void create(KubernetesClient client, String yaml) {
        client.load(new ByteArrayInputStream(yaml.getBytes(StandardCharsets.UTF_8)))
                .create();
    }
}
