package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.cli.process.ExitCode;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/** {@code kopf4j run}, in a process of its own. */
@DisabledOnOs(OS.WINDOWS)
class StartedOperatorTest {
    private static final String OPERATOR = """
            import dev.kopf4j.OnCreate;
            import java.util.Map;

            class Example {
                @OnCreate("kopfexamples")
                Map<String, String> createFn(String name) { return Map.of("message", "hello " + name); }
            }
            """;

    static final String MANIFESTS = """
            apiVersion: kopf.dev/v1
            kind: KopfExample
            metadata: {name: one}
            spec: {duration: 1m}
            ---
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
                schema: {openAPIV3Schema: {type: object, x-kubernetes-preserve-unknown-fields: true}}
            """;

    @TempDir
    private Path folder;

    @Test
    void handlesTheObjectsBesideTheSourceUntilItIsStopped() throws Exception {
        write("Example.java", OPERATOR);
        write("manifests.yaml", MANIFESTS);
        write("kustomization.yaml", "resources: [manifests.yaml]");
        write("monitor.yaml", "{apiVersion: monitoring.coreos.com/v1, kind: ServiceMonitor, metadata: {name: m}}");
        try (var program = Kopf4j.startIn(folder, "run", "--devcluster", "Example.java")) {
            program.awaitLog("kustomization.yaml is not applied: it has no Kubernetes objects.", Kopf4j.PATIENCE);
            program.awaitLog("Left out of the files beside the source: cannot apply ServiceMonitor m", Kopf4j.PATIENCE);
            program.awaitOutput("export KUBECONFIG=/", Kopf4j.PATIENCE);
            assertThat(program.awaitLog("Handler 'createFn' succeeded.", Kopf4j.PATIENCE))
                    .contains("[default/one] ");
            program.signal("TERM");
            assertThat(program.awaitExit(Kopf4j.PATIENCE)).isEqualTo(ExitCode.OK);
        }
    }

    @Test
    void logsInOnceForItselfAndTheClientsOfHandlersAndEndsWithoutTracesOfClosedSockets() throws Exception {
        write("Example.java", """
                import dev.kopf4j.*;
                import io.fabric8.kubernetes.client.KubernetesClient;
                import org.slf4j.Logger;

                class Example {
                    @OnLogin
                    ConnectionInfo login(Logins logins, Logger logger) throws InterruptedException {
                        logger.info("a login");
                        return logins.kubeconfig().orElseThrow();
                    }

                    @OnCreate("configmaps")
                    void seen(KubernetesClient client, Logger logger) {
                        logger.info("seen {}", client.configMaps().withName("one").get() != null);
                    }
                }
                """);
        write("object.yaml", "{apiVersion: v1, kind: ConfigMap, metadata: {name: one}}");
        try (var program = Kopf4j.startIn(folder, "run", "--devcluster", "-v", "Example.java")) {
            program.awaitLog("seen true", Kopf4j.PATIENCE);
            program.signal("TERM");
            assertThat(program.awaitExit(Kopf4j.PATIENCE)).isEqualTo(ExitCode.OK);
            assertThat(program.logged("a login")).isEqualTo(1);
            assertThat(program.errors()).doesNotContain("Socket closed", "kopf4j/unknown");
        }
    }

    @Test
    void theReasonOfTheEndIsALineOfJsonTooIfTheLogIs() throws Exception {
        try (var program = Kopf4j.startIn(folder, "run", "-A", "--log-format", "json", "Missing.java")) {
            assertThat(program.awaitLog("Missing.java", Kopf4j.PATIENCE))
                    .startsWith("{\"message\":\"Cannot read the source file")
                    .contains("\"severity\":\"error\"")
                    .endsWith("}");
            assertThat(program.awaitExit(Kopf4j.PATIENCE)).isEqualTo(ExitCode.USAGE);
        }
    }

    @Test
    @Tag("L45")
    void debugShowsTheRequestsAndNoCredentials() throws Exception {
        write("Example.java", OPERATOR);
        write("manifests.yaml", MANIFESTS);
        try (var program = Kopf4j.startIn(folder, "run", "--devcluster", "--debug", "Example.java")) {
            Path kubeconfig = Kopf4j.kubeconfig(program);
            String token = Files.readString(kubeconfig)
                    .lines()
                    .filter(line -> line.strip().startsWith("token:"))
                    .findFirst()
                    .orElseThrow()
                    .replaceFirst(".*token:\\s*", "")
                    .replace("\"", "");
            program.awaitLog("Handler 'createFn' succeeded.", Kopf4j.PATIENCE);
            program.awaitLog("PATCH http", Kopf4j.PATIENCE);
            program.signal("TERM");
            assertThat(program.awaitExit(Kopf4j.PATIENCE)).isEqualTo(ExitCode.OK);
            assertThat(token).hasSizeGreaterThan(8);
            assertThat(program.errors().lines()).anyMatch(line -> line.matches(".*GET http.*/apis.* -> 200"));
            assertThat(program.errors()).doesNotContain(token);
        }
    }

    @Test
    @Tag("P14")
    void theEmbeddedClusterOfAnOperatorHasTheOptionsOfOneAlone() throws Exception {
        write("manifests.yaml", """
                apiVersion: v1
                kind: Pod
                metadata: {name: web, namespace: default}
                spec: {containers: [{name: web, image: web}]}
                """);
        write("Example.java", """
                import dev.kopf4j.*;
                import org.slf4j.Logger;

                class Example {
                    @OnField(value = "pods", field = "status.phase")
                    void phase(String newValue, Logger logger) { logger.info("the phase is {}", newValue); }
                }
                """);
        String[] arguments = {
            "run", "--devcluster", "--workloads=0.1", "--data=kept", "--fault=x1 PATCH /api/v1/** 500", "Example.java"
        };
        try (var program = Kopf4j.startIn(folder, arguments)) {
            program.awaitLog("the phase is Running", Kopf4j.PATIENCE);
            program.awaitLog("500", Kopf4j.PATIENCE);
            program.signal("TERM");
            assertThat(program.awaitExit(Kopf4j.PATIENCE)).isZero();
        }
        assertThat(folder.resolve("kept")).isNotEmptyDirectory();
    }

    private void write(String name, String text) throws IOException {
        Files.writeString(folder.resolve(name), text);
    }
}
