package dev.kopf4j.engine.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.engine.simulation.RenewedCredentials;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** An outage is no object's fault: when it is over, none waits for the errors of the time before. */
class OutagesTest {
    private static final int OBJECTS = 100;

    private final SimulatedPlatform platform = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final FakeApiServer server = new FakeApiServer(platform, false);
    private final RenewedCredentials credentials = new RenewedCredentials();
    private boolean out;
    private boolean filterFails;
    private int calls;

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
    void allObjectsAreHandledSoonAfterNobodyHasAnswered() {
        server.faults(new FakeApiServer.Faults() {
            @Override
            public void before(TransportRequest request) throws IOException {
                if (out && request.method().equals("PATCH")) {
                    throw new IOException("nobody answers");
                }
            }
        });
        assertHandledSoonAfter(() -> out = true, () -> out = false);
    }

    /** The same with objects that wait for the login: it is they that are refused, not the streams that are open. */
    @Test
    void allObjectsAreHandledSoonAfterTheirCredentialsWereRefused() {
        assertHandledSoonAfter(credentials::expire, credentials::renew);
        assertThat(credentials.refusals()).as("requests that came in vain").isBetween(1, OBJECTS);
    }

    /** The server asks everybody to come later. */
    @ParameterizedTest
    @CsvSource({"429, TooManyRequests", "503, ServiceUnavailable", "504, Timeout"})
    void allObjectsAreHandledSoonAfterTheServerHasHadNoTime(int status, String reason) {
        server.faults(new FakeApiServer.Faults() {
            @Override
            public @Nullable TransportResponse instead(TransportRequest request) {
                return out && request.method().equals("PATCH") ? FakeApiServer.status(status, reason, "not now") : null;
            }
        });
        assertHandledSoonAfter(() -> out = true, () -> out = false);
    }

    /**
     * The log of an outage does not grow with the number of objects; what is said of one object is told all the same.
     */
    @ParameterizedTest
    @CsvSource({"429, TooManyRequests", "500, InternalError", "503, ServiceUnavailable"})
    void anOutageIsToldInSumsAndTheRefusalOfASingleObjectByItself(int status, String reason) {
        server.faults(new FakeApiServer.Faults() {
            @Override
            public @Nullable TransportResponse instead(TransportRequest request) {
                if (!out || !request.method().equals("PATCH")) {
                    return null;
                }
                return request.path().endsWith("/x77")
                        ? FakeApiServer.status(403, "Forbidden", "not this one")
                        : FakeApiServer.status(status, reason, "not now");
            }
        });
        try (LoggerCapture log = new LoggerCapture("kopf4j");
                OperatorHandle operator = SimulatedOperator.start(
                        platform,
                        credentials.access(platform, server.transport(platform)),
                        builder -> builder.clusterwide()
                                .onUpdate("kopfexamples", "update", context -> null)
                                .onTimer(
                                        "kopfexamples",
                                        "tick",
                                        options -> options.interval(Duration.ofSeconds(10)),
                                        context -> calls++))) {
            IntStream.range(0, OBJECTS).forEach(number -> server.create(example(number)));
            platform.runFor(Duration.ofMinutes(1));
            out = true;
            IntStream.range(0, OBJECTS).forEach(number -> server.change("x" + number, "/spec/a", 2));
            platform.runFor(Duration.ofMinutes(30));
            assertThat(log.lines(Level.WARN))
                    .hasSizeLessThan(120)
                    .anyMatch(line -> line.contains("K4-020") && line.contains("not this one"))
                    .anyMatch(line -> line.matches("(?s)error: K4-025: \\d+ more attempts of requests .*not now.*"))
                    .anyMatch(line -> line.matches("(?s).*K4-025: \\d+ more times within .*an object could.*not now.*"))
                    .anyMatch(line -> line.matches("(?s).*K4-025: \\d+ more times within .*daemons and.*not now.*"));
            log.clear();
            out = false;
            platform.runFor(Duration.ofMinutes(5));
            assertThat(log.lines(Level.WARN)).isEmpty();
            assertThat(log.lines(Level.INFO))
                    .anyMatch(line -> line.contains("Requests succeed again, after"))
                    .anyMatch(line -> line.contains("Objects are written again, after"))
                    .anyMatch(line -> line.contains("Changes of daemons and timers are written again, after"));
            operator.stop();
            platform.runFor(Duration.ofMinutes(1));
        }
    }

    /** A proxy knows nothing of objects: what it does not find may be there, and what it answers is no other object. */
    @ParameterizedTest
    @CsvSource(quoteCharacter = '`', delimiter = '|', textBlock = """
            404 | 404 page not found
            404 | {"kind":"Status","reason":"NotFound","message":"the server could not find the requested resource"}
            404 | {"kind":"Status","reason":"NotFound","message":"the server could not find it","details":{}}
            200 | {}
            202 | {"kind":"Status","status":"Success"}
            """)
    void noObjectCountsAsGoneForWhatAProxyAnswers(int status, String body) {
        server.faults(new FakeApiServer.Faults() {
            @Override
            public @Nullable TransportResponse instead(TransportRequest request) {
                return out && request.method().equals("PATCH")
                        ? new TransportResponse(status, Map.of(), body.getBytes(StandardCharsets.UTF_8))
                        : null;
            }
        });
        try (OperatorHandle operator = SimulatedOperator.start(
                platform,
                credentials.access(platform, server.transport(platform)),
                builder -> builder.clusterwide().onCreate("kopfexamples", "create", context -> calls++))) {
            platform.runFor(Duration.ofSeconds(1));
            out = true;
            server.create(example(0));
            platform.runFor(Duration.ofMinutes(1));
            out = false;
            platform.runFor(Duration.ofMinutes(15));
            assertThat(isHandled(0)).isTrue();
            assertThat(calls).isEqualTo(1);
            operator.stop();
            platform.runFor(Duration.ofMinutes(1));
        }
    }

    /** The handler needs three attempts, and has ten minutes: it has not used those of the outage. */
    @Test
    void anOutageIsNoTimeThatHandlersUse() {
        server.faults(new FakeApiServer.Faults() {
            @Override
            public void before(TransportRequest request) throws IOException {
                if (out && request.method().equals("PATCH")) {
                    throw new IOException("nobody answers");
                }
            }
        });
        try (OperatorHandle operator = SimulatedOperator.start(
                platform,
                credentials.access(platform, server.transport(platform)),
                builder -> builder.clusterwide()
                        .onCreate(
                                "kopfexamples",
                                "create",
                                options -> options.timeout(Duration.ofMinutes(10)),
                                context -> {
                                    calls++;
                                    if (context.retry() < 3) {
                                        throw new TemporaryException("wait", Duration.ofMinutes(1));
                                    }
                                    return calls;
                                }))) {
            server.create(example(0));
            platform.runFor(Duration.ofSeconds(80));
            out = true;
            platform.runFor(Duration.ofMinutes(30));
            out = false;
            platform.runFor(Duration.ofMinutes(5));
            assertThat(server.object("x0").at("/status/create").asInt()).isEqualTo(4);
            operator.stop();
            platform.runFor(Duration.ofMinutes(1));
        }
    }

    /** What has succeeded before, and could not be written, is not called again. */
    @Test
    void whatIsUnsentOutlivesAFilterThatFails() {
        server.faults(new FakeApiServer.Faults() {
            @Override
            public void before(TransportRequest request) throws IOException {
                if (out && request.method().equals("PATCH")) {
                    throw new IOException("nobody answers");
                }
            }
        });
        try (OperatorHandle operator = SimulatedOperator.start(
                platform,
                credentials.access(platform, server.transport(platform)),
                builder -> builder.clusterwide()
                        .onCreate(
                                "kopfexamples",
                                "create",
                                options -> options.when(context -> {
                                    if (filterFails) {
                                        throw new IllegalStateException("the filter asks the same server");
                                    }
                                    return true;
                                }),
                                context -> {
                                    filterFails = true;
                                    return calls++;
                                }))) {
            platform.runFor(Duration.ofSeconds(1));
            out = true;
            server.create(example(0));
            platform.runFor(Duration.ofMinutes(3));
            out = false;
            filterFails = false;
            platform.runFor(Duration.ofMinutes(15));
            assertThat(isHandled(0)).isTrue();
            assertThat(calls).isEqualTo(1);
            operator.stop();
            platform.runFor(Duration.ofMinutes(1));
        }
    }

    private void assertHandledSoonAfter(Runnable begin, Runnable end) {
        try (OperatorHandle operator = SimulatedOperator.start(
                platform,
                credentials.access(platform, server.transport(platform)),
                builder -> builder.clusterwide().onCreate("kopfexamples", "create", context -> null))) {
            platform.runFor(Duration.ofSeconds(1));
            begin.run();
            IntStream.range(0, OBJECTS).forEach(number -> server.create(example(number)));
            platform.runFor(Duration.ofMinutes(30));
            assertThat(IntStream.range(0, OBJECTS)).noneMatch(this::isHandled);
            end.run();
            platform.runFor(Duration.ofSeconds(35));
            assertThat(IntStream.range(0, OBJECTS)).allMatch(this::isHandled);
            operator.stop();
            platform.runFor(Duration.ofMinutes(1));
        }
    }
}
