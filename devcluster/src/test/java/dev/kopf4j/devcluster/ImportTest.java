package dev.kopf4j.devcluster;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.json.Json;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** A cluster takes over objects of another one as they are. */
class ImportTest {
    private static final String DEFINITION = """
            {"apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
             "metadata": {"name": "examples.kopf.dev", "uid": "d-1"},
             "spec": {"group": "kopf.dev", "scope": "Namespaced",
               "names": {"plural": "examples", "singular": "example", "kind": "Example", "listKind": "ExampleList"},
               "versions": [{"name": "v1", "served": true, "storage": true, "subresources": {"status": {}},
                 "schema": {"openAPIV3Schema": {"type": "object", "x-kubernetes-preserve-unknown-fields": true}}}]},
             "status": {}}
            """;
    private static final String OWNER = """
            {"apiVersion": "kopf.dev/v1", "kind": "Example",
             "metadata": {"name": "one", "namespace": "there", "uid": "u-1", "resourceVersion": "987654321",
               "creationTimestamp": "2020-01-01T00:00:00Z", "generation": 7, "finalizers": ["a/b"],
               "deletionTimestamp": "2021-01-01T00:00:00Z"},
             "spec": {"size": 1}, "status": {"ready": true}}
            """;
    private static final String CHILD = """
            {"apiVersion": "v1", "kind": "ConfigMap",
             "metadata": {"name": "child", "namespace": "there", "uid": "u-2",
               "ownerReferences": [{"apiVersion": "apps/v1", "kind": "Deployment", "name": "away", "uid": "u-0"}]},
             "data": {"a": "b"}}
            """;
    private static final String EXAMPLE = "/apis/kopf.dev/v1/namespaces/there/examples/one";
    private static final String MAP = "/api/v1/namespaces/there/configmaps/child";

    private static DevCluster start(boolean foreignOwners) {
        DevCluster cluster = DevCluster.start(Options.defaults()
                .manualClock(Instant.parse("2026-01-01T00:00:00Z"))
                .foreignOwners(foreignOwners));
        assertThat(cluster.importObject(DEFINITION)).isTrue();
        return cluster;
    }

    private static ApiResponse request(DevCluster cluster, String method, String path) {
        return cluster.handle(ApiRequest.of(method, path, Map.of(), new byte[0]));
    }

    private static JsonNode get(DevCluster cluster, String path) {
        ApiResponse response = request(cluster, "GET", path);
        assertThat(response.status()).isEqualTo(200);
        return Json.parse(((ApiResponse.Whole) response.body()).bytes());
    }

    @Test
    void keepsUidStatusGenerationAndDeletionOfWhatIsImported() {
        try (DevCluster cluster = start(false)) {
            assertThat(cluster.importObject(OWNER)).isTrue();
            JsonNode there = get(cluster, EXAMPLE);
            JsonNode given = Json.parse(OWNER.getBytes(StandardCharsets.UTF_8));
            assertThat(there.path("spec")).isEqualTo(given.path("spec"));
            assertThat(there.path("status")).isEqualTo(given.path("status"));
            JsonNode metadata = there.path("metadata");
            for (String field : new String[] {
                "uid", "creationTimestamp", "generation", "resourceVersion", "deletionTimestamp", "finalizers"
            }) {
                assertThat(metadata.path(field))
                        .isEqualTo(given.path("metadata").path(field));
            }
        }
    }

    @Test
    void jobsOfOldClustersStayAsTheyAre() {
        try (DevCluster cluster = start(false)) {
            cluster.importObject("""
                    {"apiVersion": "batch/v1", "kind": "Job",
                     "metadata": {"name": "old", "namespace": "there", "uid": "u-5", "creationTimestamp": "2020-01-01T00:00:00Z"},
                     "spec": {"parallelism": 1, "completions": 1, "completionMode": "NonIndexed", "manualSelector": false,
                      "selector": {"matchLabels": {"controller-uid": "u-5"}},
                      "template": {"metadata": {"creationTimestamp": null, "labels": {"controller-uid": "u-5", "job-name": "old"}},
                       "spec": {"restartPolicy": "Never", "containers": [{"name": "c", "image": "i", "resources": {},
                        "terminationMessagePath": "/dev/termination-log", "terminationMessagePolicy": "File", "imagePullPolicy": "Always"}],
                        "terminationGracePeriodSeconds": 30, "dnsPolicy": "ClusterFirst", "securityContext": {},
                        "schedulerName": "default-scheduler"}}}}
                    """);
            byte[] patch = "{\"spec\": {\"suspend\": true}}".getBytes(StandardCharsets.UTF_8);
            ApiResponse response = cluster.handle(ApiRequest.of(
                    "PATCH",
                    "/apis/batch/v1/namespaces/there/jobs/old",
                    Map.of("content-type", "application/merge-patch+json"),
                    patch));
            assertThat(response.status())
                    .as(new String(((ApiResponse.Whole) response.body()).bytes(), StandardCharsets.UTF_8))
                    .isEqualTo(200);
        }
    }

    @Test
    void replacesAnObjectOfThatName() {
        try (DevCluster cluster = start(false)) {
            cluster.importObject(OWNER);
            cluster.importObject(OWNER.replace("\"size\": 1", "\"size\": 2"));
            assertThat(get(cluster, EXAMPLE).path("spec").path("size").intValue())
                    .isEqualTo(2);
        }
    }

    @Test
    void givesANewVersionWhereTheGivenOneIsTooLow() {
        try (DevCluster cluster = start(false)) {
            cluster.importObject(OWNER);
            cluster.importObject(OWNER.replace("\"one\"", "\"two\"").replace("u-1", "u-9"));
            assertThat(get(cluster, EXAMPLE.replace("one", "two"))
                            .path("metadata")
                            .path("resourceVersion")
                            .asString(""))
                    .isEqualTo("987654322");
        }
    }

    @Test
    void leavesOutKindsThatAreNotServed() {
        try (DevCluster cluster = start(false)) {
            assertThat(cluster.importObject(OWNER.replace("\"Example\"", "\"Other\"")))
                    .isFalse();
        }
    }

    @Test
    void keepsWhatOwnersElsewhereOwnOnDemand() {
        try (DevCluster keeping = start(true);
                DevCluster collecting = start(false)) {
            keeping.importObject(CHILD);
            collecting.importObject(CHILD);
            assertThat(request(keeping, "GET", MAP).status()).isEqualTo(200);
            assertThat(request(collecting, "GET", MAP).status()).isEqualTo(404);
        }
    }

    @Test
    void collectsWhatOwnersOwnedThatWereHere() {
        String owned = CHILD.replace("apps/v1", "kopf.dev/v1")
                .replace("Deployment", "Example")
                .replace("away", "one")
                .replace("u-0", "u-1");
        String owner = OWNER.replace("\"finalizers\": [\"a/b\"],", "")
                .replace("\"deletionTimestamp\": \"2021-01-01T00:00:00Z\"", "\"labels\": {}");
        try (DevCluster cluster = start(true)) {
            cluster.importObject(owner);
            cluster.importObject(owned);
            assertThat(request(cluster, "GET", MAP).status()).isEqualTo(200);
            assertThat(request(cluster, "DELETE", EXAMPLE).status()).isEqualTo(200);
            cluster.advance(Duration.ofSeconds(1));
            assertThat(request(cluster, "GET", MAP).status()).isEqualTo(404);
        }
    }
}
