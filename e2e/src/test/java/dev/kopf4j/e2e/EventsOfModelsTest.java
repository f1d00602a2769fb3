package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.Kopf;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.devcluster.Options;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.ObjectMetaBuilder;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Kubernetes events about the models of a client library. */
class EventsOfModelsTest {
    private static final Pod POD = new PodBuilder()
            .withNewMetadata()
            .withName("pod")
            .withNamespace("default")
            .withUid("u1")
            .endMetadata()
            .build();

    private static GenericKubernetesResource generic() {
        GenericKubernetesResource generic = new GenericKubernetesResource();
        generic.setApiVersion("kopf.dev/v1");
        generic.setKind("KopfExample");
        generic.setMetadata(new ObjectMetaBuilder()
                .withName("generic")
                .withNamespace("default")
                .build());
        return generic;
    }

    private static Stream<String> events(TestCluster cluster) {
        return cluster.get("/api/v1/namespaces/default/events")
                .path("items")
                .valueStream()
                .map(event -> event.at("/involvedObject/kind").asString("") + " "
                        + event.at("/involvedObject/name").asString("") + " "
                        + event.path("type").asString("") + " "
                        + event.path("reason").asString("") + ": "
                        + event.path("message").asString(""));
    }

    @Test
    @Tag("L40")
    void eventsAreAboutModelsAndCollectionsOfThem() throws InterruptedException {
        try (TestCluster cluster = TestCluster.start(Options.defaults().https(false))) {
            Operator operator = Operator.builder()
                    .clusterwide()
                    .connection(ConnectionInfo.builder(cluster.cluster().url())
                            .token(cluster.cluster().token())
                            .build())
                    .onCreate("kopfexamples", "create", context -> {
                        Kopf.info(POD, "One", "m");
                        Kopf.event(generic(), "Custom", "Two", "m");
                        Kopf.warn(List.of(POD, List.of(generic())), "Three", "m");
                        Kopf.exception(Stream.of(POD).toList(), new IllegalStateException("m"));
                        return null;
                    })
                    .build();
            try (OperatorHandle handle = operator.start()) {
                assertThat(handle.awaitReady(Kopf4j.PATIENCE)).isTrue();
                cluster.createExample("default", "x");
                await().atMost(Kopf4j.PATIENCE)
                        .untilAsserted(() -> assertThat(events(cluster))
                                .containsExactlyInAnyOrder(
                                        "Pod pod Normal One: m",
                                        "KopfExample generic Custom Two: m",
                                        "Pod pod Warning Three: m",
                                        "KopfExample generic Warning Three: m",
                                        "Pod pod Error IllegalStateException: m"));
            }
        }
    }
}
