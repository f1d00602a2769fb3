package dev.kopf4j.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.cli.process.ExitCode;
import dev.kopf4j.cli.rbac.UsedRights;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** An operator under exactly the rights that are made for it. */
@DisabledOnOs(OS.WINDOWS)
class GeneratedRightsTest {
    private static final Path DEPLOY = Path.of("..", "deploy");

    /** What needs each of the rights. The object's note steers it. */
    private static final String OPERATOR = """
            import dev.kopf4j.*;
            import dev.kopf4j.crd.CustomResource;
            import dev.kopf4j.rbac.PolicyRule;
            import io.fabric8.kubernetes.client.KubernetesClient;
            import java.util.Map;
            import org.slf4j.Logger;

            class Notes {
                @CustomResource(group = "example.com", version = "v1")
                record Note(NoteSpec spec, NoteStatus status) {}
                record NoteSpec(String text, boolean shown) {}
                record NoteStatus(String seen) {}

                @OnCreate
                @PolicyRule(resources = "pods", verbs = "list")
                void create(Note note, KubernetesClient client, Body body, Patch patch) {
                    Kopf.info(body, "Seen", "twice, so that the event is patched");
                    int pods = client.pods().inNamespace("default").list().getItems().size();
                    patch.status().set("seen", "with pods: " + pods);
                }

                @OnDelete
                void delete(Note note) {}

                @OnReconcile(children = "configmaps", condition = "")
                Object page(Note note) {
                    return note.spec().shown()
                            ? Map.of("apiVersion", "v1", "kind", "ConfigMap", "data", Map.of("text", note.spec().text()))
                            : null;
                }

                @OnEvent("secrets")
                void secret(Logger logger, String name) { logger.info("secret {}", name); }

                @OnTimer(interval = "1s")
                void hide(Note note, Body body, Patch patch) {
                    if (!followed || !note.spec().shown()) {
                        return;
                    }
                    Kopf.info(body, "Seen", "twice, so that the event is patched");
                    patch.spec().set("shown", false);
                }

                @OnChild(parent = "notes", value = "configmaps")
                void follow(Reason reason, Logger logger) {
                    logger.info("page {}", reason);
                    followed = true;
                }

                private volatile boolean followed;
            }
            """;

    /** As `kopf4j manifests` calls it. */
    private static final String LEASE = "--set=leaderElection.leaseName=notes";

    private static final String OBJECT = """
            {apiVersion: example.com/v1, kind: Note, metadata: {name: one}, spec: {text: hello, shown: true}}
            """;

    @TempDir
    private Path folder;

    private Path write(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text);
    }

    @Test
    @Tag("O05")
    @Tag("O07")
    void sufficeAndNoneIsUnused() throws Exception {
        write("Notes.java", OPERATOR);
        write("object.yaml", OBJECT);
        write("peering-types.yaml", Files.readString(DEPLOY.resolve("peering-types.yaml")));
        write("peering.yaml", Files.readString(DEPLOY.resolve("peering.yaml")));
        String[] run = {
            "run", "--devcluster", "--rbac", "--used-rights", "used.yaml", "--leader-elect", LEASE, "-A", "Notes.java"
        };
        try (var program = ProgramProcess.start(folder, run)) {
            program.awaitErr("page DELETE");
            program.signal("TERM");
            assertThat(program.awaitExit()).isEqualTo(ExitCode.OK);
            program.awaitOut("");
            assertThat(program.seen()).noneMatch(line -> line.contains("Not permitted"));
        }
        Path used = folder.resolve("used.yaml");
        assertThat(used).content().contains("notes/status", "customresourcedefinitions", "configmaps");
        CommandRun checked = check(used, "--strict", "--leader-elect", LEASE, "-A", notes());
        assertThat(checked.out())
                .isEqualTo("All rights that were used are granted, and all that are granted were used.\n");
        assertThat(checked.exitCode()).isEqualTo(ExitCode.OK);
        checksRoles(used);
    }

    /** With roles that people have changed. */
    private void checksRoles(Path used) throws IOException {
        String manifests = CommandRun.of("manifests", "--leader-elect", "--operator-namespace", "default", notes())
                .out();
        Path roles = write("roles.yaml", manifests);
        assertThat(check(used, "--strict", "--roles", roles.toString()).exitCode())
                .isEqualTo(ExitCode.OK);
        write("roles.yaml", manifests.replaceFirst("- configmaps\n", "- endpoints\n"));
        CommandRun checked = check(used, "--roles", roles.toString());
        assertThat(checked.out())
                .contains("missing: create of configmaps, namespace default\n")
                .contains("unused: create of endpoints (ClusterRole default-notes)\n");
        assertThat(checked.exitCode()).isEqualTo(ExitCode.FINDINGS);
        write("roles.yaml", manifests.replaceFirst("- configmaps\n", "- endpoints\n  - configmaps\n"));
        assertThat(check(used, "--roles", roles.toString()).exitCode()).isEqualTo(ExitCode.OK);
        assertThat(check(used, "--strict", "--roles", roles.toString()).exitCode())
                .isEqualTo(ExitCode.FINDINGS);
    }

    private String notes() {
        return folder.resolve("Notes.java").toString();
    }

    private static CommandRun check(Path used, String... options) {
        List<String> arguments = new ArrayList<>(List.of("rbac", "check", "--used-rights", used.toString()));
        arguments.addAll(List.of(options));
        return CommandRun.of(arguments.toArray(String[]::new));
    }

    @Test
    @Tag("O08")
    void missingRightsAreToldOnceCompletelyAndByHandler() throws Exception {
        write("Watching.java", """
                import dev.kopf4j.*;

                class Watching {
                    @OnStartup
                    void configure(OperatorSettings settings) { settings.posting().enabled(false); }

                    @OnCreate("configmaps")
                    void made() {}

                    @OnEvent("secrets")
                    void seen() {}

                    @OnReconcile(value = "configmaps", children = "services")
                    void children() {}
                }
                """);
        try (DevCluster cluster =
                DevCluster.start(Options.defaults().https(true).rbac(true))) {
            cluster.apply("""
                    apiVersion: rbac.authorization.k8s.io/v1
                    kind: ClusterRole
                    metadata: {name: poor}
                    rules:
                    - {apiGroups: [""], resources: [configmaps], verbs: [list, watch]}
                    ---
                    apiVersion: rbac.authorization.k8s.io/v1
                    kind: ClusterRoleBinding
                    metadata: {name: poor}
                    roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: poor}
                    subjects: [{apiGroup: rbac.authorization.k8s.io, kind: User, name: poor}]
                    """);
            Path kubeconfig = write("kubeconfig", cluster.kubeconfig("poor"));
            String[] run = {"run", "--kubeconfig", kubeconfig.toString(), "-A", "--standalone", "Watching.java"};
            try (var program = ProgramProcess.start(folder, run)) {
                program.awaitErr("The operator's account lacks rights, which the roles of `kopf4j manifests` have:");
                program.awaitErr("  list, watch of customresourcedefinitions in the API group apiextensions.k8s.io"
                        + " cluster-wide, for resources that come and go");
                assertThat(program.seen())
                        .contains(
                                "      patch of configmaps cluster-wide, for @OnCreate 'made', @OnReconcile 'children'",
                                "      list, watch of secrets cluster-wide, for @OnEvent 'seen'",
                                "      list, watch of services cluster-wide, for @OnReconcile 'children'",
                                "      create, patch, delete of services cluster-wide, for @OnReconcile 'children'")
                        .as("by the settings that the start-up handler has made")
                        .noneMatch(line -> line.contains(" of events"))
                        .noneMatch(line -> line.contains("list, watch of configmaps"));
                program.signal("TERM");
                assertThat(program.awaitExit()).isEqualTo(ExitCode.OK);
            }
        }
    }

    /** As in a namespace that is being deleted: the Role goes first, and the objects wait for the operator. */
    @Test
    void missingRightsInANamespaceAreToldWithTheWayOutOfItsDeletion() throws Exception {
        write("Watching.java", """
                import dev.kopf4j.*;

                class Watching {
                    @OnDelete("configmaps")
                    void gone() {}
                }
                """);
        try (DevCluster cluster =
                DevCluster.start(Options.defaults().https(true).rbac(true))) {
            Path kubeconfig = write("kubeconfig", cluster.kubeconfig("poor"));
            String[] run = {"run", "--kubeconfig", kubeconfig.toString(), "-n", "default", "Watching.java"};
            try (var program = ProgramProcess.start(folder, run)) {
                program.awaitErr("  If a namespace of these is being deleted, its Roles went first");
                program.signal("TERM");
                assertThat(program.awaitExit()).isEqualTo(ExitCode.OK);
            }
        }
    }

    @Test
    @Tag("O07")
    void whatAnybodyMayAskAboutHimselfIsNoMissingRight() throws IOException {
        UsedRights used = new UsedRights();
        used.note(
                ApiRequest.of("POST", "/apis/authorization.k8s.io/v1/selfsubjectaccessreviews", Map.of(), new byte[0]),
                ApiResponse.whole(201, "application/json", new byte[0]));
        Path file = folder.resolve("used.yaml");
        used.write(file);
        Path roles = write("roles.yaml", """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata: {name: notes, namespace: default}
                rules: [{apiGroups: [example.com], resources: [notes], verbs: [patch]}]
                """);
        assertThat(check(file, "--roles", roles.toString()).out()).doesNotContain("missing");
    }

    @Test
    @Tag("O07")
    void theRightsOfManyObjectsAreReadAndFew() throws IOException {
        UsedRights used = new UsedRights();
        ApiResponse answer = ApiResponse.whole(200, "application/json", new byte[0]);
        for (int i = 0; i < 3000; i++) {
            String path = "/apis/example.com/v1/namespaces/default/notes/note-" + i;
            used.note(ApiRequest.of("PATCH", path, Map.of(), new byte[0]), answer);
        }
        Path file = folder.resolve("used.yaml");
        used.write(file);
        assertThat(Files.readAllLines(file).stream().filter(line -> line.contains("name: note-")))
                .hasSize(1000);
        Path roles = write("roles.yaml", """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata: {name: notes, namespace: default}
                rules: [{apiGroups: [example.com], resources: [notes], verbs: [patch]}]
                """);
        assertThat(check(file, "--roles", roles.toString()).out()).startsWith("All rights that were used are granted");
        write("roles.yaml", Files.readString(roles).replace("verbs:", "resourceNames: [note-1], verbs:"));
        assertThat(check(file, "--roles", roles.toString()).out()).contains("missing: patch of notes");
    }

    @Test
    @Tag("O07")
    void aLargeFileIsReadAndAnUnreadableOneSaysWhy() throws IOException {
        String right = "- {verb: get, apiGroup: '', resource: pods, namespace: default, name: NAME, allowed: true}\n";
        StringBuilder text = new StringBuilder("usedRights:\n");
        for (int i = 0; text.length() < 3_500_000; i++) {
            text.append(right.replace("NAME", "pod-" + i));
        }
        Path roles = write("roles.yaml", """
                apiVersion: rbac.authorization.k8s.io/v1
                kind: Role
                metadata: {name: pods, namespace: default}
                rules: [{apiGroups: [""], resources: [pods], verbs: [get]}]
                """);
        assertThat(check(write("large.yaml", text.toString()), "--roles", roles.toString())
                        .out())
                .startsWith("All rights that were used are granted");
        CommandRun checked = check(write("broken.yaml", "usedRights: ["), "--roles", roles.toString());
        assertThat(checked.err()).contains("broken.yaml cannot be read as YAML").doesNotContain("has no usedRights");
        assertThat(checked.exitCode()).isEqualTo(ExitCode.USAGE);
    }

    @Test
    @Tag("O07")
    void whatWasNotRecordedIsRefused() throws IOException {
        CommandRun checked = check(write("other.yaml", "a: b"), notes());
        assertThat(checked.exitCode()).isEqualTo(ExitCode.USAGE);
        assertThat(checked.err()).contains("other.yaml has no usedRights").contains("--used-rights");
    }
}
