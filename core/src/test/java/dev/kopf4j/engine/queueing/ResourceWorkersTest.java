package dev.kopf4j.engine.queueing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the streams of one resource share its workers, in simulated time. */
@Tag("M67")
class ResourceWorkersTest {
    private static final int LIMIT = 3;

    private final TinyCluster cluster = new TinyCluster().serving("kopf.dev", "kopfexamples", "KopfExample", true);
    private final List<String> calls = new ArrayList<>();
    private SimulatedPlatform world = new SimulatedPlatform(0, Instant.EPOCH);
    private int running;
    private int most;

    private @Nullable Object handle(HandlerContext context) throws InterruptedException {
        most = Math.max(most, ++running);
        world.sleep(Duration.ofSeconds(1));
        running--;
        calls.add(context.name());
        return null;
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 1, 2, 3, 4, 5, 6, 7, 8, 9})
    void oneLimitHoldsForAllNamespacesAndTheyGetWorkersInTurn(long seed) {
        world = new SimulatedPlatform(seed, Instant.EPOCH);
        SimulatedPlatform machine = world.machine("me");
        SimulatedOperator.start(
                machine,
                cluster.transport("me", machine),
                builder -> builder.namespaces("busy", "calm")
                        .settings(settings -> settings.queueing().workerLimit(LIMIT))
                        .onCreate("kopfexamples", "handle", this::handle));
        world.runFor(Duration.ofSeconds(5));
        Set<String> all = new TreeSet<>();
        for (int i = 0; i < 30; i++) {
            cluster.put("kopfexamples", "busy", "busy" + i, "{'spec':{}}");
            all.add("busy" + i);
        }
        world.runFor(Duration.ofMillis(500));
        cluster.put("kopfexamples", "calm", "calm", "{'spec':{}}");
        all.add("calm");
        world.runFor(Duration.ofMinutes(1));
        assertThat(most).isEqualTo(LIMIT);
        assertThat(calls).containsExactlyInAnyOrderElementsOf(all);
        assertThat(calls.indexOf("calm")).isLessThan(3 * LIMIT);
    }
}
