package dev.kopf4j.devcluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import java.time.Duration;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class QuotaTest {
    private static final String BASE = "/api/v1/namespaces/default/";
    private final InMemory cluster = new InMemory(options -> options.workloads(Duration.ofSeconds(10)));

    private void quota(String spec) {
        JsonNode made = cluster.json("POST", BASE + "resourcequotas", "metadata: {name: q}\nspec: " + spec);
        assertThat(Json.string(made, "kind")).as("%s", made).isEqualTo("ResourceQuota");
    }

    private int pod(String name, String more) {
        return cluster.send("POST", BASE + "pods", """
                        metadata: {name: %s}
                        spec: {containers: [{name: main, image: x, resources: {requests: {cpu: 500m, memory: 1Gi}}}]%s}
                        """.formatted(name, more)).status();
    }

    private String used() {
        return cluster.get(BASE + "resourcequotas/q").at("/status/used").properties().stream()
                .map(each -> each.getKey() + "=" + each.getValue().asString())
                .sorted()
                .collect(Collectors.joining(" "));
    }

    @Test
    void whatIsThereCountsFromTheBeginning() {
        pod("a", "");
        quota("{hard: {pods: '3', requests.cpu: '2', requests.memory: 4Gi, count/configmaps: '5', services: '2'}}");
        assertThat(used())
                .as("with the Service of the API server")
                .isEqualTo("count/configmaps=0 pods=1 requests.cpu=500m requests.memory=1Gi services=1");
        assertThat(cluster.get(BASE + "resourcequotas/q").at("/status/hard"))
                .isEqualTo(cluster.get(BASE + "resourcequotas/q").at("/spec/hard"));
    }

    @Test
    void whatGoesIsReleased() {
        quota("{hard: {pods: '1', requests.cpu: '2'}}");
        assertThat(pod("a", "")).isEqualTo(201);
        assertThat(used()).isEqualTo("pods=1 requests.cpu=500m");
        assertThat(pod("b", "")).isEqualTo(403);
        cluster.send("DELETE", BASE + "pods/a?gracePeriodSeconds=0", "");
        assertThat(used()).isEqualTo("pods=0 requests.cpu=0");
        assertThat(pod("b", "")).isEqualTo(201);
    }

    @Test
    void podsThatHaveEndedAreReleased() {
        quota("{hard: {pods: '1'}}");
        pod("a", "");
        cluster.send("PATCH", BASE + "pods/a/status", "{\"status\":{\"phase\":\"Succeeded\"}}");
        assertThat(used()).isEqualTo("pods=0");
    }

    @Test
    void aChangedLimitIsCountedAnew() {
        quota("{hard: {pods: '1'}}");
        pod("a", "");
        cluster.send("PATCH", BASE + "resourcequotas/q", "{\"spec\":{\"hard\":{\"pods\":null,\"secrets\":\"3\"}}}");
        assertThat(used()).isEqualTo("secrets=0");
        cluster.send("POST", BASE + "secrets", "metadata: {name: s}");
        assertThat(used()).isEqualTo("secrets=1");
    }

    @Test
    void scopesChooseThePods() {
        pod("a", "");
        pod("b", ", activeDeadlineSeconds: 5");
        quota("{hard: {pods: '9'}, scopes: [Terminating]}");
        assertThat(used()).isEqualTo("pods=1");
    }

    @Test
    void whatIsRefusedIsTriedAgainAndTold() {
        quota("{hard: {pods: '1'}}");
        cluster.json("POST", "/apis/apps/v1/namespaces/default/deployments", """
                metadata: {name: d}
                spec:
                  replicas: 3
                  selector: {matchLabels: {a: b}}
                  template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}
                """);
        cluster.time().advance(Duration.ofMinutes(1));
        assertThat(used()).isEqualTo("pods=1");
        assertThat(failure()).startsWith("FailedCreate pods \"d-").contains("exceeded quota: q");
        cluster.send("PATCH", BASE + "resourcequotas/q", "{\"spec\":{\"hard\":{\"pods\":\"3\"}}}");
        cluster.time().advance(Duration.ofMinutes(2));
        assertThat(used()).isEqualTo("pods=3");
        assertThat(failure()).isEmpty();
    }

    private String failure() {
        return cluster.get("/apis/apps/v1/namespaces/default/deployments/d")
                .at("/status/conditions")
                .valueStream()
                .filter(condition -> Json.string(condition, "type").equals("ReplicaFailure"))
                .map(condition -> Json.string(condition, "reason") + " " + Json.string(condition, "message"))
                .collect(Collectors.joining());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '"',
            value = {
                "requests.memory: 1536Mi | requests.memory=1Gi, used: requests.memory=1Gi, limited: requests.memory=1536Mi",
                "requests.cpu: 0.75 | requests.cpu=500m, used: requests.cpu=500m, limited: requests.cpu=750m",
                "pods: 1 | pods=1, used: pods=1, limited: pods=1"
            })
    void whatIsRefusedIsToldAsPeopleWriteIt(String hard, String told) {
        quota("{hard: {" + hard + "}}");
        pod("a", "");
        JsonNode refused = cluster.json("POST", BASE + "pods", """
                metadata: {name: b}
                spec: {containers: [{name: main, image: x, resources: {requests: {cpu: 500m, memory: 1Gi}}}]}
                """);
        assertThat(Json.string(refused, "message"))
                .isEqualTo("pods \"b\" is forbidden: exceeded quota: q, requested: " + told);
    }

    @Test
    void aNameThatIsTakenUsesNothingUp() {
        quota("{hard: {pods: '2'}}");
        assertThat(pod("a", "")).isEqualTo(201);
        assertThat(pod("a", "")).isEqualTo(409);
        assertThat(used()).isEqualTo("pods=1");
        assertThat(pod("b", "")).isEqualTo(201);
        assertThat(pod("b", "")).isEqualTo(403);
    }

    @Test
    void whatOneOfTheQuotasRefusesNoOtherCounts() {
        for (String each : new String[] {
            "{name: a}\nspec: {hard: {services.nodeports: '10'}}", "{name: b}\nspec: {hard: {services.nodeports: '0'}}"
        }) {
            cluster.send("POST", BASE + "resourcequotas", "metadata: " + each);
        }
        cluster.send("POST", BASE + "services", "{metadata: {name: s}, spec: {ports: [{port: 80}]}}");
        int status = cluster.send("PATCH", BASE + "services/s", "{\"spec\":{\"type\":\"NodePort\"}}")
                .status();
        assertThat(status).isEqualTo(403);
        assertThat(cluster.get(BASE + "resourcequotas/a")
                        .at("/status/used/services.nodeports")
                        .asString())
                .isEqualTo("0");
    }

    @Test
    void containersThatBeginSayWhatTheyNeedToo() {
        quota("{hard: {requests.cpu: '2'}}");
        JsonNode refused = cluster.json("POST", BASE + "pods", """
                metadata: {name: p}
                spec:
                  initContainers: [{name: init, image: x}]
                  containers: [{name: main, image: x, resources: {requests: {cpu: 500m}}}]
                """);
        assertThat(Json.string(refused, "message"))
                .isEqualTo("pods \"p\" is forbidden: failed quota: q: must specify requests.cpu for: init");
    }
}
