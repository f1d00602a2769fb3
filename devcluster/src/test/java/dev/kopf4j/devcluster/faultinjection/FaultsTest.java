package dev.kopf4j.devcluster.faultinjection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.devcluster.ApiServer;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.WatchStream;
import dev.kopf4j.devcluster.conformance.VirtualTime;
import dev.kopf4j.devcluster.json.Json;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

@Timeout(60)
class FaultsTest {
    private static final String MAPS = "/api/v1/namespaces/default/configmaps";

    private final VirtualTime time = new VirtualTime();
    private final Faults faults = new Faults(1);
    private final ApiServer server = new ApiServer(
            Options.defaults().clock(time).random(new Random(1)).faults(faults).faultControl(true), time, "token");

    private ApiResponse send(String method, String target, String body) {
        ApiResponse response =
                server.handle(ApiRequest.of(method, target, Map.of(), body.getBytes(StandardCharsets.UTF_8)));
        time.settle();
        return response;
    }

    private ApiResponse create(String name) {
        return send("POST", MAPS, "{\"metadata\":{\"name\":\"" + name + "\"}}");
    }

    private static String text(ApiResponse response) {
        return new String(((ApiResponse.Whole) response.body()).bytes(), StandardCharsets.UTF_8);
    }

    private WatchStream watch() {
        return ((ApiResponse.Events) send("GET", MAPS + "?watch=true", "").body()).stream();
    }

    /** What has come: type and name of each event. */
    private static List<String> events(WatchStream stream) {
        List<String> events = new ArrayList<>();
        for (Optional<byte[]> lines = stream.take(); lines.isPresent(); lines = stream.take()) {
            new String(lines.get(), StandardCharsets.UTF_8).lines().forEach(line -> {
                JsonNode event = Json.parse(line);
                events.add(Json.string(event, "type") + " " + Json.string(event, "object", "metadata", "name"));
            });
        }
        return events;
    }

    @Test
    void refusesWithStatusAndRetryAfterAndDoesNothing() {
        faults.add("x1 POST /api/v1/namespaces/*/configmaps 429 7s");
        ApiResponse refused = create("a");
        assertThat(refused.status()).isEqualTo(429);
        assertThat(refused.headers()).contains(new ApiResponse.Header("Retry-After", "7"));
        assertThat(Json.parse(text(refused))
                        .path("details")
                        .path("retryAfterSeconds")
                        .intValue())
                .isEqualTo(7);
        assertThat(send("GET", MAPS + "/a", "").status()).isEqualTo(404);
        assertThat(create("a").status()).isEqualTo(201);
        assertThat(faults.rules()).isEmpty();
    }

    @Test
    void breaksConnectionsBeforeOrAfterTheWork() {
        faults.add("x1 POST ** reset");
        assertThat(create("a").body()).isInstanceOf(ApiResponse.Broken.class);
        assertThat(send("GET", MAPS + "/a", "").status()).isEqualTo(404);
        faults.add("x1 POST ** reset-after");
        assertThat(create("a").body()).isInstanceOf(ApiResponse.Broken.class);
        assertThat(send("GET", MAPS + "/a", "").status()).isEqualTo(200);
    }

    @Test
    void delaysAnswersWithinTheBounds() {
        faults.add("* ** latency 10ms 20ms");
        for (int count = 0; count < 50; count++) {
            assertThat(send("GET", MAPS, "").delay()).isBetween(Duration.ofMillis(10), Duration.ofMillis(20));
        }
    }

    @Test
    void happensAsOftenAsItIsProbableAndTheSameBySeed() {
        List<Integer> first = outcomes(new Faults(7).add("25% GET ** 503"));
        assertThat(outcomes(new Faults(7).add("25% GET ** 503"))).isEqualTo(first);
        assertThat(first.stream().filter(status -> status == 503).count()).isBetween(70L, 130L);
    }

    private List<Integer> outcomes(Faults rules) {
        ApiServer other = new ApiServer(Options.defaults().clock(time).faults(rules), time, "token");
        List<Integer> outcomes = new ArrayList<>();
        for (int count = 0; count < 400; count++) {
            outcomes.add(other.handle(ApiRequest.of("GET", MAPS, Map.of(), new byte[0]))
                    .status());
        }
        return outcomes;
    }

    @Test
    void cutsAWatchSilently() {
        faults.add("WATCH ** silence 5s");
        try (WatchStream stream = watch()) {
            create("a");
            assertThat(events(stream)).containsExactly("ADDED a");
            time.advance(Duration.ofSeconds(6));
            create("b");
            time.advance(Duration.ofHours(3));
            assertThat(events(stream)).isEmpty();
            assertThat(stream.ended()).isFalse();
        }
    }

    @Test
    void stallsAWatchAndThenTellsWhatWasMissed() {
        faults.add("WATCH ** stall 5s 10s");
        try (WatchStream stream = watch()) {
            time.advance(Duration.ofSeconds(6));
            create("a");
            create("b");
            assertThat(events(stream)).isEmpty();
            time.advance(Duration.ofSeconds(10));
            assertThat(events(stream)).containsExactly("ADDED a", "ADDED b");
        }
    }

    @Test
    void tellsSomeEventsTwice() {
        faults.add("WATCH ** duplicates");
        try (WatchStream stream = watch()) {
            for (int count = 0; count < 20; count++) {
                create("a" + count);
            }
            List<String> events = events(stream);
            assertThat(events).hasSizeBetween(22, 38);
            assertThat(events.stream().distinct()).hasSize(20);
        }
    }

    @Test
    void tellsEventsLaterButInOrder() {
        faults.add("WATCH ** delays 2s");
        try (WatchStream stream = watch()) {
            create("a");
            assertThat(events(stream)).isEmpty();
            create("b");
            time.advance(Duration.ofSeconds(2));
            List<String> seen = new ArrayList<>(events(stream));
            time.advance(Duration.ofSeconds(2));
            seen.addAll(events(stream));
            assertThat(seen).containsExactly("ADDED a", "ADDED b");
        }
    }

    @Test
    void makesVersionsTooOld() {
        faults.add("GET " + MAPS + " gone").add("WATCH " + MAPS + " gone 5s");
        assertThat(send("GET", MAPS, "").status()).isEqualTo(410);
        try (WatchStream stream = watch()) {
            time.advance(Duration.ofSeconds(6));
            assertThat(new String(stream.take().orElseThrow(), StandardCharsets.UTF_8))
                    .contains("\"type\":\"ERROR\"", "\"code\":410");
            assertThat(stream.ended()).isTrue();
        }
    }

    @Test
    void onlyListsFindTheirVersionsTooOld() {
        create("a");
        faults.add("* ** gone");
        assertThat(send("GET", MAPS + "/a", "").status()).isEqualTo(200);
        assertThat(create("b").status()).isEqualTo(201);
        assertThat(send("GET", "/api/v1/namespaces/default", "").status()).isEqualTo(200);
        assertThat(send("GET", "/api/v1/namespaces/default/status", "").status())
                .isEqualTo(200);
        assertThat(send("GET", "/apis/apps/v1", "").status()).isEqualTo(200);
        assertThat(send("GET", "/version", "").status()).isEqualTo(200);
        assertThat(send("GET", "/apis/apps/v1/", "").status()).isEqualTo(200);
        assertThat(send("GET", "/openapi/v3/api/v1", "").status()).isEqualTo(200);
        assertThat(send("GET", "/api/v1/namespaces", "").status()).isEqualTo(410);
        assertThat(send("GET", "/apis/apps/v1/deployments", "").status()).isEqualTo(410);
        assertThat(send("DELETE", MAPS, "").status()).isEqualTo(200);
    }

    @Test
    void setsTheClockWrong() {
        faults.clockOffset(Duration.ofHours(-1));
        JsonNode created = Json.parse(text(create("a")));
        assertThat(Json.string(created, "metadata", "creationTimestamp"))
                .isEqualTo(time.instant()
                        .minusSeconds(3600)
                        .truncatedTo(java.time.temporal.ChronoUnit.SECONDS)
                        .toString());
    }

    @Test
    void isSetOverHttpWhereThatIsAllowed() {
        assertThat(text(send("POST", "/devcluster/faults", "50% GET /api/** 503\nclock -5s\n")))
                .isEqualTo("50.0% GET /api/** 503\n");
        assertThat(faults.clockOffset()).isEqualTo(Duration.ofSeconds(-5));
        assertThat(send("POST", "/devcluster/faults", "GET /x 503\nnonsense").status())
                .isEqualTo(400);
        assertThat(faults.rules()).hasSize(1);
        assertThat(send("DELETE", "/devcluster/faults", "").status()).isEqualTo(200);
        assertThat(faults.rules()).isEmpty();
        ApiServer closed = new ApiServer(Options.defaults().clock(time), time, "token");
        assertThat(closed.handle(ApiRequest.of("GET", "/devcluster/faults", Map.of(), new byte[0]))
                        .status())
                .isEqualTo(404);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "12.5% x3 PATCH /apis/kopf.dev/** latency 10ms 1s",
                "* ** 429 1s",
                "GET /api/v1/pods 500",
                "POST ** reset",
                "POST ** reset-after",
                "WATCH ** silence 5s",
                "WATCH ** stall 5s 10s",
                "WATCH ** duplicates",
                "WATCH ** delays 1m",
                "WATCH ** gone 2h"
            })
    void readsWhatItWrites(String rule) {
        FaultRule read = FaultRule.parse(rule);
        assertThat(FaultRule.parse(read.toString())).isEqualTo(read);
    }

    @Test
    void methodsMakeTheRuleThatTheTextMakes() {
        FaultRule made = FaultRule.of("PATCH", "/apis/kopf.dev/**", new Fault.Reset(true))
                .withProbability(0.125)
                .atMost(3);
        assertThat(made).isEqualTo(FaultRule.parse("12.5% x3 PATCH /apis/kopf.dev/** reset-after"));
        assertThatThrownBy(() -> made.withProbability(0)).hasMessageContaining("not 0.0");
        assertThatThrownBy(() -> made.atMost(0)).hasMessageContaining("not 0 times");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "GET",
                "GET /x",
                "GET /x nonsense",
                "GET /x latency",
                "GET /x 200",
                "0% GET /x 500",
                "GET /x 500 1s 2s",
                "GET /x latency 2s 1s",
                "GET /x latency 5",
                "GET /x latency 2401h",
                "WATCH /x delays 999999999h"
            })
    void refusesNonsenseWithWhatIsPossible(String rule) {
        assertThatThrownBy(() -> FaultRule.parse(rule))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("'" + rule + "' is not a fault rule: ")
                .hasMessageContaining("a rule is [N%]");
    }

    @Test
    void reachesClientsOverSockets() throws IOException, InterruptedException {
        try (DevCluster cluster = DevCluster.start();
                HttpClient client = HttpClient.newHttpClient()) {
            HttpRequest request =
                    HttpRequest.newBuilder(URI.create(cluster.url() + MAPS)).build();
            cluster.faults()
                    .add(FaultRule.of("GET", MAPS, new Fault.Reset(false)).atMost(2));
            assertThatThrownBy(() -> client.send(request, BodyHandlers.ofString()))
                    .isInstanceOf(IOException.class);
            cluster.faults().clear();
            assertThat(client.send(request, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
            cluster.faults().add("GET ** latency 200ms");
            long start = System.nanoTime();
            assertThat(client.send(request, BodyHandlers.ofString()).statusCode())
                    .isEqualTo(200);
            assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThanOrEqualTo(Duration.ofMillis(200));
        }
    }
}
