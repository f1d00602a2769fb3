package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The example of children, with the real {@code kubectl} and simulated nodes: what its README says is what people see.
 */
@Tag("M40")
class ChildrenExampleTest {
    private static final String FOLDER = "examples/20-children/";
    private static final String READY = "jsonpath={.status.conditions[?(@.type==\"Ready\")].status}";
    private static final String WHY = "jsonpath={.status.conditions[?(@.type==\"Ready\")].message}";
    private static final String PAGE = "jsonpath={.data.index\\.html}";

    @TempDir
    private Path home;

    @BeforeEach
    void requireKubectl() {
        Kubectl.require();
    }

    @Test
    void createsRepairsTellsAndGoes() {
        try (RunningProgram operator =
                Kopf4j.start("run", "--devcluster", "--workloads", "0.2", FOLDER + "Example.java")) {
            Kubectl kubectl = Kubectl.of(home, Kopf4j.kubeconfig(operator));
            operator.awaitLog("The operator is ready", Kopf4j.PATIENCE);
            rollsOut(kubectl, operator);
            changes(kubectl);
            bringsBack(kubectl);
            repairs(kubectl);
            tellsWhyItIsNotReady(kubectl);
            takesAllAlong(kubectl);
        }
    }

    private static String file(String name) {
        return Kopf4j.ROOT.resolve(FOLDER + name).toString();
    }

    private static void rollsOut(Kubectl kubectl, RunningProgram operator) {
        kubectl.run("apply", "-f", file("obj.yaml"));
        kubectl.run("wait", "--for=condition=Ready", "website/home", "--timeout=30s");
        assertThat(kubectl.run("get", "deployment", "home", "-o", "jsonpath={.status.readyReplicas}"))
                .isEqualTo("2");
        assertThat(kubectl.run("get", "configmap", "home", "-o", PAGE)).isEqualTo("<h1>Hello</h1>");
        assertThat(kubectl.run("get", "service", "home", "-o", "name")).isEqualTo("service/home");
        operator.awaitLog("2 replicas are ready", Kopf4j.PATIENCE);
    }

    private static void changes(Kubectl kubectl) {
        kubectl.run("patch", "website", "home", "--type", "merge", "-p", "{\"spec\":{\"html\":\"<h1>Bye</h1>\"}}");
        awaitText(kubectl, "<h1>Bye</h1>", "configmap", PAGE);
    }

    private static void bringsBack(Kubectl kubectl) {
        String uid = kubectl.run("get", "deployment", "home", "-o", "jsonpath={.metadata.uid}");
        kubectl.run("delete", "deployment", "home");
        await().atMost(Kopf4j.PATIENCE)
                .until(
                        () -> kubectl.run("get", "deployments", "-o", "jsonpath={.items[*].metadata.uid}"),
                        found -> !found.isEmpty() && !found.equals(uid));
        kubectl.run("wait", "--for=condition=Ready", "website/home", "--timeout=30s");
    }

    private static void repairs(Kubectl kubectl) {
        kubectl.run(
                "patch",
                "configmap",
                "home",
                "--type",
                "merge",
                "-p",
                "{\"data\":{\"index.html\":\"x\",\"mine\":\"y\"}}");
        awaitText(kubectl, "<h1>Bye</h1>", "configmap", PAGE);
        assertThat(kubectl.run("get", "configmap", "home", "-o", "jsonpath={.data.mine}"))
                .isEqualTo("y");
        kubectl.run("scale", "deployment", "home", "--replicas=7");
        awaitText(kubectl, "2", "deployment", "jsonpath={.spec.replicas}");
    }

    private static void tellsWhyItIsNotReady(Kubectl kubectl) {
        kubectl.run("wait", "--for=condition=Ready", "website/home", "--timeout=30s");
        kubectl.run(
                "patch",
                "website",
                "home",
                "--type",
                "merge",
                "-p",
                "{\"spec\":{\"image\":\"registry.invalid/web:1\"}}");
        awaitText(kubectl, "False", "website", READY);
        assertThat(kubectl.run("get", "website", "home", "-o", WHY)).startsWith("Deployment home: ");
        kubectl.run("patch", "website", "home", "--type", "merge", "-p", "{\"spec\":{\"image\":\"nginx:1.30\"}}");
        kubectl.run("wait", "--for=condition=Ready", "website/home", "--timeout=30s");
    }

    private static void takesAllAlong(Kubectl kubectl) {
        kubectl.run("delete", "website", "home");
        await().atMost(Kopf4j.PATIENCE)
                .until(
                        () -> kubectl.run("get", "deployments,services,configmaps,pods", "-o", "name"),
                        left -> left.lines().noneMatch(line -> line.contains("/home")));
    }

    private static void awaitText(Kubectl kubectl, String expected, String kind, String path) {
        await().atMost(Kopf4j.PATIENCE).until(() -> kubectl.run("get", kind, "home", "-o", path), expected::equals);
    }
}
