package dev.kopf4j.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Objects and timers that wait take little memory: the heap with thousands of objects with a timer is compared with the
 * heap of as many objects that are only held. Tests {@code ObjectMemory} and {@code RunningDaemon}. The benchmark of
 * timers measures the same on real threads, with daemons too.
 */
class MemoryFootprintTest {
    private static final int OBJECTS = 1_000;

    private final Logger log = (Logger) LoggerFactory.getLogger("kopf4j");
    private final Level before = log.getLevel();

    @BeforeEach
    void beQuiet() {
        log.setLevel(Level.ERROR);
    }

    @AfterEach
    void speakAgain() {
        log.setLevel(before);
    }

    /** Bytes of the heap, with all objects handled and nothing to be done. */
    private static long atRest(UnaryOperator<OperatorBuilder> handlers) {
        SimulatedPlatform platform = new SimulatedPlatform(0, Scenario.START);
        FakeApiServer server = new FakeApiServer(platform, false);
        int[] seen = {0};
        try (OperatorHandle operator = SimulatedOperator.start(
                platform,
                server,
                builder -> handlers.apply(builder.settings(settings ->
                                settings.recorder().memory(0)) // a limit of its own, and no part of an object
                        .onDelete("kex", "hold", context -> null)
                        .onEvent("kex", "look", context -> {
                            seen[0]++;
                            return null;
                        })))) {
            for (int i = 0; i < OBJECTS; i++) {
                server.create(Scenario.example("x" + i));
            }
            platform.runFor(Duration.ofMinutes(1));
            assertThat(seen[0]).as("created, and held by the finalizer").isGreaterThanOrEqualTo(2 * OBJECTS);
            server.forgetHistory();
            long bytes = LeakTest.heap();
            operator.stop();
            platform.runFor(Duration.ofMinutes(1));
            return bytes;
        }
    }

    @Test
    void aTimerAtRestTakesLessThanAKilobyteBesidesTheKeptBody() {
        int[] calls = {0};
        UnaryOperator<OperatorBuilder> timer =
                builder -> builder.onTimer("kex", "timer", h -> h.interval(Duration.ofDays(1)), context -> {
                    calls[0] += context.body().meta().finalizers().size();
                    return null;
                });
        atRest(timer);
        long with = atRest(timer);
        long without = atRest(builder -> builder);
        assertThat(calls[0]).as("calls").isEqualTo(2 * OBJECTS);
        int body = Json.bytes(Scenario.example("x1000")).length;
        assertThat((with - without) / OBJECTS - body).as("bytes for a timer").isBetween(100L, 800L);
    }
}
