package dev.kopf4j.devcluster.registry.read;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.WatchStream;
import dev.kopf4j.devcluster.conformance.InMemory;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.request.ContinueToken;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Where watches and pages begin. */
class WatchStartTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";
    private final InMemory cluster = new InMemory(options -> options.watchList(true));

    private WatchStream watch(String query) {
        ApiRequest request = ApiRequest.of(
                "GET", MAPS + "?watch=1" + query, Map.of("authorization", "Bearer " + InMemory.TOKEN), new byte[0]);
        ApiResponse response = cluster.server().handle(request);
        assertThat(response.body()).as(query).isInstanceOf(ApiResponse.Events.class);
        return ((ApiResponse.Events) response.body()).stream();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "&resourceVersion=0"})
    void aWatchWithoutInitialEventsTellsOfChangesOnly(String version) {
        cluster.send("POST", MAPS, "metadata: {name: old}");
        try (WatchStream stream = watch("&sendInitialEvents=false&resourceVersionMatch=NotOlderThan" + version)) {
            assertThat(stream.take()).isEmpty();
            cluster.send("POST", MAPS, "metadata: {name: new}");
            assertThat(new String(stream.take().orElseThrow(), StandardCharsets.UTF_8))
                    .contains("\"ADDED\"", "\"new\"")
                    .doesNotContain("\"old\"");
        }
    }

    @Test
    void aWatchWithoutInitialEventsGoesOnFromItsVersion() {
        String version =
                Json.string(cluster.json("POST", MAPS, "metadata: {name: old}"), "metadata", "resourceVersion");
        cluster.send("POST", MAPS, "metadata: {name: new}");
        try (WatchStream stream =
                watch("&sendInitialEvents=false&resourceVersionMatch=NotOlderThan&resourceVersion=" + version)) {
            assertThat(new String(stream.take().orElseThrow(), StandardCharsets.UTF_8))
                    .contains("\"new\"")
                    .doesNotContain("\"old\"");
        }
    }

    /** A client that has it of a server which has begun anew lists again. */
    @ParameterizedTest
    @CsvSource({"watch=1&resourceVersion=999999999, 504", "limit=1&continue=TOKEN, 500"})
    void whatIsToComeIsRefused(String query, int status) {
        String token = new ContinueToken(999_999_999, "default/a").toString();
        ApiResponse response = cluster.send("GET", MAPS + "?" + query.replace("TOKEN", token), "");
        assertThat(response.status()).isEqualTo(status);
    }
}
