package dev.kopf4j.cli.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import dev.kopf4j.Operator;
import dev.kopf4j.Resource;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.engine.ClusterSurvey;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.runtime.SystemPlatform;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.LoggerFactory;

class RunningDevClusterTest {
    @TempDir
    private Path folder;

    @Test
    void theKubeconfigIsThereWhenTheClusterIsReadyAndNotBefore() throws IOException {
        Path kubeconfig = folder.resolve("config");
        List<Boolean> before = new ArrayList<>();
        for (int start = 0; start < 2; start++) {
            try (var _ = RunningDevCluster.start(
                    Options.defaults(), kubeconfig, starting -> before.add(Files.exists(kubeconfig)))) {
                assertThat(Files.readString(kubeconfig)).contains("current-context: devcluster");
            }
            assertThat(kubeconfig).as("is left at the end").exists();
        }
        assertThat(before).containsExactly(false, false);
        try (var files = Files.list(folder)) {
            assertThat(files).containsExactly(kubeconfig);
        }
    }

    /** A start on a full disk left one, or `mktemp` has made it. */
    @Test
    void anEmptyKubeconfigIsNobodys() throws IOException {
        Path kubeconfig = Files.createFile(folder.resolve("config"));
        try (var _ = RunningDevCluster.start(Options.defaults(), kubeconfig, _ -> {})) {
            assertThat(Files.readString(kubeconfig)).contains("current-context: devcluster");
        }
    }

    /** The operator that converts them is started after the cluster. */
    @Test
    void objectsInAVersionThatIsNotStoredWait() throws IOException, InterruptedException {
        Path manifests = Files.writeString(folder.resolve("all.yaml"), """
                {apiVersion: v1, kind: List, items: [
                 {apiVersion: kopf.dev/v2, kind: Box, metadata: {name: waits}}]}
                ---
                {apiVersion: kopf.dev/v1, kind: Box, metadata: {name: stored}}
                ---
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: boxes.kopf.dev}
                spec:
                  group: kopf.dev
                  scope: Namespaced
                  names: {plural: boxes, kind: Box}
                  versions:
                  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
                  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
                """);
        try (var running = RunningDevCluster.start(Options.defaults(), folder.resolve("config"), _ -> {})) {
            Runnable later = running.applyStored(ManifestFiles.read(List.of(manifests)));
            assertThat(boxes(running)).containsExactly("stored");
            later.run();
            assertThat(boxes(running)).containsExactly("stored", "waits");
        }
    }

    /** What is refused holds up nothing, and waits for an operator that converts it. */
    @Test
    void whatIsRefusedLaterIsTriedAgain() throws IOException, InterruptedException {
        Path manifests = Files.writeString(folder.resolve("all.yaml"), """
                {apiVersion: kopf.dev/v2, kind: Box, metadata: {name: bad, namespace: missing}}
                ---
                {apiVersion: kopf.dev/v2, kind: Box, metadata: {name: good}}
                ---
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: boxes.kopf.dev}
                spec:
                  group: kopf.dev
                  scope: Namespaced
                  names: {plural: boxes, kind: Box}
                  versions:
                  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
                  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
                """);
        Logger logger = (Logger) LoggerFactory.getLogger(RunningDevCluster.class);
        var logged = new ListAppender<ILoggingEvent>();
        logged.start();
        logger.addAppender(logged);
        try (var running = RunningDevCluster.start(Options.defaults(), folder.resolve("config"), _ -> {})) {
            Runnable later = running.applyStored(ManifestFiles.read(List.of(manifests)));
            later.run();
            assertThat(boxes(running)).containsExactly("good");
            assertThat(errors(logged)).singleElement().asString().contains("Box bad", "namespaces");
            running.apply("{apiVersion: v1, kind: Namespace, metadata: {name: missing}}");
            later.run();
            assertThat(boxes(running)).containsExactlyInAnyOrder("bad", "good");
            assertThat(errors(logged)).hasSize(1);
        } finally {
            logger.detachAppender(logged);
        }
    }

    private static List<String> errors(ListAppender<ILoggingEvent> logged) {
        return logged.list.stream()
                .filter(event -> event.getLevel() == Level.ERROR)
                .map(ILoggingEvent::getFormattedMessage)
                .toList();
    }

    private static List<String> boxes(RunningDevCluster running) throws InterruptedException {
        OperatorPlan plan = OperatorPlan.of(Operator.builder().kubeconfig(running.kubeconfig()));
        return ClusterSurvey.connect(plan, new SystemPlatform(), api -> {
            List<String> names = new ArrayList<>();
            Resource boxes =
                    api.apiDiscovery().resources(Set.of("kopf.dev")).iterator().next();
            var _ = api.list(
                    boxes,
                    null,
                    0,
                    each -> names.add(each.path("metadata").path("name").asString("")));
            return names;
        });
    }
}
