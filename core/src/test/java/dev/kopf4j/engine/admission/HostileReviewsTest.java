package dev.kopf4j.engine.admission;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.AdmissionException;
import dev.kopf4j.AdmissionRequest;
import dev.kopf4j.AuditAnnotations;
import dev.kopf4j.Body;
import dev.kopf4j.Diff;
import dev.kopf4j.Meta;
import dev.kopf4j.OnMutate;
import dev.kopf4j.OnValidate;
import dev.kopf4j.Patch;
import dev.kopf4j.Spec;
import dev.kopf4j.UserInfo;
import dev.kopf4j.Warnings;
import dev.kopf4j.engine.admission.server.ServerBench;
import dev.kopf4j.json.Json;
import dev.kopf4j.webhook.WebhookClientConfig;
import dev.kopf4j.webhook.WebhookException;
import dev.kopf4j.webhook.WebhookRequest;
import dev.kopf4j.webhook.WebhookResponse;
import dev.kopf4j.webhook.WebhookServer;
import java.net.http.HttpClient;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Asks a running operator what no API server would ask. The seed is in the message of a failure. */
class HostileReviewsTest {
    private static final int REVIEWS = 4000;
    private static final List<Integer> STATUSES = List.of(400, 404, 409);

    /** Looks at all that there is. */
    static class Curious {
        record Wanted(int size, @Nullable List<Map<String, String>> list) {}

        @OnValidate(value = "kopfexamples", subresource = "*")
        void typed(Wanted spec, Warnings warnings, AuditAnnotations annotations) {
            warnings.add("size " + spec.size());
            annotations.put("size", "s" + spec.size());
        }

        @OnValidate(value = "kopfexamples", labels = "a=b", annotations = "c=d")
        void labelled(String name, @Nullable Body oldValue, @Nullable Body newValue, Diff diff, Warnings warnings) {
            warnings.add(name + diff + oldValue + newValue);
        }

        @OnValidate(value = "kopfexamples", field = "spec.size")
        void field(AdmissionRequest request, UserInfo user, boolean dryRun, Warnings warnings) {
            warnings.add(request.uid() + request.options() + user.groups() + user.extra() + dryRun);
        }

        @OnMutate("kopfexamples")
        void mark(Spec spec, Meta meta, Patch patch) {
            patch.set("metadata.labels.marked", "yes");
            patch.set(
                    "spec.list", spec.has("list") ? null : List.of(meta.labels().size()));
            patch.transform(body -> body.put("added", true));
        }
    }

    @Test
    @Tag("J21")
    void whateverComesIsAnsweredOrRefusedInWords() {
        long seed = new Random().nextLong();
        HostileReviews reviews = new HostileReviews(seed);
        Random random = new Random(seed);
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.handlers(new Curious()));
        for (int number = 0; number < REVIEWS; number++) {
            byte[] review = reviews.next();
            WebhookRequest request = WebhookRequest.of(review);
            assertAnswered(webhooks, random.nextBoolean() ? request : request.forHandler("typed"), seed, number);
        }
        assertThat(webhooks.ask(TestedWebhooks.creation("{'size': 1}"))
                        .path("allowed")
                        .asBoolean())
                .isTrue();
    }

    private static void assertAnswered(TestedWebhooks webhooks, WebhookRequest request, long seed, int number) {
        try {
            JsonNode response = webhooks.ask(request);
            assertThat(response.path("allowed").isBoolean())
                    .as("seed %d, review %d", seed, number)
                    .isTrue();
            HostileAnswers.assertHarmless(Json.text(response), seed);
        } catch (WebhookException e) {
            assertThat(e.status()).as("seed %d, review %d", seed, number).isIn(STATUSES);
            HostileAnswers.assertHarmless(Objects.requireNonNull(e.getMessage()), seed);
        }
    }

    private static final List<String> PATHS = List.of(
            "/typed",
            "/labelled",
            "/mark/spec.size",
            "/nosuch",
            "/",
            "",
            "//typed",
            "/../typed",
            "/typed/../../etc/passwd",
            "/%2e%2e/typed",
            "/typed%00",
            "/%ff",
            "/typed?a=b&c=",
            "/" + "x".repeat(5000));

    /** The same through HTTPS, over kept-alive connections, at all sorts of paths. */
    @Test
    @Tag("J13")
    @Tag("J21")
    void theServerServesOnWhateverComes() throws Exception {
        long seed = new Random().nextLong();
        HostileReviews reviews = new HostileReviews(seed);
        Random random = new Random(seed);
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.handlers(new Curious()));
        ServerBench.Answer answer = request -> new WebhookResponse(Json.bytes(webhooks.answer(request)));
        try (ServerBench bench = new ServerBench(WebhookServer.local().address("127.0.0.1"), answer)) {
            WebhookClientConfig config = bench.nextConfig();
            HttpClient client = ServerBench.client(config.caBundle().orElseThrow());
            for (int number = 0; number < 500; number++) {
                String url = ServerBench.url(config) + PATHS.get(random.nextInt(PATHS.size()));
                HttpResponse<String> response = ServerBench.post(client, url, reviews.next());
                assertThat(response.statusCode()).as("seed %d", seed).isIn(200, 400, 404, 409);
                HostileAnswers.assertHarmless(response.body(), seed);
            }
            byte[] good = Json.bytes(TestedWebhooks.creation("{'size': 1}"));
            HttpResponse<String> response = ServerBench.post(client, ServerBench.url(config) + "/typed", good);
            assertThat(Json.parse(response.body()).at("/response/allowed").asBoolean())
                    .isTrue();
        }
    }

    @ParameterizedTest(name = "{0}")
    @Tag("J21")
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            deep        | the body is no JSON: not valid JSON: it has more than 10000 levels
            long        | the body is no JSON object; POST an AdmissionReview
            no UTF-32   | the body is no JSON: not valid JSON: its bytes are no text in UTF-8
            no UTF-8    | the body is no JSON: not valid JSON at line 1, column 3: Invalid UTF-8
            nothing     | the body is no JSON: expected a JSON value, but the text is empty
            [1,         | the body is no JSON: not valid JSON at line 1, column 4: it ends too early
            {"a": NaN}  | the body is no JSON: not valid JSON at line 1, column 10: unexpected word 'NaN'
            {"a": tru}  | the body is no JSON: not valid JSON at line 1, column 7: unexpected word 'tru'
            {a: 1}      | the body is no JSON: not valid JSON at line 1, column 2: unexpected character 'a'
            []]         | the body is no JSON: not valid JSON at line 1, column 3: unexpected character ']'
            [+1]        | the body is no JSON: not valid JSON at line 1, column 3: unexpected character '+'
            [01]        | the body is no JSON: not valid JSON at line 1, column 3: this is no number
            ["\\x"]      | the body is no JSON: not valid JSON at line 1, column 4: there is no such escape in a text
            /**/1       | the body is no JSON: not valid JSON at line 1, column 1: unexpected character '/'
            """)
    void whatIsNoJsonIsRefusedWithoutNamesOfClasses(String what, String message) {
        byte[] body = switch (what) {
            case "deep" -> "[".repeat(100_000).getBytes(StandardCharsets.UTF_8);
            case "long" -> "9".repeat(2000).getBytes(StandardCharsets.UTF_8);
            case "no UTF-32" -> new byte[] {0, 0, 0, '[', 0x7f, (byte) 0xff, (byte) 0xff, (byte) 0xff};
            case "no UTF-8" -> new byte[] {'"', (byte) 0xff, '"'};
            case "nothing" -> new byte[0];
            default -> what.getBytes(StandardCharsets.UTF_8);
        };
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.handlers(new Curious()));
        assertThatThrownBy(() -> webhooks.ask(WebhookRequest.of(body)))
                .isInstanceOf(WebhookException.class)
                .hasMessageStartingWith(message)
                .satisfies(refusal -> HostileAnswers.assertHarmless(String.valueOf(refusal.getMessage()), 0));
    }

    @Test
    @Tag("J21")
    void whoeverAppliesWhatDoesNotFitIsToldWhereAndNotByWhichClass() {
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.handlers(new Curious()));
        JsonNode response = webhooks.ask(TestedWebhooks.creation("{'size': 'x'}"));
        assertThat(response.at("/status/message").asString())
                .isEqualTo(
                        "spec of KopfExample ns/x does not fit Wanted: size: expected int, but found the string \"x\"");
    }

    /** The code of a transformation runs after the handler, but is the handler's all the same. */
    @ParameterizedTest
    @Tag("J21")
    @CsvSource({"true, Not so., 409", "false, a change cannot be made; the operator's log says why, 500"})
    void aTransformationThatFailsRefusesTheRequest(boolean inWords, String message, int code) {
        TestedWebhooks webhooks = new TestedWebhooks(builder -> builder.onMutate("kopfexamples", "broken", context -> {
            context.patch().set("spec.added", 1);
            context.patch().transform(body -> {
                throw inWords ? new AdmissionException("Not so.", 409) : new IllegalStateException("the password");
            });
            return null;
        }));
        JsonNode response = webhooks.ask(TestedWebhooks.creation("{'size': 1}"));
        assertThat(response.path("allowed").asBoolean()).isFalse();
        assertThat(response.path("status"))
                .isEqualTo(Json.object().put("message", message).put("code", code));
        assertThat(response.has("patch")).isFalse();
    }
}
