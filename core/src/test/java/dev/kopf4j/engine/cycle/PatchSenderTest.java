package dev.kopf4j.engine.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.ObjectLogCapture;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.json.Json;
import dev.kopf4j.persistence.StorageLocations;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What happens to patches that the server refuses, for good or for the moment. Tests {@link PatchSender} and
 * {@link StorageLocations}.
 */
class PatchSenderTest {
    private static final Instant START = Instant.parse("2020-01-01T00:00:00Z");

    private final SimulatedPlatform platform = new SimulatedPlatform(0, START);
    private final FakeApiServer server = new FakeApiServer(platform, false);
    private final List<String> calls = new ArrayList<>();
    private final List<String> messages = new ArrayList<>();

    private static ObjectNode example() {
        return Json.parseObject(
                "{\"kind\":\"KopfExample\",\"metadata\":{\"name\":\"x\",\"namespace\":\"ns\",\"uid\":\"u1\"},\"spec\":{\"a\":1}}"
                        .getBytes(StandardCharsets.UTF_8));
    }

    private void run(UnaryOperator<OperatorBuilder> handlers, Duration time) {
        run(handlers, time, () -> {});
    }

    private void run(UnaryOperator<OperatorBuilder> handlers, Duration time, Runnable then) {
        try (OperatorHandle operator = SimulatedOperator.start(platform, server, handlers)) {
            platform.runFor(Duration.ofSeconds(1));
            server.create(example());
            platform.runFor(time);
            then.run();
            platform.runFor(time);
            operator.stop();
            platform.runFor(Duration.ofMinutes(1));
        }
    }

    private UnaryOperator<OperatorBuilder> returning(Object result) {
        return builder -> builder.onCreate("kopfexamples", "create_fn", context -> {
            calls.add("create");
            return result;
        });
    }

    @Test
    void dropsWhatTheServerFindsInvalidAndKeepsTheProgress() {
        server.refuse("status");
        try (ObjectLogCapture log = new ObjectLogCapture()) {
            run(returning(Map.of("x", 1)), Duration.ofMinutes(30));
            assertThat(log.lines(Level.ERROR)).singleElement().asString().contains("refuses", "is invalid");
        }
        assertThat(calls).containsExactly("create");
        assertThat(server.object("x").has("status")).isFalse();
        assertThat(server.object("x").path("metadata").path("annotations").propertyNames())
                .containsExactly("kopf.zalando.org/last-handled-configuration");
    }

    private static void putIntoSpec(Map<String, @Nullable Object> body, String field) {
        Map<Object, Object> spec = new LinkedHashMap<>((Map<?, ?>) Objects.requireNonNull(body.get("spec")));
        spec.put(field, 1);
        body.put("spec", spec);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void dropsTheChangesOfOneHandlerAndKeepsThoseOfTheOthers(boolean transforming) {
        server.refuse("spec.wrong");
        try (ObjectLogCapture log = new ObjectLogCapture()) {
            run(
                    builder -> builder.onCreate("kopfexamples", "first", context -> {
                                calls.add("first");
                                context.patch().set("spec.early", 1);
                                context.conditions().set("Early", true, "Called", "");
                                return Map.of("x", 1);
                            })
                            .onCreate("kopfexamples", "second", context -> {
                                calls.add("second");
                                context.patch().set("metadata.labels.second", "lost");
                                if (transforming) {
                                    context.patch().transform(body -> putIntoSpec(body, "wrong"));
                                } else {
                                    context.patch().set("spec.wrong", 1);
                                }
                                return null;
                            })
                            .onCreate("kopfexamples", "third", context -> {
                                calls.add("third");
                                context.patch().set("metadata.labels.third", "kept");
                                context.patch().transform(body -> putIntoSpec(body, "late"));
                                return null;
                            }),
                    Duration.ofMinutes(30));
            assertThat(log.lines(Level.ERROR)).singleElement().asString().contains("'second'", "refuses", "is invalid");
        }
        assertThat(calls).containsExactly("first", "second", "third");
        JsonNode object = server.object("x");
        assertThat(object.path("spec").propertyNames()).containsExactlyInAnyOrder("a", "early", "late");
        assertThat(object.path("metadata").path("labels").has("third")).isTrue();
        assertThat(object.path("status").path("first").path("x").asInt()).isEqualTo(1);
        assertThat(object.path("status").path("conditions").findValuesAsString("type"))
                .containsExactly("Early");
        assertThat(object.path("metadata").path("annotations").propertyNames())
                .containsExactly("kopf.zalando.org/last-handled-configuration");
        // Or it would seem that somebody has taken the changes away.
        assertThat(object.path("metadata").path("annotations").toString())
                .contains("early")
                .doesNotContain("wrong");
        assertThat(object.toString().split("lost")).as("label and record of it").hasSize(transforming ? 3 : 1);
    }

    /** What one handler wants is refused by an admission webhook, a policy, or the storage, whatever else is said. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            403 | Forbidden     | admission webhook "labels.example.com" denied the request: no such label
            422 | Invalid       | kopfexamples.kopf.dev "x" is forbidden: ValidatingAdmissionPolicy 'p' with binding 'b' denied request: no
            500 | InternalError | etcdserver: request is too large
            413 | RequestEntityTooLarge | Request entity too large: limit is 3145728
            """)
    void whatIsRefusedForGoodIsDroppedHoweverTheServerSaysSo(int status, String reason, String message) {
        server.faults(new FakeApiServer.Faults() {
            @Override
            public @Nullable TransportResponse instead(TransportRequest request) {
                boolean refused = request.method().equals("PATCH")
                        && new String(request.body(), StandardCharsets.UTF_8).contains("refused");
                return refused ? FakeApiServer.status(status, reason, message) : null;
            }
        });
        try (ObjectLogCapture log = new ObjectLogCapture()) {
            run(
                    builder -> builder.onCreate("kopfexamples", "merging", context -> {
                                calls.add("merging");
                                context.patch().set("metadata.labels.merged", "refused");
                                return null;
                            })
                            .onCreate("kopfexamples", "transforming", context -> {
                                calls.add("transforming");
                                context.patch().transform(body -> putIntoSpec(body, "refused"));
                                return null;
                            })
                            .onDelete("kopfexamples", "delete", context -> {
                                calls.add("delete");
                                return null;
                            }),
                    Duration.ofMinutes(1));
            assertThat(log.lines(Level.ERROR))
                    .hasSize(2)
                    .allSatisfy(line -> assertThat(line).contains("refuses", message))
                    .anySatisfy(line -> assertThat(line).contains("'merging'"))
                    .anySatisfy(line -> assertThat(line).contains("'transforming'"));
        }
        assertThat(calls).containsExactly("merging", "transforming");
        assertThat(server.object("x").path("metadata").path("annotations").propertyNames())
                .containsExactly("kopf.zalando.org/last-handled-configuration");
    }

    /** Names may have 253 letters, and what is shown of the server's words may end in the midst of one. */
    @Test
    void aLongNameDoesNotHideThatATransformationIsInvalid() {
        String message = "KopfExample.kopf.dev \"" + "x".repeat(253) + "\" is invalid: spec.refused: Forbidden: no";
        server.faults(new FakeApiServer.Faults() {
            @Override
            public @Nullable TransportResponse instead(TransportRequest request) {
                boolean refused = request.method().equals("PATCH")
                        && new String(request.body(), StandardCharsets.UTF_8).contains("refused");
                return refused ? FakeApiServer.status(422, "Invalid", message) : null;
            }
        });
        try (ObjectLogCapture log = new ObjectLogCapture()) {
            run(
                    builder -> builder.onCreate("kopfexamples", "transforming", context -> {
                        calls.add("transforming");
                        context.patch().transform(body -> putIntoSpec(body, "refused"));
                        return null;
                    }),
                    Duration.ofMinutes(1));
            assertThat(log.lines(Level.ERROR)).singleElement().asString().contains("refuses", "xxx...");
        }
        assertThat(calls).containsExactly("transforming");
        assertThat(server.object("x").path("metadata").path("annotations").propertyNames())
                .containsExactly("kopf.zalando.org/last-handled-configuration");
    }

    /** As whoever edits a copy and puts it back in one piece: also its version, which is outdated by then. */
    @Test
    void aTransformationMayPutBackAnOlderCopyOfTheObject() {
        try (ObjectLogCapture log = new ObjectLogCapture()) {
            run(
                    builder -> builder.onCreate("kopfexamples", "copying", context -> {
                                calls.add("copying");
                                Map<String, @Nullable Object> copy =
                                        context.body().toMutableMap();
                                putIntoSpec(copy, "b");
                                context.patch().set("spec.c", 1);
                                context.patch().transform(body -> {
                                    body.clear();
                                    body.putAll(copy);
                                });
                                return null;
                            })
                            .onCreate("kopfexamples", "later", context -> {
                                calls.add("later");
                                return null;
                            })
                            .onDelete("kopfexamples", "deleted", context -> {
                                calls.add("deleted " + context.spec().toMap().keySet());
                                return null;
                            }),
                    Duration.ofMinutes(30),
                    () -> server.delete("x"));
            assertThat(log.lines(Level.ERROR)).isEmpty();
        }
        assertThat(calls).containsExactly("copying", "later", "deleted [a, b]");
    }

    @Test
    void whatOnlyTheServerWritesStaysInTransformations() {
        try (ObjectLogCapture log = new ObjectLogCapture()) {
            run(
                    builder -> builder.onCreate("kopfexamples", "fn", context -> {
                        calls.add("fn");
                        context.patch().transform(body -> {
                            Map<Object, Object> metadata =
                                    new LinkedHashMap<>((Map<?, ?>) Objects.requireNonNull(body.get("metadata")));
                            metadata.put("resourceVersion", "written");
                            metadata.put("uid", "written");
                            metadata.put("generation", 1);
                            metadata.put("creationTimestamp", "written");
                            metadata.put("managedFields", List.of(Map.of("manager", "written")));
                            metadata.put("labels", Map.of("a", "b"));
                            body.put("metadata", metadata);
                        });
                        return null;
                    }),
                    Duration.ofMinutes(30));
            assertThat(log.lines(Level.ERROR)).isEmpty();
        }
        assertThat(calls).containsExactly("fn");
        JsonNode metadata = server.object("x").path("metadata");
        assertThat(metadata.path("labels").path("a").asString()).isEqualTo("b");
        assertThat(metadata.toString()).doesNotContain("written", "generation");
    }

    @Test
    void sendsAgainWhatTheServerCouldNotTakeWithoutCallingTheHandlerAgain() {
        server.faults(new FakeApiServer.Faults() {
            private int left = 12;

            @Override
            public void before(TransportRequest transportRequest) throws IOException {
                if (transportRequest.method().equals("PATCH") && left-- > 0) {
                    throw new IOException("connection reset");
                }
            }
        });
        run(returning(Map.of("x", 1)), Duration.ofHours(1));
        assertThat(calls).containsExactly("create");
        assertThat(server.object("x").path("status").path("create_fn").path("x").asInt())
                .isEqualTo(1);
    }

    @Test
    void removesProgressThatWasWrittenByAChangeWhoseSecondHalfHasFailed() {
        server.faults(new FakeApiServer.Faults() {
            @Override
            public void before(TransportRequest transportRequest) throws IOException {
                boolean second = transportRequest
                        .headers()
                        .getOrDefault("Content-Type", "")
                        .contains("json-patch");
                if (second && platform.now().isBefore(START.plusSeconds(90))) {
                    throw new IOException("connection reset");
                }
            }
        });
        run(
                builder -> builder.settings(settings -> settings.execution().checkpoint(Duration.ZERO))
                        .onCreate("kopfexamples", "one", context -> {
                            calls.add("one");
                            context.patch().transform(body -> body.put("status", Map.of("items", "a")));
                            return null;
                        })
                        .onCreate("kopfexamples", "two", context -> {
                            calls.add("two");
                            return null;
                        }),
                Duration.ofHours(1));
        assertThat(calls).containsExactly("one", "two");
        assertThat(server.object("x").path("status").has("items")).isTrue();
        assertThat(server.object("x").path("metadata").path("annotations").propertyNames())
                .containsExactly("kopf.zalando.org/last-handled-configuration");
    }

    @Test
    void longMessagesOfErrorsDoNotKeepTheProgressFromBeingStored() {
        run(
                builder -> builder.onCreate("kopfexamples", "one", context -> {
                            calls.add("one");
                            return null;
                        })
                        .onCreate("kopfexamples", "two", context -> {
                            calls.add("two");
                            if (context.retry() == 0) {
                                throw new TemporaryException("a" + "\u00e4".repeat(200_000) + "z");
                            }
                            messages.add(Json.parse(server.object("x")
                                            .at("/metadata/annotations/kopf.zalando.org~1two")
                                            .stringValue()
                                            .getBytes(StandardCharsets.UTF_8))
                                    .path("message")
                                    .stringValue());
                            return null;
                        }),
                Duration.ofHours(1));
        assertThat(calls).containsExactly("one", "two", "two");
        assertThat(messages)
                .singleElement()
                .satisfies(message ->
                        assertThat(message.getBytes(StandardCharsets.UTF_8)).hasSizeBetween(1000, 1024))
                .asString()
                .startsWith("a\u00e4")
                .endsWith("\u00e4z");
        assertThat(server.object("x").path("metadata").path("annotations").propertyNames())
                .containsExactly("kopf.zalando.org/last-handled-configuration");
    }

    /** Servers say the same of an object that does not exist. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aStatusThatIsNoSubresourceAnyMoreIsChangedWithTheRest(boolean transforming) {
        try (Scenario story = new Scenario(true)) {
            story.start(builder -> builder.onUpdate("kex", "upd", context -> {
                story.calls.add("update");
                if (transforming) {
                    context.patch()
                            .transform(body -> body.put(
                                    "status", Map.of("upd", context.spec().get("field"))));
                    return null;
                }
                return context.spec().get("field");
            }));
            story.server.create(Scenario.handled());
            story.rest();
            story.server.loseStatus();
            for (String value : List.of("b", "c")) {
                story.server.change("x", "spec.field", value);
                story.rest();
                assertThat(story.at("/status/upd").asString()).isEqualTo(value);
                assertThat(story.at("/metadata/annotations")
                                .path(Scenario.LAST_HANDLED)
                                .asString())
                        .contains("\"" + value + "\"");
            }
            assertThat(story.calls).containsExactly("update", "update");
        }
    }

    @Test
    void withAStatusApartAnObjectThatHasGoneIsLeftAlone() {
        try (Scenario story = new Scenario(true)) {
            story.start(builder -> builder.onCreate("kex", "cre", context -> {
                story.server.hold();
                story.server.delete("x");
                return "done";
            }));
            story.server.create(Scenario.example());
            story.pass(Duration.ofMinutes(10));
            assertThat(story.server.patches())
                    .as("one for the status, and one that asks for the object")
                    .hasSize(2);
            assertThat(story.lines(Level.ERROR)).isEmpty();
        }
    }
}
