package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.AdmissionException;
import dev.kopf4j.OnMutate;
import dev.kopf4j.OnValidate;
import dev.kopf4j.Patch;
import dev.kopf4j.Spec;
import dev.kopf4j.Warnings;
import dev.kopf4j.testing.OperatorRunner;
import dev.kopf4j.webhook.WebhookServer;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Admission handlers behind the framework's own HTTPS server, asked by an API server for the sake of kubectl. */
class AdmissionOnDevClusterTest {
    @TempDir
    private Path home;

    /** Refuses, warns, fills in. */
    static class Rules {
        @OnValidate("kopfexamples")
        void check(Spec spec, Warnings warnings) {
            String field = spec.getString("field", "");
            if (field.equals("bad")) {
                throw new AdmissionException("The field is bad.", 422);
            }
            if (field.equals("odd")) {
                warnings.add("The field is odd.");
            }
        }

        @OnMutate("kopfexamples")
        void mark(Patch patch) {
            patch.set("spec.duration", "5m");
        }
    }

    @Test
    @Tag("J01")
    @Tag("J02")
    @Tag("J13")
    void kubectlSeesRefusalsWarningsAndChanges() {
        Kubectl.require();
        try (OperatorRunner runner = OperatorRunner.start(
                TestCluster.manifest("examples/01-minimal/crd.yaml"),
                builder -> builder.clusterwide()
                        .handlers(new Rules())
                        .settings(settings -> settings.admission()
                                .server(WebhookServer.local())
                                .managed("auto.example.com")))) {
            Path kubeconfig = home.resolve("kubeconfig");
            runner.cluster().writeKubeconfig(kubeconfig);
            Kubectl kubectl = Kubectl.of(home, kubeconfig);

            try (RunningProgram refused = kubectl.start("create", "-f", object("bad"))) {
                assertThat(refused.awaitExit(Kopf4j.PATIENCE)).isNotZero();
                assertThat(refused.errors()).contains("denied the request: The field is bad.");
            }
            assertThat(kubectl.run("get", "kex")).doesNotContain("bad");
            try (RunningProgram warned = kubectl.start("create", "-f", object("odd"))) {
                assertThat(warned.awaitExit(Kopf4j.PATIENCE)).as("%s", warned).isZero();
                assertThat(warned.errors()).contains("Warning: The field is odd.");
            }
            assertThat(kubectl.json("kex", "odd").at("/spec/duration").stringValue())
                    .isEqualTo("5m");
        }
    }

    private String object(String field) {
        Path file = TextFile.write(home.resolve(field + ".yaml"), """
                apiVersion: kopf.dev/v1
                kind: KopfExample
                metadata:
                  name: %s
                spec:
                  field: %s
                """.formatted(field, field));
        return file.toString();
    }
}
