package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.marcnuri.helm.Helm;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * What {@code kopf4j manifests} makes of the example of children is what a cluster with RBAC takes: by {@code kubectl},
 * by its Kustomize, and by Helm.
 */
class OperatorManifestsTest {
    private static final String SOURCE = "examples/20-children/Example.java";
    private static final String ACCOUNT = "--as=system:serviceaccount:example:example";

    @TempDir
    private Path folder;

    private String manifests(String... options) {
        List<String> arguments = new java.util.ArrayList<>(List.of("manifests"));
        arguments.addAll(List.of(options));
        arguments.add(SOURCE);
        try (RunningProgram program = Kopf4j.start(arguments.toArray(String[]::new))) {
            assertThat(program.awaitExit(Kopf4j.PATIENCE)).as("%s", program).isZero();
            return program.output();
        }
    }

    private static DevCluster cluster() {
        return DevCluster.start(Options.defaults().https(true).rbac(true).workloads(Duration.ofMillis(200)));
    }

    private Path kubeconfig(DevCluster cluster) {
        Path file = folder.resolve("kubeconfig");
        cluster.writeKubeconfig(file);
        return file;
    }

    private void assertInstalled(Kubectl kubectl) {
        kubectl.run("-n", "example", "rollout", "status", "deployment/example", "--timeout=20s");
        assertThat(kubectl.run("auth", "can-i", "patch", "websites.kopf.dev", "-A", ACCOUNT))
                .contains("yes");
        assertThat(kubectl.run("auth", "can-i", "delete", "configmaps", "-A", ACCOUNT))
                .contains("yes");
        try (RunningProgram secrets = kubectl.start("auth", "can-i", "list", "secrets", "-A", ACCOUNT)) {
            assertThat(secrets.awaitExit(Kopf4j.PATIENCE)).isEqualTo(1);
        }
        kubectl.run("wait", "--for=condition=Established", "crd/websites.kopf.dev", "--timeout=10s");
    }

    @Test
    @Tag("O01")
    void kubectlAppliesThemAndTheyAreTheSameTheSecondTime() throws IOException {
        Kubectl.require();
        Path file = Files.writeString(folder.resolve("all.yaml"), manifests());
        try (DevCluster cluster = cluster()) {
            Kubectl kubectl = Kubectl.of(folder, kubeconfig(cluster));
            kubectl.run("apply", "-f", file.toString());
            assertInstalled(kubectl);
            assertThat(kubectl.run("apply", "-f", file.toString()).lines())
                    .isNotEmpty()
                    .allMatch(line -> line.endsWith(" unchanged"));
        }
    }

    @Test
    @Tag("O03")
    void kubectlAppliesTheBaseOfKustomizeAndOverlaysOfIt() throws IOException {
        Kubectl.require();
        manifests("--kustomize", folder.resolve("base").toString());
        Path overlay = Files.createDirectories(folder.resolve("overlay"));
        Files.writeString(overlay.resolve("kustomization.yaml"), """
                resources: [../base]
                images: [{name: example.com/example, newName: registry.example.com/web, newTag: "2"}]
                """);
        try (DevCluster cluster = cluster()) {
            Kubectl kubectl = Kubectl.of(folder, kubeconfig(cluster));
            kubectl.run("apply", "-k", overlay.toString());
            assertInstalled(kubectl);
            assertThat(kubectl.run("-n", "example", "get", "deployment", "example", "-o", "jsonpath={..image}"))
                    .isEqualTo("registry.example.com/web:2");
        }
    }

    @Test
    @Tag("O04")
    void helmLintsRendersAndInstallsTheChart() throws IOException {
        Path chart = folder.resolve("chart");
        manifests("--helm", chart.toString());
        Files.writeString(
                chart.resolve("values.yaml"),
                Files.readString(chart.resolve("values.yaml"))
                        .replace("example.com/example:latest", "example.com/mine:1"));
        manifests("--helm", chart.toString());
        Helm helm = new Helm(chart);
        assertThat(helm.lint().strict().call())
                .satisfies(result -> assertThat(result.isFailed())
                        .as("%s", result.getMessages())
                        .isFalse());
        String rendered = helm.template()
                .withName("example")
                .withNamespace("example")
                .set("nodeSelector.disk", "ssd")
                .call();
        assertThat(rendered)
                .contains("image: \"example.com/mine:1\"", "disk: ssd", "name: \"example-example\"", "replicas: 1")
                .doesNotContain("\"@", "pre-upgrade");
        assertAddsVariables(chart);
        assertPlansUpgrades(chart);
        try (DevCluster cluster = cluster()) {
            Path kubeconfig = kubeconfig(cluster);
            helm.install()
                    .withName("example")
                    .withNamespace("example")
                    .createNamespace()
                    .withKubeConfig(kubeconfig)
                    .call();
            Kubectl.require();
            Kubectl kubectl = Kubectl.of(folder, kubeconfig);
            assertInstalled(kubectl);
            assertThat(kubectl.run("-n", "example", "get", "deployment", "example", "-o", "jsonpath={..image}"))
                    .isEqualTo("example.com/mine:1");
            Helm.uninstall("example")
                    .withNamespace("example")
                    .withKubeConfig(kubeconfig)
                    .call();
            assertThat(kubectl.run("get", "clusterroles", "-o", "name")).doesNotContain("example-example");
        }
    }

    private static void assertAddsVariables(Path chart) {
        assertThat(template(chart, "env[0].name", "PROXY", "env[0].value", "none"))
                .contains("name: POD_ID", "name: KOPF4J_SETTINGS_PROCESS_ULTIMATE_EXITING_TIMEOUT", "name: PROXY");
        assertThatThrownBy(() -> template(chart, "env[0].name", "POD_ID", "env[0].value", "1"))
                .hasMessageContaining("env has POD_ID, which the chart itself sets");
    }

    /** The library renders no hooks, so the hook is looked at as an object of a chart that has it as such. */
    private void assertPlansUpgrades(Path chart) throws IOException {
        String hook = Files.readString(chart.resolve("templates/plan.yaml"));
        assertThat(hook).contains("helm.sh/hook: pre-upgrade");
        Path visible =
                Files.createDirectories(folder.resolve("visible/templates")).getParent();
        for (String file : List.of("Chart.yaml", "values.yaml")) {
            Files.copy(chart.resolve(file), visible.resolve(file));
        }
        Files.writeString(visible.resolve("templates/plan.yaml"), hook.replace("helm.sh/", "example.com/"));
        assertThat(template(visible)).doesNotContain("pre-upgrade");
        assertThat(template(visible, "plan.enabled", "true", "nodeSelector.disk", "ssd", "env[0].name", "PROXY"))
                .contains("pre-upgrade", "kind: Job", "- plan", "--changes-are-fine", "disk: ssd", "name: PROXY");
        assertThat(template(visible, "plan.enabled", "true", "plan.failOnChanges", "true"))
                .contains("pre-upgrade")
                .doesNotContain("--changes-are-fine");
        assertThat(template(visible, "plan.enabled", "true")).contains("activeDeadlineSeconds: 600\n");
        assertThat(template(visible, "plan.enabled", "true", "plan.activeDeadlineSeconds", "3600000"))
                .contains("activeDeadlineSeconds: 3600000\n");
        // As in values of charts that were begun before.
        assertThat(template(visible, "plan.enabled", "true", "plan.activeDeadlineSeconds", "null"))
                .contains("activeDeadlineSeconds: 600\n");
        assertThat(template(visible, "plan", "null")).doesNotContain("pre-upgrade");
    }

    private static String template(Path chart, String... values) {
        var command = new Helm(chart).template().withName("example").withNamespace("example");
        for (int i = 0; i < values.length; i += 2) {
            command.set(values[i], values[i + 1]);
        }
        return command.call();
    }
}
