package dev.kopf4j.engine.cycle;

import static org.assertj.core.api.Assertions.assertThat;

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
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** An outage is no object's fault: when it is over, none waits for the errors of the time before. */
class OutagesTest {
    private static final int OBJECTS = 100;

    private final SimulatedPlatform platform = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final FakeApiServer server = new FakeApiServer(platform, false);
    private boolean out;

    private static ObjectNode example(int number) {
        return Json.parseObject(("{\"metadata\":{\"name\":\"x" + number + "\",\"namespace\":\"ns\",\"uid\":\"u" + number
                        + "\"},\"spec\":{\"a\":1}}")
                .getBytes(StandardCharsets.UTF_8));
    }

    private boolean isHandled(int number) {
        return server.object("x" + number)
                .at("/metadata/annotations")
                .has("kopf.zalando.org/last-handled-configuration");
    }

    /** Watches go on, so that each object is looked at, and fails. */
    @Test
    void allObjectsAreHandledSoonAfterIt() {
        server.faults(new FakeApiServer.Faults() {
            @Override
            public void before(TransportRequest request) throws IOException {
                if (out && request.method().equals("PATCH")) {
                    throw new IOException("nobody answers");
                }
            }
        });
        try (OperatorHandle operator = SimulatedOperator.start(
                platform, server, builder -> builder.onCreate("kopfexamples", "create", context -> null))) {
            platform.runFor(Duration.ofSeconds(1));
            out = true;
            IntStream.range(0, OBJECTS).forEach(number -> server.create(example(number)));
            platform.runFor(Duration.ofMinutes(30));
            assertThat(IntStream.range(0, OBJECTS)).noneMatch(this::isHandled);
            out = false;
            platform.runFor(Duration.ofSeconds(35));
            assertThat(IntStream.range(0, OBJECTS)).allMatch(this::isHandled);
            operator.stop();
            platform.runFor(Duration.ofMinutes(1));
        }
    }
}
