package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.nio.file.Path;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The example of conversion, with the real {@code kubectl}: what its README says is what people see. */
@Tag("L70")
class ConversionExampleTest {
    private static final String V1 = "widgets.v1.kopf.dev";
    private static final String V2 = "widgets.v2.kopf.dev";

    @TempDir
    private Path home;

    @BeforeEach
    void requireKubectl() {
        Kubectl.require();
    }

    @Test
    @Tag("J23")
    @Tag("J24")
    @Tag("J25")
    @Tag("J28")
    void objectsAreSeenInBothVersionsWhicheverTheyAreStoredIn() {
        try (RunningProgram operator = Kopf4j.start("run", "--devcluster", "examples/18-conversion/Example.java")) {
            operator.awaitLog("The operator is ready", Kopf4j.PATIENCE);
            Kubectl kubectl = Kubectl.of(home, Kopf4j.kubeconfig(operator));
            operator.awaitLog("12 squares", Kopf4j.PATIENCE);
            showsBothVersions(kubectl);
            storesWhatIsWrittenInTheOther(kubectl);
            refusesInWords(kubectl);
            showsOldObjectsAfterTheStoredVersionHasChanged(kubectl);
        }
    }

    private static void showsBothVersions(Kubectl kubectl) {
        await().atMost(Kopf4j.PATIENCE)
                .untilAsserted(
                        () -> assertThat(kubectl.run("get", V1, "--no-headers")).matches("widget-1 +3x4 cm +12"));
        assertThat(kubectl.run("get", V2, "--no-headers")).matches("widget-1 +3 +4 +12");
        assertThat(kubectl.run("get", V2, "widget-1", "-o", "jsonpath={.spec}"))
                .isEqualTo("{\"color\":\"red\",\"height\":4,\"unit\":\"cm\",\"width\":3}");
        assertThat(kubectl.run("get", "crd", "widgets.kopf.dev", "-o", "jsonpath={.spec.conversion.strategy}"))
                .isEqualTo("Webhook");
    }

    private static void storesWhatIsWrittenInTheOther(Kubectl kubectl) {
        patch(kubectl, V2, "{\"spec\":{\"width\":5}}");
        assertThat(kubectl.run("get", V1, "widget-1", "-o", "jsonpath={.spec}"))
                .isEqualTo("{\"color\":\"red\",\"size\":\"5x4 cm\"}");
        await().atMost(Kopf4j.PATIENCE)
                .untilAsserted(() -> assertThat(kubectl.run("get", V1, "widget-1", "-o", "jsonpath={.status}"))
                        .isEqualTo("{\"area\":\"20\"}"));
    }

    private static void refusesInWords(Kubectl kubectl) {
        patch(kubectl, V1, "{\"spec\":{\"size\":\"big\"}}");
        try (RunningProgram refused = kubectl.start("get", V2)) {
            assertThat(refused.awaitExit(Kopf4j.PATIENCE)).isEqualTo(1);
            assertThat(refused.errors())
                    .contains(
                            "conversion webhook for kopf.dev/v1, Kind=Widget failed: Widget default/widget-1 cannot be"
                                    + " converted from kopf.dev/v1 to kopf.dev/v2: spec.size: 'big' is not of the form 3x4");
        }
        patch(kubectl, V1, "{\"spec\":{\"size\":\"2x4\"}}");
        assertThat(kubectl.run("get", V2, "widget-1", "-o", "jsonpath={.spec}"))
                .isEqualTo("{\"color\":\"red\",\"height\":4,\"width\":2}");
    }

    private void showsOldObjectsAfterTheStoredVersionHasChanged(Kubectl kubectl) {
        String definition = TestCluster.manifest("examples/18-conversion/crd.yaml")
                .replace("storage: true", "storage: OTHER")
                .replace("storage: false", "storage: true")
                .replace("storage: OTHER", "storage: false");
        Path file = TextFile.write(home.resolve("crd.yaml"), definition);
        kubectl.run("apply", "-f", file.toString());
        assertThat(kubectl.run("get", "crd", "widgets.kopf.dev", "-o", "jsonpath={.status.storedVersions}"))
                .isEqualTo("[\"v1\",\"v2\"]");
        Path second = TextFile.write(home.resolve("second.yaml"), """
                apiVersion: kopf.dev/v2
                kind: Widget
                metadata: {name: widget-2}
                spec: {width: 1, height: 7}
                """);
        kubectl.run("create", "-f", second.toString());
        String sizes = "jsonpath={.items[*].spec.size}";
        assertThat(kubectl.run("get", V1, "-o", sizes))
                .as("one stored as v1, one as v2")
                .isEqualTo("2x4 1x7");
        assertThat(kubectl.run("get", V2, "-o", "jsonpath={.items[*].spec.width}"))
                .isEqualTo("2 1");
    }

    private static void patch(Kubectl kubectl, String resource, String body) {
        kubectl.run("patch", resource, "widget-1", "--type", "merge", "-p", body);
    }
}
