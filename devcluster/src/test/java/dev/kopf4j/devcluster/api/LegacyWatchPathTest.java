package dev.kopf4j.devcluster.api;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.InMemory;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Watches by paths, as clients asked for them before there was a parameter. */
class LegacyWatchPathTest {
    private final InMemory cluster = new InMemory(options -> options);

    @Test
    void collectionsAndObjectsAreWatched() {
        create("one");
        create("two");
        assertThat(events("/api/v1/watch/namespaces/default/configmaps")).contains("\"one\"", "\"two\"");
        assertThat(events("/api/v1/watch/configmaps")).contains("\"one\"", "\"two\"");
        assertThat(events("/api/v1/watch/namespaces/default/configmaps/two"))
                .contains("\"type\":\"ADDED\"", "\"two\"")
                .doesNotContain("\"one\"");
    }

    @Test
    void nothingIsWrittenThatWay() {
        create("one");
        ApiResponse response = cluster.send("DELETE", "/api/v1/watch/namespaces/default/configmaps/one", "");
        assertThat(response.status()).isEqualTo(404);
    }

    private void create(String name) {
        cluster.send("POST", "/api/v1/namespaces/default/configmaps", "metadata: {name: " + name + "}");
    }

    private String events(String path) {
        ApiRequest request =
                ApiRequest.of("GET", path, Map.of("authorization", "Bearer " + InMemory.TOKEN), new byte[0]);
        ApiResponse response = cluster.server().handle(request);
        assertThat(response.body()).isInstanceOf(ApiResponse.Events.class);
        try (WatchStream stream = ((ApiResponse.Events) response.body()).stream()) {
            return new String(stream.take().orElseThrow(), StandardCharsets.UTF_8);
        }
    }
}
