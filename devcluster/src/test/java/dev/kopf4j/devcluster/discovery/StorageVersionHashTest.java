package dev.kopf4j.devcluster.discovery;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** By the hash in discovery, clients see whether a resource is stored in another version than before. */
class StorageVersionHashTest {
    private final InMemory cluster = new InMemory(options -> options);

    private String hash(String version, String plural) {
        return cluster.get(version)
                .path("resources")
                .valueStream()
                .filter(resource -> Json.string(resource, "name").equals(plural))
                .map(resource -> Json.string(resource, "storageVersionHash"))
                .findFirst()
                .orElseThrow();
    }

    @ParameterizedTest
    @CsvSource({
        "/api/v1, pods, xPOwRZ+Yhw8=",
        "/api/v1, pods/status, ''",
        "/api/v1, bindings, ''",
        "/api/v1, componentstatuses, ''",
        "/api/v1, events, r2yiGXH7wu8=",
        "/apis/events.k8s.io/v1, events, r2yiGXH7wu8=",
        "/apis/autoscaling/v2, horizontalpodautoscalers, qwQve8ut294=",
        "/apis/autoscaling/v1, horizontalpodautoscalers, qwQve8ut294=",
        "/apis/authorization.k8s.io/v1, subjectaccessreviews, ''",
    })
    void itIsThatOfTheStoredVersion(String version, String plural, String hash) {
        assertThat(hash(version, plural)).isEqualTo(hash);
    }

    @Test
    void allVersionsOfACustomResourceHaveThatOfTheStoredOne() {
        JsonNode definition = cluster.json("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", """
                metadata: {name: boxes.example.com}
                spec:
                  group: example.com
                  scope: Cluster
                  names: {plural: boxes, kind: Box}
                  versions:
                  - {name: v2, served: true, storage: false, schema: {openAPIV3Schema: {type: object}}}
                  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
                """);
        assertThat(Json.string(definition, "metadata", "name")).isEqualTo("boxes.example.com");
        assertThat(hash("/apis/example.com/v2", "boxes")).isNotEmpty().isEqualTo(hash("/apis/example.com/v1", "boxes"));
    }
}
