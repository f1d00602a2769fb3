package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code kopf4j crd}, and what {@code kopf4j run --devcluster} does with types. */
class CrdCommandTest {
    private static final String WEBSITE = """
            import dev.kopf4j.OnCreate;
            import dev.kopf4j.crd.*;
            import org.jspecify.annotations.Nullable;

            class Websites {
                /** A site, {@code html} and all. */
                @CustomResource(group = "example.com", version = "v1")
                record Website(WebsiteSpec spec, @Nullable WebsiteStatus status) {}

                /**
                 * What is wanted.
                 *
                 * @param html what the site shows;
                 *     any <b>text</b>
                 */
                record WebsiteSpec(String html, @Nullable @Schema(maximum = MAXIMUM) Integer replicas) {}

                record WebsiteStatus(String url) {}

                @OnCreate
                Object made(Website website) { return website.spec().html(); }
            }
            """;

    @TempDir
    private Path folder;

    private String write(String text) throws IOException {
        return Files.writeString(folder.resolve("Websites.java"), text).toString();
    }

    private String website(int maximum) throws IOException {
        return write(WEBSITE.replace("MAXIMUM", String.valueOf(maximum)));
    }

    @Test
    @Tag("M07")
    @Tag("M09")
    void printsTheDefinitionWithWhatTheCommentsSay() throws IOException {
        var run = CommandRun.of("crd", website(5));
        assertThat(run.exitCode()).isEqualTo(ExitCode.OK);
        assertThat(run.out()).isEqualTo("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata:
                  name: websites.example.com
                spec:
                  group: example.com
                  names:
                    kind: Website
                    listKind: WebsiteList
                    plural: websites
                    singular: website
                  scope: Namespaced
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    subresources:
                      status: {}
                    schema:
                      openAPIV3Schema:
                        description: A site, html and all.
                        type: object
                        properties:
                          apiVersion:
                            type: string
                          kind:
                            type: string
                          metadata:
                            type: object
                          spec:
                            description: What is wanted.
                            type: object
                            properties:
                              html:
                                description: what the site shows; any text
                                type: string
                              replicas:
                                type: integer
                                format: int32
                                minimum: -2147483648
                                maximum: 5
                            required:
                            - html
                          status:
                            type: object
                            properties:
                              url:
                                type: string
                        required:
                        - spec
                """);
        assertThat(CommandRun.of("crd", website(5)).out()).as("deterministic").isEqualTo(run.out());
    }

    @Test
    @Tag("M09")
    void saysWhatIsMissingWhereThereAreNoTypes() throws IOException {
        var run = CommandRun.of("crd", write("class Websites {}"));
        assertThat(run.exitCode()).isEqualTo(ExitCode.SOURCES);
        assertThat(run.err())
                .contains("No custom resources found in ")
                .contains("@CustomResource(group = \"example.com\", version = \"v1\")");
        var unsupported =
                CommandRun.of("crd", write(WEBSITE.replace("MAXIMUM", "5").replace("String html", "Object html")));
        assertThat(unsupported.exitCode()).isEqualTo(ExitCode.SOURCES);
        assertThat(unsupported.err()).contains("Website, field spec.html (component 'html' of record WebsiteSpec)");
    }

    @Test
    @Tag("M13")
    void checkTellsBreakingChangesFromTheFilesOfAFolder() throws IOException {
        Path definitions = folder.resolve("crds.yaml");
        Files.writeString(definitions, CommandRun.of("crd", website(5)).out());
        var same = CommandRun.of("crd", website(5), "--against", definitions.toString());
        assertThat(same.out()).isEqualTo("websites.example.com: unchanged\n");
        assertThat(same.exitCode()).isEqualTo(ExitCode.OK);
        var wider = CommandRun.of("crd", website(6), "--against", definitions.toString());
        assertThat(wider.out())
                .isEqualTo("websites.example.com: change: v1 spec.replicas: maximum was 5, and would be 6\n");
        assertThat(wider.exitCode()).isEqualTo(ExitCode.OK);
        var tighter = CommandRun.of("crd", website(4), "--against", definitions.toString());
        assertThat(tighter.out())
                .isEqualTo("websites.example.com: breaking: v1 spec.replicas: maximum was 5, and would be 4\n");
        assertThat(tighter.exitCode()).isEqualTo(ExitCode.FINDINGS);
    }

    @Test
    @Tag("M13")
    @Tag("M14")
    void checkComparesWithTheCluster() throws IOException {
        try (DevCluster cluster = DevCluster.start(Options.defaults())) {
            Path kubeconfig = folder.resolve("kubeconfig");
            cluster.writeKubeconfig(kubeconfig);
            String[] check = {"crd", website(5), "--check", "--kubeconfig", kubeconfig.toString()};
            assertThat(CommandRun.of(check).out()).isEqualTo("websites.example.com: new\n");
            cluster.apply(CommandRun.of("crd", website(5)).out());
            assertThat(CommandRun.of(check).out()).isEqualTo("websites.example.com: unchanged\n");
            website(4);
            var tighter = CommandRun.of(check);
            assertThat(tighter.out()).contains("breaking: v1 spec.replicas: maximum was 5, and would be 4");
            assertThat(tighter.exitCode()).isEqualTo(ExitCode.FINDINGS);
        }
    }

    @Test
    @Tag("M13")
    void checkDoesNotWaitForARightThatIsRefused() throws IOException {
        List<String> requests = new CopyOnWriteArrayList<>();
        try (DevCluster cluster = DevCluster.start(Options.defaults().requestLog(requests::add))) {
            Path kubeconfig = folder.resolve("kubeconfig");
            cluster.writeKubeconfig(kubeconfig);
            cluster.faults().add("GET /apis/apiextensions.k8s.io/v1/customresourcedefinitions/* 403");
            var run = CommandRun.of("crd", website(5), "--check", "--kubeconfig", kubeconfig.toString());
            assertThat(run.exitCode()).isEqualTo(ExitCode.FAILURE);
            assertThat(requests).filteredOn(each -> each.endsWith(" 403")).hasSize(1);
        }
    }

    @Test
    @Tag("M09")
    @DisabledOnOs(OS.WINDOWS)
    void runAppliesTheDefinitionsToTheDevCluster() throws Exception {
        website(5);
        Files.writeString(folder.resolve("one.yaml"), """
                apiVersion: example.com/v1
                kind: Website
                metadata: {name: one}
                spec: {html: hello}
                """);
        try (var program = ProgramProcess.start(folder, "run", "--devcluster", "Websites.java")) {
            assertThat(program.awaitErr("Handler 'made' succeeded.")).contains("[default/one] ");
            program.signal("TERM");
            assertThat(program.awaitExit()).isEqualTo(ExitCode.OK);
        }
    }

    /** The example says what a newcomer sees: its definition, its handler, its object. */
    @Test
    @Tag("M18")
    @DisabledOnOs(OS.WINDOWS)
    void theExampleOfTypesRunsAndIsAcceptedAsItIs() throws Exception {
        Path example = Path.of("..", "examples", "19-types", "Websites.java").toAbsolutePath();
        Path kubeconfig = folder.resolve("example.kubeconfig");
        try (var program = ProgramProcess.start(
                folder, "run", "--devcluster", "--kubeconfig", kubeconfig.toString(), example.toString())) {
            assertThat(program.awaitErr("Handler 'publish' succeeded.")).contains("[default/home] ");
            var check = CommandRun.of("crd", example.toString(), "--check", "--kubeconfig", kubeconfig.toString());
            assertThat(check.out()).isEqualTo("websites.example.com: unchanged\n");
            program.signal("TERM");
            assertThat(program.awaitExit()).isEqualTo(ExitCode.OK);
        }
    }
}
