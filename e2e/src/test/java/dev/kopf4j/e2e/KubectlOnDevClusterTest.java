package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The embedded cluster as a process of its own, used as any cluster is. */
class KubectlOnDevClusterTest {
    private static final String CRD =
            Kopf4j.ROOT.resolve("examples/01-minimal/crd.yaml").toString();
    private static final String OBJECT =
            Kopf4j.ROOT.resolve("examples/01-minimal/obj.yaml").toString();
    private static final String FIELD = "jsonpath={.spec.field}";

    @TempDir
    private Path home;

    @BeforeEach
    void requireKubectl() {
        Kubectl.require();
    }

    @Test
    void servesTheLifeOfAnObject() {
        try (RunningProgram cluster = Kopf4j.start("devcluster")) {
            Path kubeconfig = Kopf4j.kubeconfig(cluster);
            Kubectl kubectl = Kubectl.of(home, kubeconfig);
            assertThat(kubectl.run("version")).contains("Server Version: v1.");
            applies(kubectl);
            try (RunningProgram watch = kubectl.start("get", "kex", "-w", "--no-headers")) {
                watch.awaitOutput("kopf-example-1", Kopf4j.PATIENCE);
                describes(kubectl);
                changes(kubectl);
                labels(kubectl);
                deletes(kubectl);
                assertThat(watch.output().lines()).hasSizeGreaterThanOrEqualTo(5);
            }
            cluster.terminate();
            assertThat(cluster.awaitExit(Kopf4j.PATIENCE)).as("%s", cluster).isZero();
            assertThat(kubeconfig).doesNotExist();
        }
    }

    private static void applies(Kubectl kubectl) {
        assertThat(kubectl.run("apply", "-f", CRD))
                .isEqualTo("customresourcedefinition.apiextensions.k8s.io/kopfexamples.kopf.dev created");
        kubectl.run("wait", "--for=condition=Established", "crd/kopfexamples.kopf.dev", "--timeout=10s");
        assertThat(kubectl.run("apply", "-f", OBJECT)).isEqualTo("kopfexample.kopf.dev/kopf-example-1 created");
        assertThat(kubectl.run("apply", "-f", OBJECT)).isEqualTo("kopfexample.kopf.dev/kopf-example-1 unchanged");
        assertThat(kubectl.run("get", "kopfexamples").lines().map(line -> line.split("\\s+", 2)[0]))
                .containsExactly("NAME", "kopf-example-1");
        assertThat(kubectl.run("get", "kex", "-A")).contains("default", "1m");
    }

    private static void describes(Kubectl kubectl) {
        assertThat(kubectl.run("describe", "kex", "kopf-example-1"))
                .contains("Name:         kopf-example-1", "somelabel=somevalue", "Duration:  1m");
    }

    private void changes(Kubectl kubectl) {
        Path editor = TextFile.script(home.resolve("editor"), "sed -i 's/  field: value/  field: edited/' \"$1\"\n");
        assertThat(kubectl.run(Map.of("EDITOR", editor.toString()), "edit", "kex", "kopf-example-1"))
                .isEqualTo("kopfexample.kopf.dev/kopf-example-1 edited");
        assertThat(kubectl.run("get", "kex", "kopf-example-1", "-o", FIELD)).isEqualTo("edited");
        kubectl.run("patch", "kex", "kopf-example-1", "--type", "merge", "-p", "{\"spec\":{\"field\":\"merged\"}}");
        assertThat(kubectl.run("get", "kex", "kopf-example-1", "-o", FIELD)).isEqualTo("merged");
        String operation = "[{\"op\":\"replace\",\"path\":\"/spec/field\",\"value\":\"replaced\"}]";
        kubectl.run("patch", "kex", "kopf-example-1", "--type", "json", "-p", operation);
        assertThat(kubectl.run("get", "kex", "kopf-example-1", "-o", FIELD)).isEqualTo("replaced");
        kubectl.run(
                "patch",
                "kex",
                "kopf-example-1",
                "--subresource=status",
                "--type",
                "merge",
                "-p",
                "{\"status\":{\"createFn\":{\"message\":\"shown\"}}}");
        assertThat(kubectl.run("get", "kex", "kopf-example-1")).contains("shown");
    }

    private static void labels(Kubectl kubectl) {
        kubectl.run("label", "kex", "kopf-example-1", "a=b");
        assertThat(kubectl.run("get", "kex", "-l", "a=b,somelabel", "-o", "name"))
                .isEqualTo("kopfexample.kopf.dev/kopf-example-1");
        kubectl.run("label", "kex", "kopf-example-1", "a-");
        assertThat(kubectl.run("get", "kex", "-l", "a=b", "-o", "name")).isEmpty();
    }

    private static void deletes(Kubectl kubectl) {
        assertThat(kubectl.run("delete", "-f", OBJECT)).startsWith("kopfexample.kopf.dev \"kopf-example-1\" deleted");
        assertThat(kubectl.run("get", "kex", "-o", "name")).isEmpty();
        kubectl.run("delete", "-f", CRD);
        kubectl.awaitOutput("", "get", "crd", "-o", "name");
    }
}
