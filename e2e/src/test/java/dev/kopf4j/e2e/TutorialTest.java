package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The walkthrough, as a reader types it. The embedded cluster has no controller that protects claims in use, and sets
 * no finalizer for one: a claim without owner is gone at once.
 */
@Tag("L69")
class TutorialTest {
    private static final String FOLDER = "examples/00-tutorial/";
    private static final String CLAIM = Kopf4j.ROOT.resolve(FOLDER + "evc.yaml").toString();
    private static final String SIZE = "jsonpath={.spec.resources.requests.storage}";
    private static final String LABELS = "jsonpath={.metadata.labels}";

    @TempDir
    private Path home;

    @BeforeEach
    void requireKubectl() {
        Kubectl.require();
    }

    @Test
    void childFollowsEachStepOfItsOwner() {
        try (RunningProgram operator =
                Kopf4j.start("run", "--devcluster", "--apply", FOLDER + "crd.yaml", FOLDER + "Ephemeral.java")) {
            Kubectl kubectl = Kubectl.of(home, Kopf4j.kubeconfig(operator));
            createsTheChild(operator, kubectl);
            resizesTheChild(kubectl);
            relabelsTheChild(kubectl);
            deletesTheChild(kubectl);
            refusesClaimsWithoutSize(operator, kubectl);
            operator.terminate();
            assertThat(operator.awaitExit(Kopf4j.PATIENCE)).as("%s", operator).isZero();
        }
    }

    private static void createsTheChild(RunningProgram operator, Kubectl kubectl) {
        assertThat(kubectl.run("apply", "-f", CLAIM)).isEqualTo("ephemeralvolumeclaim.kopf.dev/my-claim created");
        operator.awaitLog("PVC child is created: my-claim", Kopf4j.PATIENCE);
        kubectl.awaitOutput("my-claim", "get", "evc", "my-claim", "-o", "jsonpath={.status.createFn.pvc-name}");
        kubectl.awaitOutput("1G", "get", "pvc", "my-claim", "-o", SIZE);
        String owner = "jsonpath={.metadata.ownerReferences[0].kind} {.metadata.ownerReferences[0].name}";
        kubectl.awaitOutput("EphemeralVolumeClaim my-claim", "get", "pvc", "my-claim", "-o", owner);
    }

    private static void resizesTheChild(Kubectl kubectl) {
        kubectl.run("patch", "evc", "my-claim", "--type", "merge", "-p", "{\"spec\": {\"size\": \"2G\"}}");
        kubectl.awaitOutput("2G", "get", "pvc", "my-claim", "-o", SIZE);
    }

    private static void relabelsTheChild(Kubectl kubectl) {
        kubectl.run("label", "pvc", "my-claim", "unrelated=stays");
        kubectl.run("label", "evc", "my-claim", "application=some-app", "owner=me");
        awaitLabels(kubectl, "{\"application\":\"some-app\",\"owner\":\"me\",\"unrelated\":\"stays\"}");
        kubectl.run("label", "--overwrite", "evc", "my-claim", "application=other-app", "owner-");
        awaitLabels(kubectl, "{\"application\":\"other-app\",\"unrelated\":\"stays\"}");
        kubectl.run("label", "evc", "my-claim", "application-");
        awaitLabels(kubectl, "{\"unrelated\":\"stays\"}");
        kubectl.awaitOutput("2G", "get", "pvc", "my-claim", "-o", SIZE);
    }

    private static void awaitLabels(Kubectl kubectl, String labels) {
        kubectl.awaitOutput(labels, "get", "pvc", "my-claim", "-o", LABELS);
    }

    private static void deletesTheChild(Kubectl kubectl) {
        kubectl.run("delete", "-f", CLAIM);
        kubectl.awaitOutput("", "get", "evc,pvc", "-o", "name");
    }

    private void refusesClaimsWithoutSize(RunningProgram operator, Kubectl kubectl) {
        Path file = TextFile.write(home.resolve("sizeless.yaml"), """
                apiVersion: kopf.dev/v1
                kind: EphemeralVolumeClaim
                metadata:
                  name: sizeless
                """);
        kubectl.run("apply", "-f", file.toString());
        assertThat(operator.awaitLog("Handler 'createFn' failed permanently", Kopf4j.PATIENCE))
                .contains("[default/sizeless]", "Size must be set");
        assertThat(kubectl.run("get", "pvc", "-o", "name")).isEmpty();
    }
}
