package dev.kopf4j.devcluster.controller.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.InMemory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * What replication controllers and replica sets own. Tests {@code ReplicaSetController} and {@code ControllerActions}.
 */
class ReplicationControllerTest {
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private final InMemory cluster = new InMemory(options -> options.workloads(Duration.ofSeconds(1)));

    @Test
    void aReplicationControllerHasItsPods() {
        create("rc", 2);
        cluster.time().advance(Duration.ofSeconds(2));
        assertThat(cluster.get(path("rc")).at("/status/readyReplicas").asInt()).isEqualTo(2);
        assertThat(owners()).containsOnly("ReplicationController/x");
        cluster.send("PATCH", path("rc") + "/scale", "{\"spec\":{\"replicas\":1}}");
        assertThat(pods()).hasSize(1);
        cluster.send("DELETE", path("rc") + "?propagationPolicy=Background", "");
        cluster.time().advance(Duration.ofSeconds(60));
        assertThat(pods()).isEmpty();
    }

    @Test
    void orphansLiveOnWhenItIsDeletedWithoutThem() {
        create("rc", 2);
        cluster.send("DELETE", path("rc") + "?propagationPolicy=Orphan", "");
        cluster.time().advance(Duration.ofSeconds(60));
        assertThat(pods()).hasSize(2);
        assertThat(owners()).containsOnly("");
    }

    @ParameterizedTest
    @ValueSource(strings = {"rc", "rs"})
    void podsThatFitAreAdoptedAndOthersReleased(String kind) {
        pod("stray", "web");
        create(kind, 1);
        assertThat(pods()).as("it takes the one that is there").hasSize(1);
        assertThat(owners()).containsOnly((kind.equals("rc") ? "ReplicationController" : "ReplicaSet") + "/x");
        cluster.send("PATCH", PODS + "/stray", "{\"metadata\":{\"labels\":{\"app\":\"other\"}}}");
        assertThat(pods()).as("one is released, and another one made").hasSize(2);
        assertThat(cluster.get(PODS + "/stray").at("/metadata").has("ownerReferences"))
                .isFalse();
        pod("second", "web");
        cluster.time().advance(Duration.ofSeconds(60));
        assertThat(pods()).as("one that comes later is too many").hasSize(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"rc", "rs"})
    void podsThatHaveEndedAreLeftAlone(String kind) {
        pod("ended", "web");
        cluster.send(
                "PATCH",
                PODS + "/ended",
                "{\"metadata\":{\"annotations\":{\"devcluster.kopf4j.dev/pod\":\"succeed\"}}}");
        cluster.time().advance(Duration.ofSeconds(4));
        assertThat(cluster.get(PODS + "/ended").at("/status/phase").asString()).isEqualTo("Succeeded");
        create(kind, 1);
        assertThat(pods()).hasSize(2);
        assertThat(cluster.get(PODS + "/ended").at("/metadata").has("ownerReferences"))
                .isFalse();
    }

    @Test
    void thePodOfTheLeastDeletionCostGoesFirst() {
        create("rs", 3);
        cluster.time().advance(Duration.ofSeconds(2));
        List<String> names =
                pods().stream().map(pod -> pod.at("/metadata/name").asString()).toList();
        for (String name : names) {
            cluster.send(
                    "PATCH",
                    PODS + "/" + name,
                    "{\"metadata\":{\"annotations\":{\"controller.kubernetes.io/pod-deletion-cost\":\"%s\"}}}"
                            .formatted(name.equals(names.get(1)) ? "-10" : "x"));
        }
        cluster.send("PATCH", path("rs"), "{\"spec\":{\"replicas\":2}}");
        assertThat(pods().stream().map(pod -> pod.at("/metadata/name").asString()))
                .containsExactly(names.get(0), names.get(2));
    }

    @ParameterizedTest
    @ValueSource(strings = {"rc", "rs"})
    void aRefusedPodIsACondition(String kind) {
        cluster.send(
                "POST",
                "/api/v1/namespaces/default/resourcequotas",
                "{metadata: {name: q}, spec: {hard: {pods: '1'}}}");
        create(kind, 2);
        JsonNode condition = cluster.get(path(kind)).at("/status/conditions/0");
        assertThat(condition.path("type").asString()).isEqualTo("ReplicaFailure");
        assertThat(condition.path("reason").asString()).isEqualTo("FailedCreate");
        assertThat(condition.path("message").asString()).contains("exceeded quota: q");
        cluster.send("PATCH", path(kind), "{\"spec\":{\"replicas\":1}}");
        assertThat(cluster.get(path(kind)).path("status").has("conditions")).isFalse();
    }

    private void create(String kind, int replicas) {
        String selector = kind.equals("rc") ? "{app: web}" : "{matchLabels: {app: web}}";
        assertThat(cluster.send("POST", path(kind).replaceAll("/x$", ""), """
                        metadata: {name: x}
                        spec:
                          replicas: %s
                          selector: %s
                          template:
                            metadata: {labels: {app: web}}
                            spec: {containers: [{name: main, image: i}]}
                        """.formatted(replicas, selector))
                        .status())
                .isEqualTo(201);
    }

    private void pod(String name, String app) {
        cluster.send("POST", PODS, """
                metadata: {name: %s, labels: {app: %s}}
                spec: {containers: [{name: main, image: i}]}
                """.formatted(name, app));
    }

    private static String path(String kind) {
        return kind.equals("rc")
                ? "/api/v1/namespaces/default/replicationcontrollers/x"
                : "/apis/apps/v1/namespaces/default/replicasets/x";
    }

    private List<JsonNode> pods() {
        return cluster.get(PODS).path("items").valueStream().toList();
    }

    private List<String> owners() {
        return pods().stream()
                .map(pod -> pod.at("/metadata/ownerReferences/0"))
                .map(owner -> owner.isMissingNode()
                        ? ""
                        : owner.path("kind").asString() + "/"
                                + owner.path("name").asString())
                .toList();
    }
}
