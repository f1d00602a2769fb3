package dev.kopf4j.devcluster.controller.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Ten seconds until a pod is ready. */
class DaemonSetTest {
    private static final String SETS = "/apis/apps/v1/namespaces/default/daemonsets";
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final String NODES = "/api/v1/nodes";
    private static final Duration STEP = Duration.ofSeconds(11);

    private final InMemory cluster = new InMemory(options -> options.workloads(Duration.ofSeconds(10)));

    @BeforeEach
    void createSet() {
        JsonNode made = cluster.json("POST", SETS, """
                apiVersion: apps/v1
                kind: DaemonSet
                metadata: {name: agent}
                spec:
                  selector: {matchLabels: {app: agent}}
                  template:
                    metadata: {labels: {app: agent}}
                    spec: {containers: [{name: main, image: 'x:1'}]}
                """);
        assertThat(Json.string(made, "metadata", "name")).as("%s", made).isEqualTo("agent");
        cluster.time().advance(STEP);
    }

    private List<String> pods() {
        return cluster.get(PODS)
                .path("items")
                .valueStream()
                .map(pod -> Json.string(pod, "spec", "nodeName") + " "
                        + pod.at("/spec/containers/0/image").asString())
                .sorted()
                .toList();
    }

    private JsonNode status() {
        return cluster.get(SETS + "/agent").path("status");
    }

    private long count(String field) {
        return status().path(field).longValue(0);
    }

    @Test
    void eachNodeHasAPod() {
        assertThat(pods()).containsExactly("devcluster-node x:1");
        assertThat(count("numberReady")).isEqualTo(1);
        cluster.send("POST", NODES, "metadata: {name: other}");
        cluster.time().advance(STEP);
        assertThat(pods()).as("a new node is not ready").containsExactly("devcluster-node x:1");
        cluster.send("PATCH", NODES + "/other", "{\"spec\":{\"taints\":null}}");
        cluster.time().advance(STEP);
        assertThat(pods()).containsExactly("devcluster-node x:1", "other x:1");
        assertThat(count("desiredNumberScheduled")).isEqualTo(2);
        assertThat(count("numberAvailable")).isEqualTo(2);
    }

    @Test
    void aTaintThatIsNotToleratedDrivesThePodAway() {
        cluster.send("POST", NODES, "metadata: {name: other}");
        cluster.send("PATCH", NODES + "/other", "{\"spec\":{\"taints\":null}}");
        cluster.time().advance(STEP);
        assertThat(pods()).hasSize(2);
        cluster.send("PATCH", NODES + "/other", "{\"spec\":{\"taints\":[{\"key\":\"a\",\"effect\":\"NoExecute\"}]}}");
        assertThat(pods()).containsExactly("devcluster-node x:1");
        assertThat(count("desiredNumberScheduled")).isEqualTo(1);
    }

    @Test
    void anUpdateReplacesThePods() {
        cluster.send(
                "PATCH",
                SETS + "/agent",
                "{\"spec\":{\"template\":{\"spec\":{\"containers\":[{\"name\":\"main\",\"image\":\"x:2\"}]}}}}");
        assertThat(pods()).containsExactly("devcluster-node x:2");
        assertThat(count("updatedNumberScheduled")).isEqualTo(1);
        assertThat(count("numberUnavailable")).isEqualTo(1);
        cluster.time().advance(STEP);
        assertThat(count("numberAvailable")).isEqualTo(1);
        assertThat(count("observedGeneration")).isEqualTo(2);
        assertThat(cluster.get("/apis/apps/v1/namespaces/default/controllerrevisions")
                        .path("items"))
                .hasSize(2);
    }

    @Test
    void failedPodsAreReplacedAndAllGoWithTheSet() {
        String name = Json.string(cluster.get(PODS).at("/items/0"), "metadata", "name");
        cluster.send(
                "PATCH",
                PODS + "/" + name,
                "{\"metadata\":{\"annotations\":{\"devcluster.kopf4j.dev/pod\":\"fail\"}}}");
        cluster.time().advance(STEP.multipliedBy(2));
        assertThat(pods()).hasSize(1);
        assertThat(cluster.send("GET", PODS + "/" + name, "").status()).isEqualTo(404);
        assertThat(count("numberReady")).isEqualTo(1);
        cluster.send("DELETE", SETS + "/agent", "");
        assertThat(pods()).isEmpty();
    }

    @Test
    void revisionsAreWrittenAsGoWritesThemAndKeepTheirContentWhenTheyAreLabelled() {
        String path = "/apis/apps/v1/namespaces/default/controllerrevisions";
        JsonNode revision = cluster.get(path).path("items").get(0);
        assertThat(revision.path("data").toString())
                .startsWith("{\"spec\":{\"template\":{\"$patch\":\"replace\",\"metadata\":");
        JsonNode patched = Json.parse(InMemory.text(cluster.send(
                "PATCH",
                path + "/" + Json.string(revision, "metadata", "name"),
                "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}",
                Map.of("content-type", "application/strategic-merge-patch+json"))));
        assertThat(patched.at("/metadata/labels/a").asString(""))
                .as("%s", patched)
                .isEqualTo("b");
        assertThat(patched.path("data")).isEqualTo(revision.path("data"));
    }
}
