package dev.kopf4j.cli.console;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.faultinjection.Faults;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.SystemPlatform;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** What the console shows of an embedded cluster: {@link DevClusterConsole} and {@link RequestFeed}. */
class DevClusterConsoleTest {
    private final HttpClient client = HttpClient.newHttpClient();
    private final SystemPlatform platform = new SystemPlatform();
    private DevCluster cluster;
    private DevClusterConsole console;

    @BeforeEach
    void start() throws IOException {
        RequestFeed feed = new RequestFeed(platform);
        Faults faults = new Faults(0).add("x1 GET /api/v1/configmaps 500");
        cluster = DevCluster.start(Options.defaults().faults(faults).requestListener(feed));
        console = new DevClusterConsole(platform, cluster, feed, 0);
        for (int number = 0; number < 3; number++) {
            cluster.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: settings-" + number + "}}");
        }
        cluster.apply("{apiVersion: v1, kind: Secret, metadata: {name: key}, stringData: {password: canary-91c4}}");
    }

    @AfterEach
    void stop() {
        console.close();
        cluster.close();
        client.close();
    }

    private String text(String path) throws IOException, InterruptedException {
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create(console.address()).resolve(path))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).as(path).isEqualTo(200);
        return answer.body();
    }

    private int status(String path) {
        return cluster.handle(ApiRequest.of(
                        "GET", path, Map.of("User-Agent", "test/1", "Authorization", "Bearer x"), new byte[0]))
                .status();
    }

    private static JsonNode kind(JsonNode snapshot, String resource) {
        return snapshot.path("kinds").values().stream()
                .filter(each -> each.path("path").asString("").equals("/api/v1/" + resource))
                .findFirst()
                .orElseThrow();
    }

    @Test
    void showsWhatIsInTheCluster() throws Exception {
        JsonNode snapshot = Json.parse(text("/snapshot"));
        assertThat(kind(snapshot, "configmaps").path("objects").asInt()).isEqualTo(3);
        assertThat(kind(snapshot, "secrets").path("objects").asInt()).isEqualTo(1);
        assertThat(kind(snapshot, "pods").path("objects").asInt()).isZero();
        JsonNode table = Json.parse(text("/table?path=/api/v1/configmaps"));
        assertThat(table.path("columns").values().stream().map(each -> each.asString("")))
                .containsExactly("Name", "Data", "Age");
        assertThat(table.path("rows").values().stream()
                        .map(each -> each.path("cells").get(0).asString("")))
                .containsExactly("settings-0", "settings-1", "settings-2");
    }

    @Test
    void showsRequestsAsTheyComeAndNoneOfItsOwn() throws Exception {
        Json.parse(text("/snapshot"));
        assertThat(status("/api/v1/pods?limit=7")).isEqualTo(200);
        assertThat(status("/api/v1/nothing")).isEqualTo(404);
        JsonNode snapshot = Json.parse(text("/snapshot"));
        JsonNode newest = snapshot.path("requests").get(0);
        assertThat(newest.path("path").asString("")).isEqualTo("/api/v1/nothing");
        assertThat(newest.path("status").asInt()).isEqualTo(404);
        assertThat(snapshot.path("requests").get(1).path("path").asString("")).isEqualTo("/api/v1/pods");
        assertThat(snapshot.path("requests").get(1).path("agent").asString("")).isEqualTo("test/1");
        assertThat(snapshot.path("requests").values())
                .noneMatch(each -> each.path("path").asString("").equals("/api/v1/configmaps"));
        assertThat(snapshot.path("totals").path("GET 404").asInt()).isEqualTo(1);
    }

    @Test
    void leavesFaultsToThoseWhomTheyAreFor() throws Exception {
        for (int number = 0; number < 3; number++) {
            assertThat(text("/table?path=/api/v1/configmaps")).contains("settings-0");
        }
        assertThat(Json.parse(text("/snapshot")).path("faults").get(0).asString(""))
                .contains("GET /api/v1/configmaps 500");
        assertThat(status("/api/v1/configmaps")).isEqualTo(500);
        assertThat(status("/api/v1/configmaps")).isEqualTo(200);
    }

    @Test
    void showsNoSecrets() throws Exception {
        assertThat(text("/snapshot") + text("/table?path=/api/v1/secrets"))
                .contains("key")
                .doesNotContain("canary-91c4", "Y2FuYXJ5LTkxYzQ=", cluster.token(), "Bearer");
    }

    @Test
    void showsKindsOfTheClusterAlone() throws Exception {
        HttpResponse<String> answer = client.send(
                HttpRequest.newBuilder(URI.create(console.address())
                                .resolve("/table?path=/api/v1/namespaces/default/secrets/key"))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
        assertThat(answer.statusCode()).isEqualTo(404);
        assertThat(text("/")).contains("/devcluster.js");
        assertThat(text("/page.js")).contains("export function table");
    }
}
