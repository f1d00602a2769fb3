package dev.kopf4j.devcluster.registry.write;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

class StorageLimitTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private static final String DEFINITIONS = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
    private static final String BOXES = "/apis/kopf.dev/v1/namespaces/default/boxes";
    private final InMemory cluster = new InMemory(options -> options);

    private void define() {
        cluster.send("POST", DEFINITIONS, """
                metadata: {name: boxes.kopf.dev}
                spec:
                  group: kopf.dev
                  scope: Namespaced
                  names: {plural: boxes, kind: Box}
                  versions: [{name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object,
                    x-kubernetes-preserve-unknown-fields: true}}}]
                """);
    }

    private JsonNode post(String path, String json) {
        return Json.parse(InMemory.text(cluster.send("POST", path, json, Map.of("content-type", "application/json"))));
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            1500000 | 201 |
            1600000 | 500 | etcdserver: request is too large
            2200000 | 500 | rpc error: code = ResourceExhausted desc = trying to send message larger than max (
            """)
    void whatEtcdDoesNotTakeIsRefused(int size, int status, String message) {
        define();
        String box = "{\"apiVersion\":\"kopf.dev/v1\",\"kind\":\"Box\",\"metadata\":{\"name\":\"a\"},\"spec\":\""
                + "x".repeat(size) + "\"}";
        JsonNode made = post(BOXES, box);
        assertThat(made.path("code").intValue(201)).isEqualTo(status);
        assertThat(Json.string(made, "message")).startsWith(message == null ? "" : message);
        post(BOXES, box.replace("x".repeat(size), ""));
        String change = "{\"spec\":\"" + "y".repeat(size) + "\"}";
        assertThat(cluster.send("PATCH", BOXES + "/a", change).status()).isEqualTo(status == 201 ? 200 : status);
    }

    @Test
    void managedFieldsGoBeforeAnObjectIsRefused() {
        define();
        StringBuilder spec = new StringBuilder("{");
        for (int field = 0; field < 30_000; field++) {
            spec.append(field == 0 ? "" : ",")
                    .append("\"field-of-a-box-")
                    .append(field)
                    .append("\":\"xxxx\"");
        }
        String box = "{\"apiVersion\":\"kopf.dev/v1\",\"kind\":\"Box\",\"metadata\":{\"name\":\"a\"},\"spec\":" + spec
                + "}}";
        JsonNode made = post(BOXES, box);
        assertThat(made.path("code").isMissingNode()).isTrue();
        assertThat(made.path("metadata").has("managedFields")).isFalse();
    }

    @Test
    void builtInObjectsAreMeasuredByTheirContent() {
        String lines = "\\n".repeat(1_000_000);
        String map = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"},\"data\":{\"a\":\""
                + lines + "\"}}";
        assertThat(Json.string(post(MAPS, map), "kind"))
                .as("its JSON has two megabytes")
                .isEqualTo("ConfigMap");
    }
}
