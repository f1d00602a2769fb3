package dev.kopf4j.devcluster.controller.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.InMemory;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** On which node a simulated pod runs. Tests {@code PodLifecycle}. */
class NodesTest {
    private static final String PODS = "/api/v1/namespaces/default/pods";

    private static InMemory cluster(int nodes) {
        return new InMemory(options -> options.workloads(Duration.ofSeconds(1)).nodes(nodes));
    }

    private static void pod(InMemory cluster, String name, String more) {
        assertThat(cluster.send("POST", PODS, """
                metadata: {name: %s}
                spec: {containers: [{name: main, image: i}]%s}
                """.formatted(name, more)).status())
                .isEqualTo(201);
        cluster.time().advance(Duration.ofSeconds(3));
    }

    private static List<String> places(InMemory cluster) {
        return cluster.get(PODS)
                .path("items")
                .valueStream()
                .map(pod -> pod.at("/metadata/name").asString() + " "
                        + pod.at("/spec/nodeName").asString("") + " "
                        + pod.at("/status/phase").asString())
                .toList();
    }

    @Test
    void podsAreSpreadOverNodes() {
        InMemory cluster = cluster(2);
        pod(cluster, "a", "");
        pod(cluster, "b", "");
        pod(cluster, "c", ", nodeSelector: {kubernetes.io/hostname: devcluster-node-2}");
        assertThat(places(cluster))
                .containsExactly(
                        "a devcluster-node Running", "b devcluster-node-2 Running", "c devcluster-node-2 Running");
        assertThat(cluster.get(PODS + "/b").at("/status/hostIP").asString()).isEqualTo("10.0.0.2");
    }

    @Test
    void aCordonedNodeGetsNoPodsUntilItIsOpenAgain() {
        InMemory cluster = cluster(1);
        cluster.send("PATCH", "/api/v1/nodes/devcluster-node", "{\"spec\":{\"unschedulable\":true}}");
        pod(cluster, "a", "");
        assertThat(places(cluster)).containsExactly("a  Pending");
        cluster.send("PATCH", "/api/v1/nodes/devcluster-node", "{\"spec\":{\"unschedulable\":null}}");
        cluster.time().advance(Duration.ofSeconds(3));
        assertThat(places(cluster)).containsExactly("a devcluster-node Running");
    }

    @Test
    void aPodThatFitsNoNodeStaysPendingAndSaysSo() {
        InMemory cluster = cluster(2);
        pod(cluster, "a", ", nodeSelector: {disk: ssd}");
        assertThat(places(cluster)).containsExactly("a  Pending");
        assertThat(cluster.get(PODS + "/a").at("/status/conditions").toString())
                .contains("Unschedulable", "\"lastProbeTime\":null");
        cluster.send("PATCH", "/api/v1/nodes/devcluster-node-2", "{\"metadata\":{\"labels\":{\"disk\":\"ssd\"}}}");
        cluster.time().advance(Duration.ofSeconds(3));
        assertThat(places(cluster)).containsExactly("a devcluster-node-2 Running");
    }

    @Test
    void aPodThatNamesItsNodeBeginsAndEndsThere() {
        InMemory cluster = cluster(1);
        pod(cluster, "a", ", nodeName: devcluster-node, restartPolicy: Never");
        assertThat(cluster.get(PODS + "/a").at("/status/startTime").asString()).isNotEmpty();
        cluster.send("PATCH", PODS + "/a", "{\"metadata\":{\"annotations\":{\"devcluster.kopf4j.dev/pod\":\"fail\"}}}");
        cluster.time().advance(Duration.ofSeconds(3));
        assertThat(places(cluster)).containsExactly("a devcluster-node Failed");
        assertThat(cluster.get(PODS + "/a")
                        .at("/status/containerStatuses/0/state/terminated/startedAt")
                        .asString())
                .isEqualTo(cluster.get(PODS + "/a").at("/status/startTime").asString());
    }

    @Test
    void aPodOfAJobSleepsAsItsCommandSays() {
        InMemory cluster = cluster(1);
        cluster.send("POST", "/apis/batch/v1/namespaces/default/jobs", """
                metadata: {name: j}
                spec: {template: {spec: {restartPolicy: Never, containers: [{name: main, image: i, command: [sleep, '300']}]}}}
                """);
        cluster.time().advance(Duration.ofSeconds(290));
        assertThat(places(cluster)).singleElement().asString().endsWith("Running");
        cluster.time().advance(Duration.ofSeconds(15));
        assertThat(places(cluster)).singleElement().asString().endsWith("Succeeded");
    }

    @Test
    void aPodIsEndedAtItsDeadlineWhichMayBeSetLater() {
        InMemory cluster = cluster(1);
        pod(cluster, "a", "");
        cluster.send("PATCH", PODS + "/a", "{\"spec\":{\"activeDeadlineSeconds\":5}}");
        cluster.time().advance(Duration.ofSeconds(6));
        assertThat(places(cluster)).containsExactly("a devcluster-node Failed");
        assertThat(cluster.get(PODS + "/a").at("/status/reason").asString()).isEqualTo("DeadlineExceeded");
    }

    @Test
    void aPodThatAsksForMoreThanIsLeftWaitsUntilAnotherEnds() {
        InMemory cluster = cluster(1);
        asking(cluster, "a", "40");
        asking(cluster, "b", "40");
        assertThat(places(cluster)).containsExactly("a devcluster-node Running", "b  Pending");
        assertThat(cluster.get("/api/v1/namespaces/default/events")
                        .path("items")
                        .valueStream())
                .singleElement()
                .satisfies(event -> {
                    assertThat(event.path("reason").asString()).isEqualTo("FailedScheduling");
                    assertThat(event.at("/involvedObject/name").asString()).isEqualTo("b");
                });
        cluster.send("DELETE", PODS + "/a?gracePeriodSeconds=0", "");
        cluster.time().advance(Duration.ofSeconds(3));
        assertThat(places(cluster)).containsExactly("b devcluster-node Running");
    }

    @Test
    void aPodOfMorePriorityThrowsOutThoseOfLess() {
        InMemory cluster = cluster(2);
        cluster.send("POST", "/apis/scheduling.k8s.io/v1/priorityclasses", "metadata: {name: high}\nvalue: 1000");
        asking(cluster, "a", "60");
        asking(cluster, "b", "60");
        cluster.send("POST", PODS, """
                metadata: {name: urgent}
                spec: {priorityClassName: high, containers: [{name: main, image: i, resources: {requests: {cpu: '60'}}}]}
                """);
        cluster.time().advance(Duration.ofSeconds(5));
        assertThat(places(cluster))
                .hasSize(2)
                .anyMatch(place -> place.startsWith("urgent devcluster-node"))
                .anyMatch(place -> place.matches("[ab] devcluster-node.* Running"));
        asking(cluster, "c", "60");
        assertThat(places(cluster))
                .as("of the same priority, or of less")
                .contains("c  Pending")
                .hasSize(3);
    }

    @Test
    void aTaintThrowsOutPodsWhenTheirPatienceIsOver() {
        InMemory cluster = cluster(1);
        pod(cluster, "at-once", "");
        pod(cluster, "later", ", tolerations: [{key: k, operator: Exists, effect: NoExecute, tolerationSeconds: 60}]");
        pod(cluster, "never", ", tolerations: [{key: k, operator: Exists}]");
        taint(cluster, "[{\"key\":\"k\",\"effect\":\"NoExecute\"}]");
        cluster.time().advance(Duration.ofSeconds(40));
        assertThat(places(cluster)).containsExactly("later devcluster-node Running", "never devcluster-node Running");
        taint(cluster, "null");
        cluster.time().advance(Duration.ofSeconds(60));
        assertThat(places(cluster)).as("the taint was taken away in time").hasSize(2);
        taint(cluster, "[{\"key\":\"k\",\"effect\":\"NoExecute\"}]");
        cluster.time().advance(Duration.ofSeconds(100));
        assertThat(places(cluster)).containsExactly("never devcluster-node Running");
    }

    private static void taint(InMemory cluster, String taints) {
        cluster.send("PATCH", "/api/v1/nodes/devcluster-node", "{\"spec\":{\"taints\":" + taints + "}}");
    }

    private static void asking(InMemory cluster, String name, String cpu) {
        cluster.send(
                "POST",
                PODS,
                "metadata: {name: %s}\nspec: {containers: [{name: main, image: i, resources: {requests: {cpu: '%s'}}}]}"
                        .formatted(name, cpu));
        cluster.time().advance(Duration.ofSeconds(3));
    }

    @Test
    void withoutNodesPodsStayPending() {
        InMemory cluster = cluster(0);
        pod(cluster, "a", "");
        assertThat(places(cluster)).containsExactly("a  Pending");
        assertThat(cluster.get("/api/v1/nodes").path("items").size()).isZero();
    }
}
