package dev.kopf4j.engine.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.Handler;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.ObjectLogCapture;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/**
 * What operators do when states come late, come again, or never come. {@code EngineChaosTest} found each case. Tests
 * {@link ConsistencyCheck}, {@link FinalizerDecision} on a running operator.
 */
class LateStatesTest {
    private static final String KEX = "kopfexamples";

    private final SimulatedPlatform platform = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final FakeApiServer server = new FakeApiServer(platform, false);
    private final List<String> calls = new ArrayList<>();

    private static ObjectNode example() {
        return Json.parseObject("{\"metadata\":{\"name\":\"x\",\"namespace\":\"ns\",\"uid\":\"u1\"},\"spec\":{\"a\":1}}"
                .getBytes(StandardCharsets.UTF_8));
    }

    private void run(UnaryOperator<OperatorBuilder> handlers, Runnable script) {
        try (OperatorHandle operator = SimulatedOperator.start(platform, server, handlers)) {
            script.run();
            operator.stop();
            platform.runFor(Duration.ofMinutes(1));
        }
        assertThat(platform.describeTasks()).as("tasks left after the stop").isEmpty();
    }

    private void pass(int seconds) {
        platform.runFor(Duration.ofSeconds(seconds));
    }

    private Handler noting(String what) {
        return context -> {
            calls.add(what);
            return null;
        };
    }

    private Handler failing(String what) {
        return context -> {
            calls.add(what);
            throw new TemporaryException("not yet", Duration.ofSeconds(10));
        };
    }

    @Test
    void callsNobodyForStatesThatAreOlderThanTheLastOne() {
        run(builder -> builder.onCreate(KEX, "create", noting("create")), () -> {
            pass(1);
            server.create(example());
            pass(1);
            server.replay();
            pass(60);
        });
        assertThat(calls).containsExactly("create");
    }

    @Test
    void asksForTheNewestStateIfOnlyAnOlderOneComes() {
        run(builder -> builder.onCreate(KEX, "create", noting("create")), () -> {
            pass(1);
            server.create(example());
            pass(1);
            server.replayFirst();
            pass(60);
        });
        assertThat(calls).containsExactly("create");
        assertThat(server.patches().getLast().body()).hasToString("{\"metadata\":{\"uid\":\"u1\"}}");
        assertThat(server.patches()).hasSize(2);
    }

    @Test
    void leavesVanishedObjectsAloneHoweverManyRetriesWerePlanned() {
        run(
                builder -> builder.onCreate(KEX, "create", failing("create")).onEvent(KEX, "event", context -> {
                    platform.sleep(Duration.ofSeconds(1));
                    return null;
                }),
                () -> {
                    pass(1);
                    server.create(example());
                    for (int i = 0; i < 5; i++) {
                        pass(1);
                        server.change("x", "status.count", i);
                    }
                    server.delete("x");
                    pass(8);
                    calls.clear();
                    pass(60);
                });
        assertThat(calls).isEmpty();
    }

    @Test
    void forgetsTheProgressOfAChangeThatWasTakenBack() {
        run(builder -> builder.onUpdate(KEX, "one", failing("one")).onUpdate(KEX, "two", failing("two")), () -> {
            pass(1);
            server.create(example());
            pass(1);
            server.change("x", "spec.a", 2);
            pass(1);
            server.change("x", "spec.a", 1);
            pass(60);
            assertThat(server.object("x").path("metadata").path("annotations").propertyNames())
                    .containsExactly("kopf.zalando.org/last-handled-configuration");
            assertThat(calls).containsExactly("one", "two");
            server.change("x", "spec.a", 3);
            pass(1);
        });
        assertThat(calls).containsExactly("one", "two", "one", "two");
    }

    @Test
    void keepsTheProgressOfAHandlerWhoseTransformationFails() {
        try (ObjectLogCapture log = new ObjectLogCapture()) {
            run(
                    builder -> builder.onCreate(KEX, "create", context -> {
                        calls.add("create");
                        context.patch().transform(body -> {
                            throw new IllegalStateException("a defect");
                        });
                        return null;
                    }),
                    () -> {
                        pass(1);
                        server.create(example());
                        pass(60);
                    });
            assertThat(log.lines(Level.ERROR)).singleElement().asString().contains("transformation", "a defect");
        }
        assertThat(calls).containsExactly("create");
    }

    @Test
    void servesAResourceWhoseGroupDidNotAnswerAtTheStart() {
        server.unavailable(true);
        server.create(example());
        run(builder -> builder.onCreate(KEX, "create", noting("create")), () -> {
            pass(100);
            assertThat(calls).isEmpty();
            server.unavailable(false);
            pass(61);
        });
        assertThat(calls).containsExactly("create");
    }

    @Test
    void keepsTheFinalizerOfAnObjectThatMatchesAgainWhileItIsPatched() {
        run(
                builder -> builder.onDelete(KEX, "delete", h -> h.labels("app=web"), noting("delete"))
                        .onEvent(KEX, "event", h -> h.labels("app=none"), context -> {
                            server.hold();
                            server.change("x", "metadata.labels.app", "web");
                            server.delete("x");
                            return "noticed";
                        }),
                () -> {
                    pass(1);
                    server.create(example());
                    server.change("x", "metadata.labels.app", "web");
                    pass(1);
                    server.change("x", "metadata.labels.app", "none");
                    pass(1);
                    server.release();
                    pass(10);
                });
        assertThat(calls).containsExactly("delete");
        assertThat(server.exists("x")).isFalse();
    }

    @Test
    void removesProgressAndFinalizerInOneRequest() {
        run(
                builder -> builder.onCreate(KEX, "create", failing("create")).onDelete(KEX, "delete", noting("delete")),
                () -> {
                    pass(1);
                    server.create(example());
                    pass(1);
                    int before = server.patches().size();
                    server.delete("x");
                    pass(1);
                    assertThat(server.patches()).hasSize(before + 1);
                });
        assertThat(calls).containsExactly("create", "delete");
        assertThat(server.exists("x")).isFalse();
    }
}
