package dev.kopf4j.devcluster.controller.apiextensions;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.WatchStream;
import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Watches on custom objects whose definition changes or goes. */
class WatchesOfDefinitionsTest {
    private static final String BOXES = "/apis/kopf.dev/v1/namespaces/default/boxes";
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String DEFINITION = DEFINITIONS + "/boxes.kopf.dev";
    private final InMemory cluster = new InMemory(options -> options);

    @BeforeEach
    void define() {
        cluster.send("POST", DEFINITIONS, """
                metadata: {name: boxes.kopf.dev}
                spec:
                  group: kopf.dev
                  scope: Namespaced
                  names: {plural: boxes, kind: Box}
                  versions:
                  - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object, properties: {
                      spec: {type: object, properties: {size: {type: string}}}}}}}
                """);
    }

    private static String box(String name) {
        return "{apiVersion: kopf.dev/v1, kind: Box, metadata: {name: " + name + "}}";
    }

    private WatchStream watch() {
        String version = Json.string(cluster.get(BOXES), "metadata", "resourceVersion");
        ApiRequest request = ApiRequest.of(
                "GET",
                BOXES + "?watch=true&resourceVersion=" + version,
                Map.of("authorization", "Bearer " + InMemory.TOKEN),
                new byte[0]);
        return ((ApiResponse.Events) cluster.server().handle(request).body()).stream();
    }

    private static String events(WatchStream watch) {
        return watch.take()
                .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
                .orElse("");
    }

    @Test
    void aChangeOfTheSchemaEndsThem() {
        try (WatchStream watch = watch()) {
            cluster.send("POST", BOXES, box("a"));
            cluster.send("PATCH", DEFINITION, """
                    {"spec":{"versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":
                    {"type":"object"}}}]}}
                    """);
            cluster.send("POST", BOXES, box("b"));
            assertThat(events(watch))
                    .as("what came before is told")
                    .contains("\"name\":\"a\"")
                    .doesNotContain("\"name\":\"b\"", "ERROR");
            assertThat(events(watch)).as("no error").isEmpty();
            assertThat(watch.ended()).isTrue();
        }
    }

    @Test
    void aChangeOfMetadataDoesNotEndThem() {
        try (WatchStream watch = watch()) {
            cluster.send("PATCH", DEFINITION, "{\"metadata\":{\"labels\":{\"a\":\"b\"}}}");
            assertThat(events(watch)).isEmpty();
            assertThat(watch.ended()).isFalse();
        }
    }

    @Test
    void aDeletionEndsThemBehindTheDeletionOfTheObjects() {
        cluster.send("POST", BOXES, box("a"));
        try (WatchStream watch = watch()) {
            cluster.send("DELETE", DEFINITION, "");
            assertThat(events(watch)).contains("DELETED", "\"name\":\"a\"").doesNotContain("ERROR");
            assertThat(events(watch)).isEmpty();
            assertThat(watch.ended()).isTrue();
        }
    }

    @Test
    void aDeletionTakesPlaceThoughNoVersionIsServed() {
        cluster.send("POST", BOXES, box("a"));
        cluster.send("PATCH", DEFINITION, """
                {"spec":{"versions":[{"name":"v1","served":false,"storage":true,"schema":{"openAPIV3Schema":
                {"type":"object"}}}]}}
                """);
        cluster.send("DELETE", DEFINITION, "");
        assertThat(cluster.send("GET", DEFINITION, "").status()).isEqualTo(404);
    }

    @Test
    void aDeletionEndsThemIfThereIsNothingToDelete() {
        try (WatchStream watch = watch()) {
            cluster.send("DELETE", DEFINITION, "");
            assertThat(events(watch)).isEmpty();
            assertThat(watch.ended()).isTrue();
        }
    }
}
