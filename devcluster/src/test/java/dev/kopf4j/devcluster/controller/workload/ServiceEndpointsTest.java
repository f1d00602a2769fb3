package dev.kopf4j.devcluster.controller.workload;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Ten seconds until a pod is ready. */
class ServiceEndpointsTest {
    private static final String BASE = "/api/v1/namespaces/default/";
    private static final String SLICES = "/apis/discovery.k8s.io/v1/namespaces/default/endpointslices";
    private static final Duration STEP = Duration.ofSeconds(11);

    private final InMemory cluster = new InMemory(options -> options.workloads(Duration.ofSeconds(10)));

    private void service(String more) {
        JsonNode made = cluster.json("POST", BASE + "services", """
                metadata: {name: web, labels: {tier: front}}
                spec:
                  selector: {app: web}
                  ports: [{name: http, port: 80, targetPort: http}]
                """ + more);
        assertThat(Json.string(made, "kind")).as("%s", made).isEqualTo("Service");
    }

    private void pod(String name, String more, int port) {
        JsonNode made = cluster.json("POST", BASE + "pods", """
                metadata: {name: %s, labels: {app: web}%s}
                spec: {containers: [{name: main, image: x, ports: [{name: http, containerPort: %s}]}]}
                """.formatted(name, more, port));
        assertThat(Json.string(made, "kind")).as("%s", made).isEqualTo("Pod");
    }

    private List<JsonNode> slices() {
        return cluster.get(SLICES)
                .path("items")
                .valueStream()
                .filter(slice -> Json.string(slice, "metadata", "labels", "kubernetes.io/service-name")
                        .equals("web"))
                .toList();
    }

    /** Names and readiness of the pods in all slices. */
    private Stream<String> endpoints() {
        return slices().stream()
                .flatMap(slice -> slice.path("endpoints").valueStream())
                .map(endpoint -> Json.string(endpoint, "targetRef", "name")
                        + endpoint.at("/conditions/ready").booleanValue());
    }

    private JsonNode subset() {
        return cluster.get(BASE + "endpoints/web").at("/subsets/0");
    }

    @Test
    void aServiceWithoutPodsHasAnEmptySlice() {
        service("");
        assertThat(slices()).hasSize(1);
        JsonNode slice = slices().getFirst();
        assertThat(slice.path("endpoints")).isEmpty();
        assertThat(Json.string(slice, "metadata", "name")).startsWith("web-");
        assertThat(Json.string(slice, "metadata", "labels", "tier")).isEqualTo("front");
        assertThat(Json.string(slice.at("/metadata/ownerReferences/0"), "kind")).isEqualTo("Service");
        assertThat(cluster.get(BASE + "endpoints/web").has("subsets")).isFalse();
    }

    @Test
    void podsComeWhenTheyHaveAnAddressAndLeaveWhenTheyEnd() {
        service("");
        pod("a", "", 8080);
        assertThat(endpoints()).isEmpty();
        cluster.time().advance(STEP);
        assertThat(endpoints()).containsExactly("atrue");
        assertThat(slices().getFirst().at("/ports/0/port").intValue()).isEqualTo(8080);
        assertThat(subset().at("/ports/0/port").intValue()).isEqualTo(8080);
        assertThat(Json.string(subset().at("/addresses/0"), "ip"))
                .isEqualTo(Json.string(cluster.get(BASE + "pods/a"), "status", "podIP"));
        cluster.send("DELETE", BASE + "pods/a", "");
        assertThat(endpoints()).isEmpty();
        assertThat(slices()).hasSize(1);
        assertThat(subset().isMissingNode()).isTrue();
    }

    @Test
    void podsThatAreNotReadyAreKnownAsSuch() {
        service("");
        pod("a", ", annotations: {devcluster.kopf4j.dev/pod: unready}", 8080);
        cluster.time().advance(STEP);
        assertThat(endpoints()).containsExactly("afalse");
        assertThat(subset().path("notReadyAddresses")).hasSize(1);
        cluster.send("PATCH", BASE + "services/web", "{\"spec\":{\"publishNotReadyAddresses\":true}}");
        assertThat(endpoints()).containsExactly("atrue");
        assertThat(subset().path("addresses")).hasSize(1);
    }

    @Test
    void podsOfOtherPortsHaveASliceOfTheirOwn() {
        service("");
        pod("a", "", 8080);
        pod("b", "", 9090);
        cluster.time().advance(STEP);
        assertThat(slices().stream().map(slice -> slice.at("/ports/0/port").intValue()))
                .containsExactlyInAnyOrder(8080, 9090);
        cluster.send("DELETE", BASE + "pods/a", "");
        assertThat(slices().stream().map(slice -> slice.at("/ports/0/port").intValue()))
                .containsExactly(9090);
    }

    @Test
    void aChangeOfLabelsMovesPodsInAndOut() {
        service("");
        pod("a", "", 8080);
        cluster.time().advance(STEP);
        cluster.send("PATCH", BASE + "pods/a", "{\"metadata\":{\"labels\":{\"app\":\"other\"}}}");
        assertThat(endpoints()).isEmpty();
        cluster.send("PATCH", BASE + "services/web", "{\"spec\":{\"selector\":{\"app\":\"other\"}}}");
        assertThat(endpoints()).containsExactly("atrue");
    }

    @Test
    void allGoesWithTheServiceAndServicesWithoutASelectorHaveNone() {
        service("");
        cluster.send("DELETE", BASE + "services/web", "");
        assertThat(slices()).isEmpty();
        assertThat(cluster.send("GET", BASE + "endpoints/web", "").status()).isEqualTo(404);
        cluster.send("POST", BASE + "services", "metadata: {name: web}\nspec: {ports: [{port: 80}]}");
        assertThat(slices()).isEmpty();
        assertThat(cluster.send("GET", BASE + "endpoints/web", "").status()).isEqualTo(404);
    }

    @Test
    void endpointsOfAServiceWithoutASelectorAreMirrored() {
        cluster.send("POST", BASE + "services", "{metadata: {name: web}, spec: {ports: [{port: 80}]}}");
        cluster.send("POST", BASE + "endpoints", """
                metadata: {name: web, labels: {tier: back}}
                subsets:
                - addresses: [{ip: 10.1.2.3}]
                  notReadyAddresses: [{ip: 10.1.2.4}]
                  ports: [{name: http, port: 80}]
                """);
        JsonNode slice = slices().getFirst();
        assertThat(slice.at("/metadata/labels/tier").asString()).isEqualTo("back");
        assertThat(slice.at("/metadata/ownerReferences/0/kind").asString()).isEqualTo("Endpoints");
        assertThat(slice.at("/ports/0/port").asInt()).isEqualTo(80);
        assertThat(slice.path("endpoints").toString())
                .contains("{\"addresses\":[\"10.1.2.3\"],\"conditions\":{\"ready\":true}}")
                .contains("{\"addresses\":[\"10.1.2.4\"],\"conditions\":{\"ready\":false}}");
        cluster.send(
                "PATCH",
                BASE + "endpoints/web",
                "{\"subsets\":[{\"addresses\":[{\"ip\":\"10.1.2.5\"}],\"ports\":[{\"name\":\"http\",\"port\":80}]}]}");
        assertThat(slices()).hasSize(1);
        assertThat(slices().getFirst().at("/endpoints/0/addresses/0").asString())
                .isEqualTo("10.1.2.5");
        assertThat(slices().getFirst().at("/metadata/name")).isEqualTo(slice.at("/metadata/name"));
        cluster.send("DELETE", BASE + "endpoints/web", "");
        cluster.time().advance(STEP);
        assertThat(slices()).isEmpty();
    }

    @Test
    void endpointsGoWithTheirServiceWhoeverHasMadeThem() {
        cluster.send("POST", BASE + "services", "{metadata: {name: web}, spec: {ports: [{port: 80}]}}");
        for (String name : List.of("web", "alone")) {
            cluster.send("POST", BASE + "endpoints", "{metadata: {name: " + name + "}}");
        }
        cluster.send("DELETE", BASE + "services/web", "");
        cluster.send("PATCH", BASE + "endpoints/alone", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
        cluster.time().advance(STEP);
        assertThat(cluster.send("GET", BASE + "endpoints/web", "").status()).isEqualTo(404);
        assertThat(cluster.send("GET", BASE + "endpoints/alone", "").status())
                .as("those that never had a service")
                .isEqualTo(200);
    }

    @Test
    void theEndpointsOfTheApiServerAreNotMirrored() {
        assertThat(cluster.get(SLICES).path("items").size()).isEqualTo(1);
    }
}
