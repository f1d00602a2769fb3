package dev.kopf4j.engine.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.AdmissionException;
import dev.kopf4j.engine.admission.server.ServerBench;
import dev.kopf4j.json.Json;
import dev.kopf4j.webhook.WebhookClientConfig;
import dev.kopf4j.webhook.WebhookRequest;
import dev.kopf4j.webhook.WebhookResponse;
import dev.kopf4j.webhook.WebhookServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** Sends what a real API server has sent, over HTTPS, to handlers of one of the resources. */
class RecordedReviewsTest {
    private final TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.onValidate(
                    "kopfexamples", "check", handler -> handler.subresource("*"), context -> {
                        if (context.body().getString("metadata.name", "").equals("two")) {
                            throw new AdmissionException("No second one.", 422);
                        }
                        return null;
                    })
            .onMutate("kopfexamples", "mark", context -> {
                context.patch().set("metadata.labels.marked", "yes");
                return null;
            }));

    /** The simulated operator answers one request at a time. */
    private synchronized WebhookResponse answer(WebhookRequest request) {
        return new WebhookResponse(Json.bytes(webhooks.answer(request)));
    }

    private static JsonNode recorded() throws IOException {
        try (InputStream file =
                Objects.requireNonNull(RecordedReviewsTest.class.getResourceAsStream("recorded-reviews.json"))) {
            return Json.parse(new String(file.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    @Test
    @Tag("J01")
    @Tag("J02")
    @Tag("J21")
    void allReviewsOfARealServerAreAnswered() throws Exception {
        try (ServerBench bench = new ServerBench(WebhookServer.local().address("127.0.0.1"), this::answer)) {
            WebhookClientConfig config = bench.nextConfig();
            HttpClient client = ServerBench.client(config.caBundle().orElseThrow());
            JsonNode all = recorded();
            assertThat(all).hasSizeGreaterThan(20);
            for (JsonNode review : all) {
                String check = ServerBench.url(config.withPath("check"));
                assertCheck(review, ServerBench.post(client, check, Json.bytes(review)));
                String mark = ServerBench.url(config.withPath("mark"));
                assertMark(review, ServerBench.post(client, mark, Json.bytes(review)));
            }
        }
    }

    private static boolean isOurs(JsonNode review) {
        return review.at("/request/resource/resource").asString().equals("kopfexamples");
    }

    private static void assertCheck(JsonNode review, HttpResponse<String> response) {
        if (!isOurs(review)) {
            assertThat(response.statusCode()).as("%s", review).isEqualTo(404);
            return;
        }
        JsonNode answer = Json.parse(response.body());
        assertThat(answer.path("kind").asString()).isEqualTo("AdmissionReview");
        assertThat(answer.at("/response/uid")).isEqualTo(review.at("/request/uid"));
        boolean allowed = !review.at("/request/name").asString("").equals("two");
        assertThat(answer.at("/response/allowed").asBoolean()).as("%s", review).isEqualTo(allowed);
        assertThat(answer.at("/response/status/message").isMissingNode()).isEqualTo(allowed);
    }

    /** Mutating handlers are not asked about deletions, and this one not about subresources. */
    private static void assertMark(JsonNode review, HttpResponse<String> response) {
        if (!isOurs(review)) {
            assertThat(response.statusCode()).as("%s", review).isEqualTo(404);
            return;
        }
        JsonNode request = review.path("request");
        boolean asked = !request.path("operation").asString().equals("DELETE") && !request.has("subResource");
        JsonNode patch = Json.parse(response.body()).at("/response/patch");
        assertThat(patch.isMissingNode()).as("%s", review).isEqualTo(!asked);
    }
}
