package dev.kopf4j.devcluster.controller.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.conformance.AdmissionAnswers;
import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.controller.action.PodTemplate;
import dev.kopf4j.devcluster.json.Json;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Ten seconds until a pod is ready; a deployment with three. */
class BudgetAndAutoscalerTest {
    private static final String DEPLOYMENT = "/apis/apps/v1/namespaces/default/deployments";
    private static final String BUDGETS = "/apis/policy/v1/namespaces/default/poddisruptionbudgets";
    private static final String AUTOSCALERS = "/apis/autoscaling/v2/namespaces/default/horizontalpodautoscalers";
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private static final Duration STEP = Duration.ofSeconds(11);

    private final InMemory cluster = new InMemory(options -> options.workloads(Duration.ofSeconds(10)));

    @BeforeEach
    void createDeployment() {
        cluster.send("POST", DEPLOYMENT, """
                metadata: {name: web}
                spec:
                  replicas: 3
                  selector: {matchLabels: {app: web}}
                  template:
                    metadata: {labels: {app: web}}
                    spec: {containers: [{name: main, image: x}]}
                """);
        cluster.time().advance(STEP);
    }

    private long budget(String field) {
        return cluster.get(BUDGETS + "/web").path("status").path(field).longValue(-1);
    }

    /** Evicts a pod that is ready: others may go in any case. */
    private int evict() {
        String name = cluster.get(PODS)
                .path("items")
                .valueStream()
                .filter(PodTemplate::isReady)
                .map(pod -> Json.string(pod, "metadata", "name"))
                .findFirst()
                .orElseThrow();
        return evict(cluster, name);
    }

    @Test
    void aBudgetAllowsAsManyEvictionsAsItsStatusSays() {
        cluster.send(
                "POST",
                BUDGETS,
                "metadata: {name: web}\nspec: {maxUnavailable: 1, selector: {matchLabels: {app: web}}}");
        assertThat(budget("disruptionsAllowed")).isEqualTo(1);
        assertThat(budget("expectedPods")).isEqualTo(3);
        assertThat(budget("observedGeneration")).isEqualTo(1);
        assertThat(evict()).isEqualTo(201);
        assertThat(budget("disruptionsAllowed")).isZero();
        assertThat(evict()).isEqualTo(429);
        cluster.time().advance(STEP);
        assertThat(budget("disruptionsAllowed")).isEqualTo(1);
        cluster.send("PATCH", DEPLOYMENT + "/web", "{\"spec\":{\"replicas\":5}}");
        assertThat(budget("expectedPods")).isEqualTo(5);
        assertThat(budget("disruptionsAllowed")).isZero();
    }

    /** A webhook for the budget's status is where another eviction can come between. */
    @Test
    void anEvictionThatComesTooLateIsToBeTriedAgain() {
        AdmissionAnswers answers = new AdmissionAnswers();
        InMemory asking = new InMemory(options -> options.webhookCaller(answers));
        asking.send(
                "POST",
                BUDGETS,
                "metadata: {name: web}\nspec: {maxUnavailable: 1, selector: {matchLabels: {app: web}}}");
        asking.send(
                "PATCH",
                BUDGETS + "/web/status",
                "{\"status\":{\"disruptionsAllowed\":1,\"observedGeneration\":1,\"currentHealthy\":2,\"desiredHealthy\":1,\"expectedPods\":2}}");
        for (String name : List.of("a", "b")) {
            asking.send(
                    "POST",
                    PODS,
                    "{metadata: {name: " + name
                            + ", labels: {app: web}}, spec: {containers: [{name: main, image: x}]}}");
            asking.send(
                    "PATCH",
                    PODS + "/" + name + "/status",
                    "{\"status\":{\"phase\":\"Running\",\"conditions\":[{\"type\":\"Ready\",\"status\":\"True\"}]}}");
        }
        asking.send(
                "POST",
                "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
                AdmissionAnswers.configuration(
                        "ValidatingWebhookConfiguration", "UPDATE", "poddisruptionbudgets/status"));
        List<Integer> statuses = new ArrayList<>();
        answers.answer(response -> {
            response.put("allowed", true);
            if (statuses.isEmpty()) {
                statuses.add(0);
                statuses.set(0, evict(asking, "b"));
            }
        });
        statuses.add(evict(asking, "a"));
        assertThat(statuses).containsExactly(201, 429);
    }

    private static int evict(InMemory cluster, String name) {
        return cluster.send("POST", PODS + "/" + name + "/eviction", "metadata: {name: " + name + "}")
                .status();
    }

    @Test
    void anAutoscalerKeepsItsTargetWithinTheLimits() {
        cluster.send("POST", AUTOSCALERS, """
                metadata: {name: web}
                spec: {minReplicas: 4, maxReplicas: 6, scaleTargetRef: {apiVersion: apps/v1, kind: Deployment, name: web}}
                """);
        JsonNode web = cluster.get(DEPLOYMENT + "/web");
        assertThat(web.at("/spec/replicas").intValue()).isEqualTo(4);
        assertThat(web.at("/metadata/generation").intValue()).isEqualTo(2);
        cluster.send("PATCH", DEPLOYMENT + "/web", "{\"spec\":{\"replicas\":9}}");
        assertThat(cluster.get(DEPLOYMENT + "/web").at("/spec/replicas").intValue())
                .isEqualTo(6);
        JsonNode status = cluster.get(AUTOSCALERS + "/web").path("status");
        assertThat(status.path("currentReplicas").intValue()).isEqualTo(6);
        assertThat(status.path("desiredReplicas").intValue()).isEqualTo(6);
        assertThat(status.path("conditions").toString()).contains("FailedGetResourceMetric");
    }

    @Test
    void replicationControllersHaveBudgetsAndAutoscalers() {
        cluster.send("POST", "/api/v1/namespaces/default/replicationcontrollers", """
                metadata: {name: old}
                spec:
                  replicas: 3
                  selector: {app: old}
                  template:
                    metadata: {labels: {app: old}}
                    spec: {containers: [{name: main, image: x}]}
                """);
        cluster.send(
                "POST",
                BUDGETS,
                "metadata: {name: web}\nspec: {maxUnavailable: 1, selector: {matchLabels: {app: old}}}");
        cluster.time().advance(STEP);
        assertThat(budget("disruptionsAllowed")).isEqualTo(1);
        cluster.send("POST", AUTOSCALERS, """
                metadata: {name: old}
                spec: {minReplicas: 4, maxReplicas: 6, scaleTargetRef: {apiVersion: v1, kind: ReplicationController, name: old}}
                """);
        assertThat(cluster.get("/api/v1/namespaces/default/replicationcontrollers/old")
                        .at("/spec/replicas")
                        .intValue())
                .isEqualTo(4);
    }

    @Test
    void anEvictionThatDoesNotComeTrueCountsForTwoMinutes() {
        cluster.send(
                "POST",
                BUDGETS,
                "metadata: {name: web}\nspec: {maxUnavailable: 1, selector: {matchLabels: {app: web}}}");
        String name = Json.string(cluster.get(PODS).at("/items/0"), "metadata", "name");
        assertThat(cluster.send(
                                "POST",
                                PODS + "/" + name + "/eviction",
                                "{metadata: {name: " + name
                                        + "}, deleteOptions: {preconditions: {resourceVersion: '1'}}}")
                        .status())
                .isEqualTo(409);
        assertThat(budget("disruptionsAllowed")).isZero();
        cluster.time().advance(Duration.ofSeconds(119));
        assertThat(budget("disruptionsAllowed")).isZero();
        cluster.time().advance(Duration.ofSeconds(3));
        assertThat(budget("disruptionsAllowed")).isEqualTo(1);
    }

    @Test
    void anAutoscalerWithoutItsTargetSaysSoUntilItComes() {
        cluster.send("POST", AUTOSCALERS, """
                metadata: {name: other}
                spec: {minReplicas: 2, maxReplicas: 6, scaleTargetRef: {apiVersion: apps/v1, kind: StatefulSet, name: db}}
                """);
        assertThat(cluster.get(AUTOSCALERS + "/other").path("status").toString())
                .contains("statefulsets.apps \\\"db\\\" not found");
        cluster.send("POST", "/apis/apps/v1/namespaces/default/statefulsets", """
                metadata: {name: db}
                spec:
                  serviceName: db
                  selector: {matchLabels: {app: db}}
                  template:
                    metadata: {labels: {app: db}}
                    spec: {containers: [{name: main, image: x}]}
                """);
        assertThat(cluster.get("/apis/apps/v1/namespaces/default/statefulsets/db")
                        .at("/spec/replicas")
                        .intValue())
                .isEqualTo(2);
    }

    @Test
    void anEvictionMayNameTheVersionOfThePod() {
        cluster.send(
                "POST",
                "/api/v1/namespaces/default/pods",
                "{metadata: {name: alone}, spec: {containers: [{name: c, image: i}]}}");
        JsonNode pod = cluster.get("/api/v1/namespaces/default/pods/alone");
        ApiResponse evicted = cluster.send(
                "POST",
                "/api/v1/namespaces/default/pods/alone/eviction",
                "{metadata: {name: alone}, deleteOptions: {preconditions: {resourceVersion: '"
                        + Json.string(pod, "metadata", "resourceVersion") + "'}}}");
        assertThat(evicted.status()).as(InMemory.text(evicted)).isEqualTo(201);
    }
}
