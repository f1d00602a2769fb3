package dev.kopf4j.devcluster.conversion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Custom objects of versions with different schemas, between which nobody converts. */
class SchemasOfVersionsTest {
    private static final String V1 = "/apis/kopf.dev/v1/namespaces/default/boxes";
    private static final String V2 = "/apis/kopf.dev/v2/namespaces/default/boxes";
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String DEFINITION = DEFINITIONS + "/boxes.kopf.dev";
    private final InMemory cluster = new InMemory(options -> options);

    @BeforeEach
    void define() {
        cluster.send("POST", DEFINITIONS, """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: boxes.kopf.dev}
                spec:
                  group: kopf.dev
                  scope: Namespaced
                  names: {plural: boxes, kind: Box}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {
                      size: {type: string}, colour: {type: string, default: red}}}}}}
                  - name: v2
                    served: true
                    storage: false
                    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, properties: {
                      size: {type: string}, width: {type: integer}, depth: {type: integer, default: 7}}}}}}
                """);
    }

    private static String box(String version, String spec) {
        return "{apiVersion: kopf.dev/" + version + ", kind: Box, metadata: {name: a}, spec: {" + spec + "}}";
    }

    private static String spec(JsonNode box) {
        return Json.text(box.path("spec"));
    }

    @Test
    void whatTheStorageVersionDoesNotKnowIsLostAndTheAnswerSaysSo() {
        JsonNode made = cluster.json("POST", V2, box("v2", "size: big, width: 3"));
        assertThat(spec(made)).isEqualTo("{\"size\":\"big\"}");
        assertThat(Json.string(made, "apiVersion")).isEqualTo("kopf.dev/v2");
        assertThat(spec(cluster.get(V2 + "/a"))).isEqualTo("{\"size\":\"big\"}");
        assertThat(spec(cluster.get(V2).path("items").path(0))).isEqualTo("{\"size\":\"big\"}");
    }

    @Test
    void defaultsAreThoseOfTheStoredVersion() {
        JsonNode made = cluster.json("POST", V2, box("v2", "size: big"));
        assertThat(spec(made)).isEqualTo("{\"size\":\"big\"}");
        assertThat(spec(cluster.get(V1 + "/a"))).isEqualTo("{\"colour\":\"red\",\"size\":\"big\"}");
        assertThat(spec(cluster.get(V2 + "/a"))).isEqualTo("{\"size\":\"big\"}");
    }

    @Test
    void anObjectIsUnreadableWhenTheVersionThatItIsStoredInIsGone() {
        cluster.send("POST", V1, box("v1", "size: big"));
        cluster.send("PATCH", DEFINITION, """
                {"spec":{"versions":[{"name":"v1","served":true,"storage":false,"schema":{"openAPIV3Schema":
                {"type":"object"}}},{"name":"v2","served":true,"storage":true,"schema":{"openAPIV3Schema":
                {"type":"object"}}}]}}
                """);
        cluster.send("PATCH", DEFINITION + "/status", "{\"status\":{\"storedVersions\":[\"v2\"]}}");
        cluster.send("PATCH", DEFINITION, """
                {"spec":{"versions":[{"name":"v2","served":true,"storage":true,"schema":{"openAPIV3Schema":
                {"type":"object"}}}]}}
                """);
        for (String path : new String[] {V2, V2 + "/a"}) {
            JsonNode refused = cluster.get(path);
            assertThat(refused.path("code").intValue()).isEqualTo(500);
            assertThat(Json.string(refused, "message"))
                    .isEqualTo("request to convert CR from an invalid group/version: kopf.dev/v1");
        }
    }
}
