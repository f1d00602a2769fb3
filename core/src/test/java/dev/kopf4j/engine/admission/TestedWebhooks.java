package dev.kopf4j.engine.admission;

import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonPatch;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.webhook.WebhookClientConfig;
import dev.kopf4j.webhook.WebhookRequest;
import dev.kopf4j.webhook.WebhookServer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** An operator with a webhook server of the test's own, by which the test asks in place of the API server. */
final class TestedWebhooks {
    final SimulatedPlatform world = new SimulatedPlatform(0, Scenario.START);
    final FakeApiServer server = new FakeApiServer(world, false);
    private final OperatorHandle operator;
    private WebhookServer.@Nullable WebhookContext context;

    TestedWebhooks(UnaryOperator<OperatorBuilder> handlers) {
        operator = SimulatedOperator.start(
                world,
                server,
                builder -> handlers.apply(builder.settings(s -> s.admission().server(this::serve))));
        world.runFor(Duration.ofSeconds(1));
    }

    private void serve(WebhookServer.WebhookContext offered) throws InterruptedException {
        context = offered;
        offered.publish(WebhookClientConfig.url("https://hooks.example.com/hooks"));
        world.monitor().awaitTrue(() -> false, Deadline.NEVER);
    }

    OperatorHandle operator() {
        return operator;
    }

    /** A review of the resource that the fake server serves. */
    static ObjectNode review(String operation, @Nullable String object, @Nullable String oldObject) {
        ObjectNode review = Scenario.json("""
                {"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
                 "uid": "request-1", "resource": {"group": "kopf.dev", "version": "v1", "resource": "kopfexamples"},
                 "userInfo": {"username": "admin", "uid": "u1", "groups": ["system:masters"], "extra": {"scopes": ["all"]}},
                 "options": {"kind": "CreateOptions", "fieldManager": "kubectl"}}}""");
        ObjectNode request = review.withObject("/request");
        request.put("operation", operation);
        request.set("object", object == null ? Json.mapper().nullNode() : Scenario.json(object));
        request.set("oldObject", oldObject == null ? Json.mapper().nullNode() : Scenario.json(oldObject));
        return review;
    }

    /** A review of an object that is about to be created. */
    static ObjectNode creation(String spec) {
        return review("CREATE", """
                {"apiVersion": "kopf.dev/v1", "kind": "KopfExample", "metadata": {"name": "x", "namespace": "ns"},
                 "spec": %s}""".formatted(spec), null);
    }

    /** The response to a review that all handlers are asked about. */
    JsonNode ask(ObjectNode review) {
        return ask(WebhookRequest.of(Json.bytes(review)));
    }

    /** The response to a request. */
    JsonNode ask(WebhookRequest request) {
        return answer(request).path("response");
    }

    /** The whole review that answers. */
    ObjectNode answer(WebhookRequest request) {
        return answers(List.of(request)).getFirst();
    }

    /** The whole reviews that answer, to requests that come at the same time. */
    List<ObjectNode> answers(List<WebhookRequest> requests) {
        byte[][] answers = new byte[requests.size()][];
        AtomicReference<RuntimeException> refusal = new AtomicReference<>();
        for (int i = 0; i < answers.length; i++) {
            int number = i;
            world.spawn("api server", () -> {
                try {
                    answers[number] = Objects.requireNonNull(context, "the server is not asked to serve")
                            .answer(requests.get(number))
                            .body();
                } catch (RuntimeException e) {
                    refusal.set(e);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }
        world.runFor(Duration.ofMinutes(1));
        RuntimeException refused = refusal.get();
        if (refused != null) {
            throw refused;
        }
        return Stream.of(answers).map(Json::parseObject).toList();
    }

    /** The object with the patch of a response. */
    static JsonNode patched(ObjectNode review, JsonNode response) {
        byte[] patch = Base64.getDecoder().decode(response.path("patch").asString());
        return JsonPatch.apply(
                review.at("/request/object"),
                (ArrayNode) Json.parse(new String(patch, StandardCharsets.UTF_8)),
                kept -> kept);
    }
}
