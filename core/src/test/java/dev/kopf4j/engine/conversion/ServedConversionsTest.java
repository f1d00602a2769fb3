package dev.kopf4j.engine.conversion;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Spec;
import dev.kopf4j.engine.admission.server.ServerBench;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.webhook.WebhookClientConfig;
import dev.kopf4j.webhook.WebhookRequest;
import dev.kopf4j.webhook.WebhookServer;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** When conversions are answered, and what becomes of requests that are none. */
class ServedConversionsTest {
    private static final String NAME = "widgets.example.com";
    private static final byte[] REVIEW = Json.bytes(Scenario.json("""
            {'apiVersion': 'apiextensions.k8s.io/v1', 'kind': 'ConversionReview', 'request': {'uid': 'request-1',
             'desiredAPIVersion': 'example.com/v2', 'objects': [{'apiVersion': 'example.com/v1', 'kind': 'Widget',
              'metadata': {'name': 'a', 'uid': 'u', 'annotations': {'k': 'v'}}, 'spec': {'size': 3}}]}}"""));

    private final SimulatedPlatform world = new SimulatedPlatform(0, Scenario.START);
    private final TinyCluster cluster = new TinyCluster()
            .serving("example.com", "widgets", "Widget", true)
            .serving("coordination.k8s.io", "leases", "Lease", true);
    private final Map<String, WebhookServer.WebhookContext> contexts = new LinkedHashMap<>();
    private final List<String> early = new ArrayList<>();
    private final List<String> handled = new ArrayList<>();

    private void start(String replica) {
        SimulatedOperator.start(
                world,
                cluster.transport(replica, world),
                builder -> builder.clusterwide()
                        .settings(s -> {
                            s.leaderElection().enabled(true).identity(replica);
                            s.admission().server(context -> serve(replica, context));
                        })
                        .onCreate("widgets", "made", context -> handled.add(replica))
                        .onConvert(NAME, "v1", "v2", Spec.class, spec -> spec)
                        .onConvert(NAME, "v2", "v1", Spec.class, spec -> spec));
        world.runFor(Duration.ofSeconds(5));
    }

    private void serve(String replica, WebhookServer.WebhookContext context) throws InterruptedException {
        contexts.put(replica, context);
        early.add(ask(context) + " after " + cluster.lists("widgets") + " lists of widgets");
        context.publish(WebhookClientConfig.url("https://" + replica + ".example.com"));
        world.monitor().awaitTrue(() -> false, Deadline.NEVER);
    }

    private static String ask(WebhookServer.WebhookContext context) throws InterruptedException {
        WebhookRequest request = WebhookRequest.of(REVIEW).forHandler("convert/" + NAME);
        return Json.parseObject(context.answer(request).body())
                .at("/response/convertedObjects/0/apiVersion")
                .asString();
    }

    @Test
    @Tag("J29")
    void everyReplicaAnswersBeforeItWatchesAndWhetherItLeadsOrNot() {
        start("one");
        start("two");
        assertThat(early.getFirst()).isEqualTo("example.com/v2 after 0 lists of widgets");
        cluster.put("widgets", "ns", "a", "{'spec': {}}");
        world.runFor(Duration.ofSeconds(5));
        assertThat(handled).as("only one leads").containsExactly("one");
        List<String> answers = new ArrayList<>();
        world.spawn("api server", () -> {
            for (WebhookServer.WebhookContext each : contexts.values()) {
                try {
                    answers.add(ask(each));
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            }
        });
        world.runFor(Duration.ofSeconds(1));
        assertThat(answers).containsExactly("example.com/v2", "example.com/v2");
    }

    /** A seeded fuzz of bytes: whatever comes, the answer is an HTTP error in words or a review. */
    @Test
    @Tag("J29")
    void hostileReviewsAreErrorsInWordsAndTheServerGoesOn() throws Exception {
        long seed = new Random().nextLong();
        Random random = new Random(seed);
        ConversionReviews reviews = reviews();
        try (ServerBench bench =
                new ServerBench(WebhookServer.local().address("127.0.0.1"), request -> reviews.answer(request))) {
            WebhookClientConfig config = bench.nextConfig();
            HttpClient client = ServerBench.client(config.caBundle().orElseThrow());
            String url = ServerBench.url(config) + "/convert/" + NAME;
            for (int i = 0; i < 300; i++) {
                byte[] body = disturbed(random);
                HttpResponse<String> response = ServerBench.post(client, url, body);
                String what =
                        "seed " + seed + ": " + new String(body, StandardCharsets.UTF_8) + " gave " + response.body();
                assertThat(response.statusCode()).as(what).isIn(200, 400, 404);
                assertThat(response.body()).as(what).doesNotContain("\tat ", "dev.kopf4j.engine");
                if (response.statusCode() == 200) {
                    JsonNode result = Json.parseObject(response.body().getBytes(StandardCharsets.UTF_8))
                            .at("/response/result/status");
                    assertThat(result.asString()).as(what).isIn("Success", "Failed");
                }
            }
            assertThat(ServerBench.post(client, url, REVIEW).body()).contains("\"status\":\"Success\"");
            assertThat(ServerBench.post(client, url + ".other", REVIEW).statusCode())
                    .isEqualTo(404);
        }
    }

    private static ConversionReviews reviews() {
        return new ConversionReviews(
                List.of(new ConversionFunction(
                        NAME,
                        "v1",
                        "v2",
                        ConversionFunction.Part.SPEC,
                        new ConversionFunction.Code(Spec.class, false, "up", (spec, body) -> spec))),
                List.of("kopf.zalando.org"));
    }

    /** The review with some bytes changed, left out, repeated, or replaced by what is deep. */
    private static byte[] disturbed(Random random) {
        String text = new String(REVIEW, StandardCharsets.UTF_8);
        int at = random.nextInt(text.length());
        int to = Math.min(text.length(), at + random.nextInt(20));
        String instead = switch (random.nextInt(5)) {
            case 0 -> "";
            case 1 -> text.substring(at, to).repeat(2);
            case 2 -> "[".repeat(random.nextInt(5_000));
            case 3 ->
                List.of("null", "\"\"", "{}", "[]", "1e999", "true", "\"\\ud800\"")
                        .get(random.nextInt(7));
            default -> String.valueOf((char) random.nextInt(0x2000));
        };
        return (text.substring(0, at) + instead + text.substring(to)).getBytes(StandardCharsets.UTF_8);
    }
}
