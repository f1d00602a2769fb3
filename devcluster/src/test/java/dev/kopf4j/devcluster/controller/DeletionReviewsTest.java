package dev.kopf4j.devcluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.AdmissionAnswers;
import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What webhooks and policies see of the deletions by controllers, and what comes of a refusal. */
class DeletionReviewsTest {
    private static final String NAMESPACES = "/api/v1/namespaces";
    private static final String MAPS = NAMESPACES + "/default/configmaps";
    private static final String GROUP = "/apis/admissionregistration.k8s.io/v1/";
    private final AdmissionAnswers answers = new AdmissionAnswers();
    private final InMemory cluster =
            new InMemory(options -> options.webhookCaller(answers).workloads(Duration.ofSeconds(1)));

    private void ask(String resource) {
        String configuration = AdmissionAnswers.configuration("ValidatingWebhookConfiguration", "DELETE", resource);
        assertThat(status("POST", GROUP + "validatingwebhookconfigurations", configuration))
                .isEqualTo(201);
    }

    private int status(String method, String path, String body) {
        return cluster.send(method, path, body).status();
    }

    /** A config map that another one owns. */
    private JsonNode owned() {
        String uid = Json.string(cluster.json("POST", MAPS, "metadata: {name: owner}"), "metadata", "uid");
        return cluster.json("POST", MAPS, """
                metadata: {name: owned, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: owner, uid: %s}]}
                """.formatted(uid));
    }

    @Test
    void theGarbageCollectorDeletesAsItself() {
        JsonNode owned = owned();
        ask("configmaps");
        cluster.send("DELETE", MAPS + "/owner", "");
        JsonNode seen = answers.take().getLast();
        assertThat(Json.string(seen, "operation")).isEqualTo("DELETE");
        assertThat(Json.string(seen, "name")).isEqualTo("owned");
        assertThat(Json.text(seen.path("userInfo")))
                .isEqualTo(
                        "{\"username\":\"system:serviceaccount:kube-system:generic-garbage-collector\",\"groups\":["
                                + "\"system:serviceaccounts\",\"system:serviceaccounts:kube-system\",\"system:authenticated\"]}");
        assertThat(Json.string(seen, "options", "propagationPolicy")).isEqualTo("Background");
        assertThat(Json.string(seen, "options", "preconditions", "uid"))
                .isEqualTo(Json.string(owned, "metadata", "uid"));
        assertThat(status("GET", MAPS + "/owned", "")).isEqualTo(404);
    }

    @Test
    void whatIsDeniedIsTriedAgainLaterAndLater() {
        owned();
        ask("configmaps");
        answers.answer(response -> response.put("allowed", answers.last("name").equals("owner")));
        assertThat(status("DELETE", MAPS + "/owner", "")).isEqualTo(200);
        answers.take();
        cluster.time().advance(Duration.ofSeconds(30));
        assertThat(answers.take()).hasSizeBetween(5, 12);
        assertThat(status("GET", MAPS + "/owned", "")).isEqualTo(200);
        answers.answer(response -> response.put("allowed", true));
        cluster.time().advance(Duration.ofMinutes(1));
        assertThat(status("GET", MAPS + "/owned", "")).isEqualTo(404);
    }

    @Test
    void aWebhookThatIsGoneHoldsUpWhatItHasToSeeAndNothingElse() {
        cluster.send("POST", NAMESPACES, "metadata: {name: full}");
        cluster.send("POST", NAMESPACES + "/full/configmaps", "metadata: {name: a}");
        cluster.send("POST", NAMESPACES + "/full/secrets", "metadata: {name: a}");
        ask("configmaps");
        answers.fail("connection refused");
        cluster.send("DELETE", NAMESPACES + "/full", "");
        assertThat(status("GET", NAMESPACES + "/full/secrets/a", "")).isEqualTo(404);
        assertThat(status("GET", NAMESPACES + "/full/configmaps/a", "")).isEqualTo(200);
        cluster.time().advance(Duration.ofSeconds(1));
        JsonNode failure = cluster.get(NAMESPACES + "/full").at("/status/conditions/2");
        assertThat(Json.string(failure, "type")).isEqualTo("NamespaceDeletionContentFailure");
        assertThat(Json.string(failure, "status")).isEqualTo("True");
        assertThat(Json.string(failure, "message"))
                .startsWith("Failed to delete all resource types, 1 remaining: ")
                .contains("connection refused");
        answers.fail("");
        answers.take();
        cluster.time().advance(Duration.ofMinutes(1));
        assertThat(status("GET", NAMESPACES + "/full", "")).isEqualTo(404);
        JsonNode seen = answers.take().getFirst();
        assertThat(Json.string(seen, "userInfo", "username"))
                .isEqualTo("system:serviceaccount:kube-system:namespace-controller");
        assertThat(seen.has("name")).as("it deletes a collection").isFalse();
    }

    @Test
    void whatANamespaceHasBegunToDeleteIsNotDeletedAnew() {
        cluster.send("POST", NAMESPACES, "metadata: {name: full}");
        List<String> maps = List.of("a", "b", "c", "d");
        for (String name : maps) {
            cluster.send(
                    "POST",
                    NAMESPACES + "/full/configmaps",
                    "metadata: {name: " + name + ", finalizers: [example.com/hold]}");
        }
        ask("configmaps");
        cluster.send("DELETE", NAMESPACES + "/full", "");
        for (String name : maps) {
            cluster.time().advance(Duration.ofSeconds(2));
            cluster.send("PATCH", NAMESPACES + "/full/configmaps/" + name, "{\"metadata\":{\"finalizers\":null}}");
        }
        assertThat(status("GET", NAMESPACES + "/full", "")).isEqualTo(404);
        assertThat(answers.take()).hasSize(maps.size());
    }

    @Test
    void aPolicyHoldsUpTheGarbageCollector() {
        owned();
        cluster.send("POST", GROUP + "validatingadmissionpolicies", """
                metadata: {name: p}
                spec:
                  matchConstraints: {resourceRules: [{apiGroups: [''], apiVersions: [v1], operations: [DELETE], resources: [configmaps]}]}
                  validations: [{expression: "!request.userInfo.username.endsWith('garbage-collector')"}]
                """);
        cluster.send("POST", GROUP + "validatingadmissionpolicybindings", """
                metadata: {name: p}
                spec: {policyName: p, validationActions: [Deny]}
                """);
        cluster.send("DELETE", MAPS + "/owner", "");
        assertThat(status("GET", MAPS + "/owned", "")).isEqualTo(200);
        cluster.send("DELETE", GROUP + "validatingadmissionpolicybindings/p", "");
        cluster.time().advance(Duration.ofMinutes(1));
        assertThat(status("GET", MAPS + "/owned", "")).isEqualTo(404);
    }

    @Test
    void controllersOfWorkloadsDeleteAsThemselves() {
        String sets = "/apis/apps/v1/namespaces/default/replicasets";
        cluster.send("POST", sets, """
                metadata: {name: web}
                spec:
                  replicas: 1
                  selector: {matchLabels: {a: b}}
                  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}
                """);
        cluster.time().advance(Duration.ofMinutes(1));
        ask("pods");
        answers.deny();
        cluster.send("PATCH", sets + "/web", "{\"spec\":{\"replicas\":0}}");
        cluster.time().advance(Duration.ofSeconds(10));
        List<JsonNode> seen = answers.take();
        assertThat(seen)
                .hasSizeGreaterThan(3)
                .allSatisfy(request -> assertThat(Json.string(request, "userInfo", "username"))
                        .isEqualTo("system:serviceaccount:kube-system:replicaset-controller"));
        assertThat(cluster.get(NAMESPACES + "/default/pods").path("items").size())
                .isEqualTo(1);
        answers.answer(response -> response.put("allowed", true));
        cluster.time().advance(Duration.ofMinutes(2));
        assertThat(cluster.get(NAMESPACES + "/default/pods").path("items").size())
                .isZero();
    }
}
