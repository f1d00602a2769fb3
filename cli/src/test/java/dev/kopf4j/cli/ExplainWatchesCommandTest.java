package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

/** Tests {@link ExplainWatchesCommand}: what it tells with and without a cluster. */
class ExplainWatchesCommandTest {
    @TempDir
    private Path folder;

    private Path source;

    @BeforeEach
    void write() throws IOException {
        source = Files.writeString(folder.resolve("Watching.java"), """
                import dev.kopf4j.*;
                import java.util.Map;

                class Watching {
                    @OnCreate(value = "kopfexamples", labels = "app=web,tier in (a,b),!legacy")
                    void make() {}

                    @OnEvent("pods")
                    void seen() {}

                    @OnIndex(value = "pods", labels = "app")
                    Map<String, String> byName(String name) { return Map.of(name, name); }

                    @OnValidate("kopfexamples")
                    void check() {}
                }
                """);
        Files.writeString(folder.resolve("crd.yaml"), """
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
                    subresources: {status: {}}
                    schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
                """);
    }

    private String explained(String... options) {
        String[] arguments = new String[options.length + 3];
        arguments[0] = "explain";
        arguments[1] = "watches";
        System.arraycopy(options, 0, arguments, 2, options.length);
        arguments[arguments.length - 1] = source.toString();
        CommandRun run = CommandRun.of(arguments);
        assertThat(run.err()).isEmpty();
        assertThat(run.exitCode()).isZero();
        assertThat(LoggerFactory.getLogger("kopf4j.activities.authentication").isInfoEnabled())
                .as("it logs that it logs in")
                .isFalse();
        return run.out();
    }

    @Test
    @Tag("M66")
    void withoutAClusterItTellsWhatIsDeclared() {
        assertThat(explained("--offline", "-n", "one", "-n", "team-*")).isEqualTo("""
                kopfexamples in 'one', in namespaces like 'team-*'
                    watched: all objects, whole
                    for: @OnCreate 'make' (of objects with the labels app=web,tier in (a,b),!legacy)
                    needs: list, watch, patch of kopfexamples
                    needs: patch of its status, if it has that subresource
                pods in 'one', in namespaces like 'team-*'
                    watched: all objects, whole
                    for: @OnEvent 'seen'
                    for: @OnIndex 'byName' (of objects with the labels app)
                    needs: list, watch of pods
                kopfpeerings.v1 of kopf.dev or zalando.org in 'one', in namespaces like 'team-*'
                    watched: all objects, whole
                    for: peering with other operators (peering.standalone=true: none)
                    needs: list, watch, patch of kopfpeerings and its status, if that is served
                customresourcedefinitions.v1.apiextensions.k8s.io cluster-wide
                    watched: all objects, whole
                    for: the framework finds resources that come and go (scanning.disabled=true looks once, at the start)
                    needs: list, watch of customresourcedefinitions in the API group apiextensions.k8s.io
                namespaces.v1 cluster-wide
                    watched: all objects, whole
                    for: the framework finds the namespaces that match what was given
                    needs: list, watch of namespaces
                events.v1
                    not watched
                    for: events about the objects (posting.enabled=false: none)
                    needs: create, patch of events
                kopfexamples in the questions of the API server
                    not watched
                    for: @OnValidate 'check'
                """);
    }

    @Test
    @Tag("M66")
    void settingsLeaveOutWhatIsNotNeeded() {
        assertThat(explained(
                        "--offline",
                        "--standalone",
                        "--set=scanning.disabled=true",
                        "--set=posting.enabled=false",
                        "--set=admission.managed=mine",
                        "--leader-elect"))
                .doesNotContain("peering", "customresourcedefinitions", "events.v1", "questions")
                .contains(
                        "leases.v1.coordination.k8s.io\n    not watched\n    for: leader election\n    needs: get, create,"
                                + " update of leases in the API group coordination.k8s.io\n")
                .contains("validatingwebhookconfigurations.v1.admissionregistration.k8s.io\n    not watched\n"
                        + "    for: @OnValidate 'check'\n");
    }

    @Test
    @Tag("M66")
    void withAClusterItTellsWhatThatServes() {
        assertThat(explained("--devcluster", "-A")).startsWith("""
                        kopfexamples.v1.kopf.dev cluster-wide
                            watched: all objects, whole
                            for: @OnCreate 'make' (of objects with the labels app=web,tier in (a,b),!legacy)
                            needs: list, watch, patch of kopfexamples in the API group kopf.dev
                            needs: patch of kopfexamples/status in the API group kopf.dev
                        pods.v1 cluster-wide
                            watched: all objects, whole
                            for: @OnEvent 'seen'
                            for: @OnIndex 'byName' (of objects with the labels app)
                            needs: list, watch of pods
                        """).doesNotContain("kopfpeerings", "namespaces.v1");
    }

    @Test
    @Tag("M66")
    void namespacesThatMatchAreFoundInTheCluster() {
        assertThat(explained("--devcluster", "-n", "kube-*", "-n", "mine"))
                .contains("pods.v1 in 'kube-system'\n", "pods.v1 in 'mine'\n", "namespaces.v1 cluster-wide\n")
                .doesNotContain("pods.v1 in 'default'", "pods.v1 cluster-wide");
    }

    @Test
    @Tag("M66")
    void childrenAreWatchedByTheLabelOfTheirMakerAndAsMetadataWhereThatIsEnough() throws IOException {
        Files.writeString(source, """
                import dev.kopf4j.*;
                import java.util.List;
                import java.util.Map;

                class Watching {
                    @OnReconcile(value = "kopfexamples", children = {"configmaps", "deployments.v1.apps"})
                    List<Map<String, Object>> keep() { return List.of(); }
                }
                """);
        assertThat(explained("--devcluster", "-A")).contains("""
                        configmaps.v1 cluster-wide
                            watched: objects with the labels kopf4j.dev/managed-by=kopf4j, their metadata
                            for: @OnReconcile 'keep', for children of kopfexamples
                            needs: list, watch of configmaps
                            needs: create, patch, delete of configmaps
                        deployments.v1.apps cluster-wide
                            watched: objects with the labels kopf4j.dev/managed-by=kopf4j, whole
                            for: @OnReconcile 'keep', for children of kopfexamples
                        """);
    }

    @Test
    @Tag("M66")
    void handlersOfAnotherVersionThanTheWatchedOneAreTold() throws IOException {
        String definition = Files.readString(folder.resolve("crd.yaml"));
        Files.writeString(
                folder.resolve("crd.yaml"),
                definition
                        + definition
                                .substring(definition.indexOf("  - name: v1"))
                                .replace("name: v1", "name: v1beta1")
                                .replace("storage: true", "storage: false"));
        Files.writeString(source, """
                import dev.kopf4j.*;

                class Watching {
                    @OnCreate("kopfexamples.v1.kopf.dev")
                    void make() {}

                    @OnUpdate("kopfexamples.v1beta1.kopf.dev")
                    void change() {}
                }
                """);
        assertThat(explained("--devcluster", "-A"))
                .contains("for: @OnCreate 'make'\n")
                .doesNotContain("for: @OnUpdate")
                .contains("\nNote: kopfexamples.v1.kopf.dev is watched, and so no other version of it, but handlers are"
                        + " for v1beta1: not called are 'change': let all handlers");
    }

    @Test
    void offlineAndAClusterExcludeEachOther() {
        CommandRun run = CommandRun.of("explain", "watches", "--offline", "--devcluster", source.toString());
        assertThat(run.exitCode()).isEqualTo(2);
        assertThat(run.err()).contains("--offline asks no cluster");
    }
}
