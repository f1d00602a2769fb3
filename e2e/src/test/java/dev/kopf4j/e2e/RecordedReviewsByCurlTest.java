package dev.kopf4j.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.AdmissionException;
import dev.kopf4j.AdmissionRequest;
import dev.kopf4j.Body;
import dev.kopf4j.OnMutate;
import dev.kopf4j.OnValidate;
import dev.kopf4j.Patch;
import dev.kopf4j.Warnings;
import dev.kopf4j.testing.OperatorRunner;
import dev.kopf4j.webhook.WebhookClientConfig;
import dev.kopf4j.webhook.WebhookServer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What a real API server has sent to webhooks, posted by {@code curl} to an operator that runs. */
class RecordedReviewsByCurlTest {
    private static final String REVIEWS = "core/src/test/resources/dev/kopf4j/engine/admission/recorded-reviews.json";
    private static final JsonMapper JSON = JsonMapper.shared();

    @TempDir
    private Path home;

    /** Says what it was asked, and refuses objects named {@code two}. */
    static class Rules {
        @OnValidate(value = "kopfexamples", subresource = "*")
        void examples(AdmissionRequest request, Body body, Warnings warnings) {
            check(request, body, warnings);
        }

        @OnValidate(value = "pods", subresource = "*")
        void pods(AdmissionRequest request, Body body, Warnings warnings) {
            check(request, body, warnings);
        }

        @OnValidate(value = "deployments", subresource = "*")
        void deployments(AdmissionRequest request, Body body, Warnings warnings) {
            check(request, body, warnings);
        }

        @OnValidate("configmaps")
        void configmaps(AdmissionRequest request, Body body, Warnings warnings) {
            check(request, body, warnings);
        }

        private static void check(AdmissionRequest request, Body body, Warnings warnings) {
            warnings.add(request.operation() + " " + request.subresource().orElse("itself") + " "
                    + request.userInfo().username() + (request.isDryRun() ? " dry" : ""));
            if (body.getString("metadata.name", "").equals("two")) {
                throw new AdmissionException("No second one.", 422);
            }
        }

        @OnMutate("kopfexamples")
        void mark(Patch patch) {
            patch.set("metadata.labels.marked", "yes");
        }
    }

    private OperatorRunner start(CompletableFuture<String> url, Path authority) {
        WebhookServer local = WebhookServer.local().caDump(authority);
        return OperatorRunner.start(
                TestCluster.manifest("examples/01-minimal/crd.yaml"),
                builder -> builder.clusterwide()
                        .handlers(new Rules())
                        .settings(settings -> settings.admission()
                                .server(context -> context.serve(local, config -> {
                                    context.publish(config);
                                    url.complete(((WebhookClientConfig.Url) config).url());
                                }))));
    }

    @Test
    @Tag("J01")
    @Tag("J02")
    @Tag("J13")
    @Tag("J21")
    void allAreAnswered() throws Exception {
        Curl.require();
        Path authority = home.resolve("ca.pem");
        CompletableFuture<String> published = new CompletableFuture<>();
        try (OperatorRunner runner = start(published, authority)) {
            assertThat(runner.operator()).isNotNull();
            String url = published.get(Kopf4j.PATIENCE.toSeconds(), TimeUnit.SECONDS);
            Curl curl = new Curl(home, authority);
            JsonNode reviews = JSON.readTree(TestCluster.manifest(REVIEWS));
            assertThat(reviews).hasSizeGreaterThan(20);
            for (JsonNode review : reviews) {
                Path file = TextFile.write(home.resolve("review.json"), review.toString());
                assertChecked(review, curl.post(url + "/" + handler(review), file));
                assertMarked(review, curl.post(url + "/mark", file));
            }
            assertRefused(curl, url);
        }
    }

    private static String handler(JsonNode review) {
        String resource = review.at("/request/resource/resource").stringValue();
        return resource.equals("kopfexamples") ? "examples" : resource;
    }

    private static JsonNode answer(String printed) {
        List<String> lines = printed.lines().toList();
        assertThat(lines.getLast()).as("%s", printed).isEqualTo("200");
        return JSON.readTree(String.join("\n", lines.subList(0, lines.size() - 1)));
    }

    private static void assertChecked(JsonNode review, String printed) {
        JsonNode answer = answer(printed);
        JsonNode request = review.path("request");
        assertThat(answer.path("apiVersion")).isEqualTo(review.path("apiVersion"));
        assertThat(answer.path("kind")).isEqualTo(review.path("kind"));
        assertThat(answer.at("/response/uid")).isEqualTo(request.path("uid"));
        assertThat(answer.at("/response/warnings/0").stringValue())
                .isEqualTo(request.path("operation").stringValue() + " "
                        + request.path("subResource").stringValue("itself") + " "
                        + request.at("/userInfo/username").stringValue()
                        + (request.path("dryRun").booleanValue() ? " dry" : ""));
        boolean allowed = !request.path("name").stringValue("").equals("two");
        assertThat(answer.at("/response/allowed").booleanValue())
                .as("%s", review)
                .isEqualTo(allowed);
        assertThat(answer.at("/response/status/code").asInt(0)).isEqualTo(allowed ? 0 : 422);
    }

    /**
     * The mutating handler is for examples only, and not for their subresources or deletions. What it is asked of other
     * resources is not let pass: another version of it may check them.
     */
    private static void assertMarked(JsonNode review, String printed) {
        if (!handler(review).equals("examples")) {
            assertThat(printed).contains("is not for the resource").endsWith("404");
            return;
        }
        JsonNode answer = answer(printed);
        JsonNode request = review.path("request");
        boolean asked = !request.path("operation").stringValue().equals("DELETE") && !request.has("subResource");
        String patch = answer.at("/response/patch").stringValue("");
        assertThat(patch.isEmpty()).as("%s", review).isEqualTo(!asked);
        if (asked) {
            String operations = new String(Base64.getDecoder().decode(patch), StandardCharsets.UTF_8);
            assertThat(operations).contains("/metadata/labels").contains("marked");
            assertThat(answer.at("/response/patchType").stringValue()).isEqualTo("JSONPatch");
        }
    }

    private void assertRefused(Curl curl, String url) {
        assertThat(curl.run(url + "/examples").lines()).endsWith("405");
        Path nonsense = TextFile.write(home.resolve("nonsense.json"), "nonsense");
        assertThat(curl.post(url + "/examples", nonsense).lines()).endsWith("400");
        Path large = TextFile.write(home.resolve("large.json"), "x".repeat(7_400_000));
        assertThat(curl.post(url + "/examples", large).lines()).endsWith("413");
    }
}
