package dev.kopf4j.engine.queueing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Handler;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Many objects behind slow requests: the stream is held up, and the events of the operator's own changes come late.
 * They come all the same, so that nobody asks for them. Tests {@link KnownObjects.StreamPosition}, and
 * {@code ConsistencyCheck} on a running operator.
 */
class FullBacklogTest {
    private static final int OBJECTS = 500;

    private final SimulatedPlatform platform = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private FakeApiServer server = new FakeApiServer(platform, false);

    private static ObjectNode example(int number) {
        return Json.parseObject(("{\"kind\":\"KopfExample\",\"metadata\":{\"name\":\"x%1$s\",\"namespace\":\"ns\","
                        + "\"uid\":\"u%1$s\"},\"spec\":{\"a\":%1$s}}")
                .formatted(number)
                .getBytes(StandardCharsets.UTF_8));
    }

    /** Each PATCH takes two seconds, so that the objects take 50 seconds for each of theirs. */
    private void slowPatches() {
        server.faults(new FakeApiServer.Faults() {
            @Override
            public void before(TransportRequest request) {
                if (request.method().equals("PATCH")) {
                    try {
                        platform.sleep(Duration.ofSeconds(2));
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                }
            }
        });
    }

    private void storm(UnaryOperator<OperatorBuilder> handlers) {
        slowPatches();
        try (OperatorHandle operator = SimulatedOperator.start(
                platform,
                server,
                builder -> handlers.apply(builder.settings(s -> s.queueing().workersAtWork(20)))
                        .onDelete("kopfexamples", "delete_fn", context -> null))) {
            platform.runFor(Duration.ofSeconds(1));
            IntStream.range(0, OBJECTS).forEach(number -> server.create(example(number)));
            platform.runFor(Duration.ofSeconds(60));
            // Somebody changes them while they are being handled.
            IntStream.range(0, OBJECTS).forEach(number -> server.change("x" + number, "spec.b", number));
            platform.runFor(Duration.ofMinutes(30));
            operator.stop();
            platform.runFor(Duration.ofMinutes(1));
        }
        assertThat(platform.describeTasks()).isEmpty();
    }

    private List<String> idlePatches() {
        return server.patches().stream()
                .filter(request -> changesNothing(request.body()))
                .map(FakeApiServer.Request::path)
                .toList();
    }

    private static boolean changesNothing(JsonNode body) {
        return body.isObject()
                && body.size() == 1
                && body.path("metadata").size()
                        == body.path("metadata").propertyNames().stream()
                                .filter(List.of("uid", "resourceVersion")::contains)
                                .count();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("B15")
    void nobodyAsksForWhatComesByItself(boolean statusSubresource) {
        server = new FakeApiServer(platform, statusSubresource);
        Handler seen = context -> Map.of("b", context.spec().getInt("b", -1));
        storm(builder ->
                builder.onCreate("kopfexamples", "create_fn", seen).onUpdate("kopfexamples", "update_fn", seen));
        assertThat(IntStream.range(0, OBJECTS))
                .allMatch(number -> server.object("x" + number)
                        .path("status")
                        .propertyStream()
                        .anyMatch(result -> result.getValue().path("b").asInt() == number));
        assertThat(server.patches()).hasSizeGreaterThan(2 * OBJECTS);
        // What somebody else has changed meanwhile is asked for once: the status is merged into it.
        assertThat(idlePatches()).hasSize(server.conflicts());
        assertThat(server.conflicts() > 0).isEqualTo(statusSubresource);
    }

    @Test
    @Tag("B15")
    void conflictsWaitForTheStateThatComesByItself() {
        storm(builder -> builder.onCreate("kopfexamples", "create_fn", context -> {
            context.patch().transform(body -> body.put("touched", true));
            return null;
        }));
        assertThat(IntStream.range(0, OBJECTS))
                .allMatch(number -> server.object("x" + number).has("touched"));
        assertThat(idlePatches()).isEmpty();
    }
}
