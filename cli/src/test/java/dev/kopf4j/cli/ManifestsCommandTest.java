package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.cli.cluster.ManifestFiles;
import dev.kopf4j.cli.process.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** {@code kopf4j manifests webhooks}. */
@Tag("J36")
class ManifestsCommandTest {
    private static final String SOURCE = """
            import dev.kopf4j.*;

            class Hooks {
                @OnValidate("boxes")
                void check() {}

                @OnMutate(value = "deployments", group = "apps", version = "v1", operations = AdmissionOperation.CREATE)
                void fill(Patch patch) {}
            }
            """;
    private static final String DEFINITION = """
            apiVersion: apiextensions.k8s.io/v1
            kind: CustomResourceDefinition
            metadata: {name: boxes.example.com}
            spec:
              group: example.com
              scope: Namespaced
              names: {plural: boxes, singular: box, kind: Box}
              versions:
              - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
            """;

    @TempDir
    private Path folder;

    @BeforeEach
    void write() throws IOException {
        Files.writeString(folder.resolve("Hooks.java"), SOURCE);
        Files.writeString(folder.resolve("crd.yaml"), DEFINITION);
    }

    private CommandRun run(String options) {
        List<String> arguments = new ArrayList<>(List.of("manifests", "webhooks"));
        if (!options.isEmpty()) {
            arguments.addAll(List.of(options.split(" ", -1)));
        }
        arguments.add(folder.resolve("Hooks.java").toString());
        return CommandRun.of(arguments.toArray(String[]::new));
    }

    private List<JsonNode> objects(CommandRun run) throws IOException {
        Path printed = Files.writeString(
                Files.createDirectories(folder.resolve("printed")).resolve("all.yaml"), run.out());
        return ManifestFiles.read(List.of(printed)).objects();
    }

    @Test
    void printsBothConfigurationsAndTheService() throws IOException {
        CommandRun run = run("--name auto.example.com --service ns/hooks --inject-ca-from ns/certificate");
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        List<JsonNode> objects = objects(run);
        assertThat(objects)
                .extracting(object -> object.path("kind").asString(""))
                .containsExactly("ValidatingWebhookConfiguration", "MutatingWebhookConfiguration", "Service");
        assertThat(objects.getFirst()
                        .at("/metadata/annotations/cert-manager.io~1inject-ca-from")
                        .asString(""))
                .isEqualTo("ns/certificate");
        JsonNode webhook = objects.getFirst().at("/webhooks/0");
        assertThat(webhook.path("name").asString("")).isEqualTo("check.auto.example.com");
        assertThat(webhook.at("/rules/0/apiGroups/0").asString("")).isEqualTo("example.com");
        assertThat(webhook.at("/clientConfig/service/path").asString("")).isEqualTo("/check");
        assertThat(webhook.path("clientConfig").has("caBundle")).isFalse();
        assertThat(objects.getLast().at("/spec/ports/0/targetPort").asInt(0)).isEqualTo(9443);
    }

    @Test
    void saysWhatOnlyTheClusterKnows() throws IOException {
        CommandRun run = run("--name auto.example.com --url https://host:9443/hooks");
        assertThat(run.out())
                .contains("# No definition of 'deployments.v1.apps' was given")
                .doesNotContain("'boxes'");
        JsonNode rule = objects(run).getLast().at("/webhooks/0/rules/0");
        assertThat(rule.at("/apiGroups/0").asString("")).isEqualTo("apps");
        assertThat(rule.at("/resources/0").asString("")).isEqualTo("deployments");
        assertThat(rule.at("/operations/0").asString("")).isEqualTo("CREATE");
    }

    @Test
    void theNameMayComeFromTheSettings() throws IOException {
        CommandRun run = run("--set admission.managed=set.example.com --url https://host");
        assertThat(objects(run).getFirst().at("/metadata/name").asString("")).isEqualTo("set.example.com");
    }

    /** As the operator itself does with {@code run -n}. */
    @ParameterizedTest
    @CsvSource({"-n team-a, team-a", "'-n team-a -n team-b', team-a team-b", "-n team-*, ''", "-A, ''"})
    void asksAboutTheNamespacesOfTheOperator(String options, String names) throws IOException {
        CommandRun run = run("--name auto.example.com --url https://host " + options);
        assertThat(run.exitCode()).as(run.err()).isEqualTo(ExitCode.OK);
        assertThat(objects(run))
                .allSatisfy(object -> assertThat(object.at("/webhooks/0/namespaceSelector/matchExpressions/0/values")
                                .valueStream()
                                .map(value -> value.asString(""))
                                .collect(Collectors.joining(" ")))
                        .isEqualTo(names));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "--name auto.example.com | --service NAMESPACE/NAME or by --url",
                "--url https://host | --name auto.example.com",
                "--name short --url https://host | is no domain",
                "--name auto.example.com --service hooks | is no Service",
                "--name auto.example.com --service a/b:70000 | --service a/b:70000 names no port: 1 to 65535",
                "--name auto.example.com --service a/b:0 | --service a/b:0 names no port: 1 to 65535",
                "--name auto.example.com --service a/b --target-port 65536 | --target-port 65536 is no port: 1 to 65535",
                "--name auto.example.com --service a/b --target-port 0 | --target-port 0 is no port: 1 to 65535",
                "--name auto.example.com --url https://host -n a -A | Either --namespace or --all-namespaces",
                "--name auto.example.com --url https://host --namespace= | --namespace is empty",
                "--name auto.example.com --url https://host --standalone --peering x | --standalone and --peering exclude",
                "--name auto.example.com --url https://host --shards 2000 | must be a whole number from 1 to 1024",
                "--name auto.example.com --url https://host --peering A_b | must be a name of small letters",
                "--name auto.example.com --service a/b --url https://host | either by --service",
                "--name auto.example.com --service a/b --ca x --inject-ca-from a/b | not both",
                "--name auto.example.com --service a/b --ca missing.pem | Cannot read the authorities missing.pem"
            })
    void refusesWhatItCannotUse(String options, String problem) {
        CommandRun run = run(options);
        assertThat(run.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(run.err()).contains(problem);
    }

    @Test
    void thereIsNothingToPrintWithoutAdmissionHandlers() throws IOException {
        Files.writeString(folder.resolve("Hooks.java"), """
                import dev.kopf4j.*;

                class Hooks {
                    @OnCreate("boxes")
                    void create() {}
                }
                """);
        assertThat(run("--name auto.example.com --url https://host").err()).contains("no admission handlers");
    }
}
