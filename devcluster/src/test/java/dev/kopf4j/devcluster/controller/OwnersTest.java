package dev.kopf4j.devcluster.controller;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.ApiServer;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.conformance.SharedTasks;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.YamlReader;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Owners and what they own. Tests {@link GarbageCollector}. */
class OwnersTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String ROLES = "/apis/rbac.authorization.k8s.io/v1/clusterroles";

    @Test
    void whatTheClusterHoldsIsNotCollectedForAnOwnerInANamespace() {
        InMemory cluster = new InMemory(options -> options);
        String uid = Json.string(cluster.json("POST", MAPS, "metadata: {name: owner}"), "metadata", "uid");
        for (String[] role : new String[][] {{"role", uid}, {"stray", "11111111-2222-3333-4444-555555555555"}}) {
            cluster.send("POST", ROLES, """
                    metadata: {name: %s, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: owner, uid: %s}]}
                    """.formatted((Object[]) role));
        }
        cluster.send("PATCH", ROLES + "/role", "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
        cluster.time().advance(Duration.ofMinutes(1));
        assertThat(cluster.send("GET", ROLES + "/role", "").status()).isEqualTo(200);
        assertThat(cluster.send("GET", ROLES + "/stray", "").status()).isEqualTo(200);
        JsonNode events = cluster.get("/api/v1/namespaces/default/events").path("items");
        assertThat(events.size()).as("%s", events).isEqualTo(1);
        JsonNode event = events.get(0);
        assertThat(Json.string(event, "reason")).isEqualTo("OwnerRefInvalidNamespace");
        assertThat(Json.string(event, "involvedObject", "name")).isEqualTo("role");
        assertThat(Json.string(event, "message"))
                .isEqualTo("ownerRef [v1/ConfigMap, namespace: , name: owner, uid: " + uid
                        + "] does not exist in namespace \"\"");
        cluster.send("DELETE", MAPS + "/owner", "");
        assertThat(cluster.send("GET", ROLES + "/role", "").status()).isEqualTo(200);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"null", "[{apiVersion: v1, kind: ConfigMap, name: owner, uid: UID, blockOwnerDeletion: false}]"})
    void anOwnerWaitsNoLongerForWhatHoldsItUpNoLonger(String references) {
        InMemory cluster = new InMemory(options -> options);
        String uid = Json.string(cluster.json("POST", MAPS, "metadata: {name: owner}"), "metadata", "uid");
        cluster.send("POST", MAPS, """
                metadata:
                  name: owned
                  finalizers: [example.com/f]
                  ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: owner, uid: %s, blockOwnerDeletion: true}]
                """.formatted(uid));
        cluster.send("DELETE", MAPS + "/owner", "propagationPolicy: Foreground");
        assertThat(cluster.send("GET", MAPS + "/owner", "").status()).isEqualTo(200);
        String patch =
                Json.text(YamlReader.documents("metadata: {ownerReferences: " + references.replace("UID", uid) + "}")
                        .getFirst());
        assertThat(cluster.send("PATCH", MAPS + "/owned", patch).status()).isEqualTo(200);
        assertThat(cluster.send("GET", MAPS + "/owner", "").status()).isEqualTo(404);
        assertThat(cluster.send("GET", MAPS + "/owned", "").status()).isEqualTo(200);
    }

    @Test
    void orphansStayThoughOthersWriteThemMeanwhile() {
        SharedTasks tasks = new SharedTasks();
        ApiServer server = new ApiServer(Options.defaults(), tasks, InMemory.TOKEN);
        AtomicBoolean over = new AtomicBoolean();
        CompletableFuture<Void> writer = CompletableFuture.runAsync(() -> {
            for (int count = 0; !over.get(); count++) {
                String change = "{\"data\":{\"count\":\"" + count + "\"}}";
                send(server, "PATCH", MAPS + "/owned", change);
            }
        });
        try {
            orphanOften(server, tasks);
        } finally {
            over.set(true);
            writer.join();
        }
    }

    private static void orphanOften(ApiServer server, SharedTasks tasks) {
        for (int round = 0; round < 200; round++) {
            String owner = send(server, "POST", MAPS, "metadata: {name: owner}");
            send(server, "POST", MAPS, """
                    metadata: {name: owned, ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: owner, uid: %s}]}
                    """.formatted(Json.string(Json.parse(owner), "metadata", "uid")));
            send(server, "DELETE", MAPS + "/owner?propagationPolicy=Orphan", "");
            tasks.settle();
            assertThat(send(server, "GET", MAPS + "/owner", "")).contains("\"code\":404");
            assertThat(send(server, "GET", MAPS + "/owned", ""))
                    .as("in round %s", round)
                    .contains("\"name\":\"owned\"")
                    .doesNotContain("\"ownerReferences\"", "deletionTimestamp");
            send(server, "DELETE", MAPS + "/owned", "");
            tasks.settle();
        }
    }

    private static String send(ApiServer server, String method, String path, String body) {
        String type = method.equals("PATCH") ? "application/merge-patch+json" : "application/yaml";
        ApiResponse response = server.handle(ApiRequest.of(
                method,
                path,
                Map.of("authorization", "Bearer " + InMemory.TOKEN, "content-type", type),
                body.getBytes(StandardCharsets.UTF_8)));
        return InMemory.text(response);
    }
}
