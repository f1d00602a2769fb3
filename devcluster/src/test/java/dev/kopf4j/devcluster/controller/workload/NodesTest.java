package dev.kopf4j.devcluster.controller.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.resource.SimulatedNode;
import dev.kopf4j.devcluster.value.IpAddresses;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

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
    void aPodWithAGateWaitsUntilItIsOpen() {
        InMemory cluster = cluster(1);
        pod(cluster, "a", ", schedulingGates: [{name: example.com/hold}]");
        assertThat(places(cluster)).containsExactly("a  Pending");
        assertThat(cluster.get(PODS + "/a").at("/status/conditions/0/reason").asString())
                .isEqualTo("SchedulingGated");
        cluster.send("PATCH", PODS + "/a", "{\"spec\":{\"schedulingGates\":null}}");
        cluster.time().advance(Duration.ofSeconds(3));
        assertThat(places(cluster)).containsExactly("a devcluster-node Running");
    }

    @Test
    void aPodOfAnotherSchedulerWaitsForItsBinding() {
        InMemory cluster = cluster(2);
        pod(cluster, "a", ", schedulerName: mine");
        assertThat(places(cluster)).containsExactly("a  Pending");
        cluster.send(
                "POST",
                PODS + "/a/binding",
                "{apiVersion: v1, kind: Binding, metadata: {name: a}, target: {kind: Node, name: devcluster-node-2}}");
        cluster.time().advance(Duration.ofSeconds(3));
        assertThat(places(cluster)).containsExactly("a devcluster-node-2 Running");
        assertThat(cluster.get(PODS + "/a").at("/status/hostIP").asString()).isEqualTo("10.0.0.2");
    }

    @Test
    void aPodIsReadyWhenItsGatesAre() {
        InMemory cluster = cluster(1);
        pod(cluster, "a", ", readinessGates: [{conditionType: example.com/lb}]");
        assertThat(places(cluster)).containsExactly("a devcluster-node Running");
        assertThat(ready(cluster))
                .isEqualTo("False corresponding condition of pod readiness gate \"example.com/lb\" does not exist.");
        gate(cluster, "True");
        assertThat(ready(cluster)).isEqualTo("True ");
        gate(cluster, "False");
        assertThat(ready(cluster))
                .isEqualTo("False the status of pod readiness gate \"example.com/lb\" is not \"True\", but False");
    }

    private static void gate(InMemory cluster, String status) {
        cluster.send(
                "PATCH",
                PODS + "/a/status",
                "{\"status\":{\"conditions\":[{\"type\":\"example.com/lb\",\"status\":\"" + status + "\"}]}}",
                Map.of("content-type", "application/strategic-merge-patch+json"));
    }

    private static String ready(InMemory cluster) {
        JsonNode condition = StatusConditions.find(cluster.get(PODS + "/a").path("status"), "Ready")
                .orElseThrow();
        return Json.string(condition, "status") + " " + Json.string(condition, "message");
    }

    @Test
    void podsOfANodeThatIsGoneGoAfterAWhile() {
        InMemory cluster = cluster(2);
        pod(cluster, "a", "");
        pod(cluster, "b", "");
        cluster.send("PATCH", PODS + "/b", "{\"metadata\":{\"finalizers\":[\"example.com/hold\"]}}");
        String node = "/api/v1/nodes/devcluster-node-2";
        JsonNode removed = cluster.get(node);
        cluster.send("DELETE", node, "");
        cluster.time().advance(Duration.ofSeconds(30));
        ((ObjectNode) removed.path("metadata")).remove("resourceVersion");
        cluster.send("POST", "/api/v1/nodes", Json.text(removed));
        cluster.time().advance(Duration.ofSeconds(30));
        assertThat(places(cluster)).as("it has come back in time").contains("b devcluster-node-2 Running");
        cluster.send("DELETE", node, "");
        cluster.time().advance(Duration.ofSeconds(39));
        assertThat(places(cluster)).contains("b devcluster-node-2 Running");
        cluster.time().advance(Duration.ofSeconds(2));
        assertThat(places(cluster)).containsExactly("a devcluster-node Running", "b devcluster-node-2 Failed");
        JsonNode pod = cluster.get(PODS + "/b");
        assertThat(pod.path("metadata").has("deletionTimestamp")).isTrue();
        assertThat(StatusConditions.find(pod.path("status"), "DisruptionTarget")
                        .map(condition -> Json.string(condition, "reason")))
                .hasValue("DeletionByPodGC");
    }

    @Test
    void eachPodHasAnAddressOfItsNodeForItself() {
        InMemory cluster = cluster(0);
        cluster.send("POST", "/api/v1/nodes", """
                metadata: {name: devcluster-node}
                spec: {podCIDR: 10.9.8.16/28}
                """);
        taint(cluster, "null");
        cluster.send(
                "PATCH",
                "/api/v1/nodes/devcluster-node/status",
                "{\"status\":{\"addresses\":[{\"type\":\"InternalIP\",\"address\":\"10.0.0.7\"}]}}");
        List<String> names =
                IntStream.range(0, 14).mapToObj(number -> "p" + number).toList();
        names.forEach(name -> pod(cluster, name, ""));
        Set<String> all =
                IntStream.rangeClosed(17, 30).mapToObj(last -> "10.9.8." + last).collect(Collectors.toSet());
        assertThat(addresses(cluster)).hasSize(14).containsExactlyInAnyOrderElementsOf(all);
        cluster.send("DELETE", PODS + "/p3", "");
        pod(cluster, "another", "");
        assertThat(addresses(cluster)).as("what is free is used again").containsExactlyInAnyOrderElementsOf(all);
        pod(cluster, "host", ", hostNetwork: true");
        assertThat(cluster.get(PODS + "/host").at("/status/podIP").asString()).isEqualTo("10.0.0.7");
    }

    private static List<String> addresses(InMemory cluster) {
        return cluster.get(PODS)
                .path("items")
                .valueStream()
                .map(pod -> pod.at("/status/podIP").asString())
                .toList();
    }

    @Test
    void theRangesOfNodesAreApart() {
        assertThat(IntStream.rangeClosed(1, 200).mapToObj(number -> new SimulatedNode(number).podCidr()))
                .doesNotHaveDuplicates()
                .doesNotContain("10.0.0.0/16", "10.96.0.0/16")
                .allMatch(range -> IpAddresses.parseRange(range).isPresent());
    }

    @Test
    void anAffinityThatExcludesANodeDoesNotChooseIt() {
        InMemory cluster = cluster(2);
        String affinity = """
                , affinity: {nodeAffinity: {requiredDuringSchedulingIgnoredDuringExecution: {nodeSelectorTerms: [
                  {matchFields: [{key: metadata.name, operator: %s, values: [devcluster-node]}]}]}}}""";
        pod(cluster, "a", affinity.formatted("NotIn"));
        pod(cluster, "b", affinity.formatted("In"));
        cluster.send("PATCH", "/api/v1/nodes/devcluster-node", "{\"spec\":{\"unschedulable\":true}}");
        pod(cluster, "c", affinity.formatted("In"));
        assertThat(places(cluster))
                .containsExactly("a devcluster-node-2 Running", "b devcluster-node Running", "c  Pending");
    }

    @Test
    void podsThatAreToBeApartHaveNodesForThemselves() {
        InMemory cluster = cluster(2);
        for (String name : List.of("a", "b", "c")) {
            cluster.send("POST", PODS, """
                    metadata: {name: %s, labels: {app: web}}
                    spec:
                      containers: [{name: main, image: i}]
                      affinity:
                        podAntiAffinity:
                          requiredDuringSchedulingIgnoredDuringExecution:
                          - topologyKey: kubernetes.io/hostname
                            labelSelector: {matchLabels: {app: web}}
                    """.formatted(name));
            cluster.time().advance(Duration.ofSeconds(3));
        }
        assertThat(places(cluster))
                .containsExactly("a devcluster-node Running", "b devcluster-node-2 Running", "c  Pending");
        cluster.send("DELETE", PODS + "/b", "");
        cluster.time().advance(Duration.ofSeconds(3));
        assertThat(places(cluster)).containsExactly("a devcluster-node Running", "c devcluster-node-2 Running");
    }

    @Test
    void podsThatAreToBeTogetherShareANode() {
        InMemory cluster = cluster(2);
        for (String name : List.of("a", "b", "c")) {
            cluster.send("POST", PODS, """
                    metadata: {name: %s, labels: {app: web}}
                    spec:
                      containers: [{name: main, image: i}]
                      affinity:
                        podAffinity:
                          requiredDuringSchedulingIgnoredDuringExecution:
                          - topologyKey: kubernetes.io/hostname
                            labelSelector: {matchLabels: {app: %s}}
                    """.formatted(name, name.equals("c") ? "other" : "web"));
            cluster.time().advance(Duration.ofSeconds(3));
        }
        assertThat(places(cluster))
                .containsExactly("a devcluster-node Running", "b devcluster-node Running", "c  Pending");
        cluster.send("PATCH", PODS + "/b", "{\"metadata\":{\"labels\":{\"app\":\"other\"}}}");
        cluster.time().advance(Duration.ofSeconds(3));
        assertThat(places(cluster)).contains("c devcluster-node Running");
    }

    @Test
    void withoutNodesPodsStayPending() {
        InMemory cluster = cluster(0);
        pod(cluster, "a", "");
        assertThat(places(cluster)).containsExactly("a  Pending");
        assertThat(cluster.get("/api/v1/nodes").path("items").size()).isZero();
    }
}
