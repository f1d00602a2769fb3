package dev.kopf4j.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Objects that have come and gone leave nothing in memory. Thousands of them come in batches, each with everything that
 * the framework can remember of an object; after each batch the heap is as large as after the first one. Tests
 * {@code KnownObjects}, {@code ObjectMemory}, {@code OperatorDaemons}, {@code LiveIndex}. With more objects on demand:
 * {@code -Dkopf4j.leak.objects=200000}.
 */
class LeakTest {
    private static final int OBJECTS = Integer.getInteger("kopf4j.leak.objects", 5_000);
    private static final int BATCH = 250;
    private static final double ALLOWED = 1.02;

    private final Logger log = (Logger) LoggerFactory.getLogger("kopf4j");
    private final Level before = log.getLevel();
    private final SimulatedPlatform platform = new SimulatedPlatform(0, Scenario.START);
    private final FakeApiServer server = new FakeApiServer(platform, false);
    private int created;
    private int handled;

    @BeforeEach
    void beQuiet() {
        log.setLevel(Level.ERROR);
    }

    @AfterEach
    void speakAgain() {
        log.setLevel(before);
    }

    private OperatorBuilder everything(OperatorBuilder builder) {
        return builder.onIndex("kex", "byName", context -> Map.of(context.name(), context.uid()))
                .onIndex("kex", "all", context -> context.body())
                .onIndex("kex", "failing", context -> {
                    throw new dev.kopf4j.TemporaryException("not yet", Duration.ofHours(1));
                })
                .onEvent("kex", "event", context -> {
                    context.memo().put("body", context.body());
                    return null;
                })
                .onCreate("kex", "create", context -> {
                    context.memo().update("count", 0, n -> n + 1);
                    return Map.of("known", context.index("byName").size());
                })
                .onDaemon("kex", "daemon", context -> {
                    context.memo().put("stopped", context.stopped());
                    context.stopped().await();
                    return null;
                })
                .onDaemon("kex", "brief", context -> null)
                .onTimer("kex", "timer", h -> h.interval(Duration.ofSeconds(8)), context -> {
                    context.memo().put("timer", context.body());
                    return null;
                })
                .onDelete("kex", "delete", context -> {
                    handled += context.memo().require("count", Integer.class);
                    return null;
                });
    }

    private void batch() {
        int first = created;
        for (; created < first + BATCH; created++) {
            server.create(Scenario.example("x" + created));
        }
        platform.runFor(Duration.ofSeconds(10));
        for (int i = first; i < created; i++) {
            server.delete("x" + i);
        }
        platform.runFor(Duration.ofSeconds(10));
        assertThat(handled).as("deletions handled").isEqualTo(created);
        server.forgetHistory();
    }

    /** What is reachable: the smallest of what several collections leave. */
    static long heap() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            Runtime runtime = Runtime.getRuntime();
            least = Math.min(least, runtime.totalMemory() - runtime.freeMemory());
        }
        return least;
    }

    @Test
    void objectsThatCameAndWentLeaveNothing() {
        try (OperatorHandle operator = SimulatedOperator.start(platform, server, this::everything)) {
            platform.runFor(Duration.ofSeconds(1));
            batch();
            batch();
            long before = heap();
            int from = created;
            while (created < from + OBJECTS) {
                batch();
            }
            assertThat(heap())
                    .as("bytes of the heap after %d objects", created - from)
                    .isLessThanOrEqualTo((long) (before * ALLOWED));
            operator.stop();
            platform.runFor(Duration.ofMinutes(1));
        }
    }
}
