package dev.kopf4j.devcluster.storage;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.ApiServer;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.conformance.VirtualTime;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.json.SortedKeys;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/**
 * The keys of custom resources come sorted, whoever has sent them in which order, and whoever changes them, and so do
 * those of the maps in built-in kinds. Tests {@link StoredObject}, {@link SortedKeys} and {@code CanonicalCodec}.
 */
class KeyOrderTest {
    private static final String DEFINITION = """
            {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
             "metadata":{"name":"examples.kopf.dev"},
             "spec":{"group":"kopf.dev","scope":"Namespaced","names":{"plural":"examples","kind":"Example"},
              "versions":[{"name":"v1","served":true,"storage":true,"schema":{"openAPIV3Schema":
               {"type":"object","x-kubernetes-preserve-unknown-fields":true}}}]}}""";
    private static final String CUSTOM = "/apis/kopf.dev/v1/namespaces/default/examples";

    @TempDir
    private Path folder;

    private final VirtualTime time = new VirtualTime();

    private ApiServer server() {
        ApiServer server =
                new ApiServer(Options.defaults().data(folder).clock(time).random(new Random(1)), time, "token");
        time.settle();
        return server;
    }

    private String ask(ApiServer server, String method, String path, String body) {
        Map<String, String> headers =
                Map.of("content-type", method.equals("PATCH") ? "application/merge-patch+json" : "application/json");
        ApiResponse response =
                server.handle(ApiRequest.of(method, path, headers, body.getBytes(StandardCharsets.UTF_8)));
        time.settle();
        StringBuilder text = new StringBuilder();
        switch (response.body()) {
            case ApiResponse.Whole(byte[] bytes) -> text.append(new String(bytes, StandardCharsets.UTF_8));
            case ApiResponse.Pieces(Iterable<byte[]> pieces) ->
                pieces.forEach(piece -> text.append(new String(piece, StandardCharsets.UTF_8)));
            default -> throw new AssertionError("a watch");
        }
        return text.toString().strip();
    }

    private static void assertSorted(String text) {
        ObjectNode object = (ObjectNode) Json.parse(text);
        assertThat(object.path("metadata").path("resourceVersion").asString()).matches("[1-9][0-9]*");
        assertThat(text).isEqualTo(Json.text(SortedKeys.of(object)));
    }

    @Test
    void customResourcesAreShownWithSortedKeysAtAllLevels() {
        try (ApiServer server = server()) {
            ask(server, "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION);
            String created = ask(server, "POST", CUSTOM, """
                    {"kind":"Example","apiVersion":"kopf.dev/v1","status":{"z":1,"a":[{"y":1,"b":2}]},
                     "spec":{"size":1,"field":{"b":1,"a":2}},"metadata":{"name":"x","labels":{"b":"1","a":"2"},
                     "finalizers":["kopf.dev/hold"]}}""");
            assertSorted(created);
            assertThat(created)
                    .startsWith(
                            "{\"apiVersion\":\"kopf.dev/v1\",\"kind\":\"Example\",\"metadata\":{\"creationTimestamp\"")
                    .contains(
                            "\"spec\":{\"field\":{\"a\":2,\"b\":1},\"size\":1},\"status\":{\"a\":[{\"b\":2,\"y\":1}],\"z\":1}}");
            assertThat(ask(server, "GET", CUSTOM + "/x", "")).isEqualTo(created);
            assertThat(ask(server, "GET", CUSTOM, "")).contains("\"items\":[" + created + "]");

            String patched = ask(
                    server,
                    "PATCH",
                    CUSTOM + "/x",
                    "{\"spec\":{\"also\":1},\"metadata\":{\"annotations\":{\"b\":\"\",\"a\":\"\"}}}");
            assertSorted(patched);
            assertThat(patched).contains("\"metadata\":{\"annotations\":{\"a\":\"\",\"b\":\"\"},");
            assertSorted(ask(server, "DELETE", CUSTOM + "/x", ""));
            assertSorted(ask(server, "GET", CUSTOM + "/x", ""));
        }
    }

    @Test
    void mapsOfBuiltinKindsAreSorted() {
        try (ApiServer server = server()) {
            String path = "/api/v1/namespaces/default/configmaps";
            ask(server, "POST", path, """
                    {"kind":"ConfigMap","apiVersion":"v1","data":{"b":"1","a":"2"},
                     "metadata":{"name":"x","labels":{"d":"1","c":"2"}}}""");
            assertThat(ask(server, "GET", path + "/x", ""))
                    .contains("\"data\":{\"a\":\"2\",\"b\":\"1\"}", "\"labels\":{\"c\":\"2\",\"d\":\"1\"}");
            assertThat(ask(server, "PATCH", path + "/x", "{\"data\":{\"A\":\"3\"}}"))
                    .contains("\"data\":{\"A\":\"3\",\"a\":\"2\",\"b\":\"1\"}");
        }
    }

    @Test
    void theOrderOutlivesTheServerAndRemovalsByControllers() {
        try (ApiServer server = server()) {
            ask(server, "POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", DEFINITION);
            String owner = ask(
                    server,
                    "POST",
                    CUSTOM,
                    "{\"kind\":\"Example\",\"apiVersion\":\"kopf.dev/v1\",\"metadata\":{\"name\":\"o\"}}");
            assertThat(owner).endsWith("\"}}");
            ask(server, "POST", CUSTOM, """
                    {"kind":"Example","apiVersion":"kopf.dev/v1","spec":{"b":1,"a":2},"metadata":{"name":"x",
                     "ownerReferences":[{"apiVersion":"kopf.dev/v1","kind":"Example","name":"o","uid":"%s"}]}}""".formatted(
                            Json.parse(owner).at("/metadata/uid").asString()));
            ask(server, "DELETE", CUSTOM + "/o?propagationPolicy=Orphan", "");
            String orphan = ask(server, "GET", CUSTOM + "/x", "");
            assertThat(orphan).doesNotContain("\"ownerReferences\"");
            assertSorted(orphan);
        }
        try (ApiServer server = server()) {
            assertSorted(ask(server, "GET", CUSTOM + "/x", ""));
        }
    }
}
