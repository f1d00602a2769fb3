package dev.kopf4j.engine.queueing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Handler;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Locale;
import java.util.Map;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/**
 * Many objects at once: each is handled with one request, whether its handler is quick or slow, and whether requests
 * fail. Tests {@link WorkerPool} and {@code ProgressCheckpoint}.
 */
class ManyObjectsTest {
    private static final int OBJECTS = 300;

    private final SimulatedPlatform platform = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final FakeApiServer server = new FakeApiServer(platform, false);

    private static ObjectNode example(int number) {
        String text = String.format(
                Locale.ROOT,
                "{\"kind\":\"KopfExample\",\"metadata\":{\"name\":\"x%1$d\",\"namespace\":\"ns\",\"uid\":\"u%1$d\"},"
                        + "\"spec\":{\"a\":%1$d}}",
                number);
        return Json.parseObject(text.getBytes(StandardCharsets.UTF_8));
    }

    private void storm(Handler handler, Duration time) {
        try (OperatorHandle operator = SimulatedOperator.start(
                platform, server, builder -> builder.onCreate("kopfexamples", "create_fn", handler))) {
            platform.runFor(Duration.ofSeconds(1));
            IntStream.range(0, OBJECTS).forEach(number -> server.create(example(number)));
            platform.runFor(time);
            assertThat(IntStream.range(0, OBJECTS)).allMatch(this::hasItsOwnResult);
            operator.stop();
            platform.runFor(Duration.ofMinutes(1));
        }
        assertThat(platform.describeTasks()).isEmpty();
    }

    private boolean hasItsOwnResult(int number) {
        return server.object("x" + number)
                        .path("status")
                        .path("create_fn")
                        .path("a")
                        .asInt(-1)
                == number;
    }

    @Test
    void quickHandlersTakeOneRequestForEachObject() {
        storm(context -> Map.of("a", context.spec().getInt("a", -1)), Duration.ofSeconds(1));
        assertThat(server.patches()).hasSize(OBJECTS);
    }

    @Test
    void slowHandlersDoNotHoldUpOtherObjects() {
        storm(
                context -> {
                    platform.sleep(Duration.ofSeconds(10));
                    return Map.of("a", context.spec().getInt("a", -1));
                },
                Duration.ofSeconds(12));
        assertThat(server.patches()).hasSize(OBJECTS);
    }

    @Test
    void requestsThatAreRepeatedLaterDoNotHoldUpOtherObjects() {
        server.faults(new FakeApiServer.Faults() {
            @Override
            public void before(TransportRequest transportRequest) throws IOException {
                if (transportRequest.method().equals("PATCH")
                        && platform.now().isBefore(Instant.parse("2020-01-01T00:00:01.5Z"))) {
                    throw new IOException("connection reset");
                }
            }
        });
        storm(context -> Map.of("a", context.spec().getInt("a", -1)), Duration.ofSeconds(3));
        assertThat(server.patches()).hasSize(OBJECTS);
    }
}
