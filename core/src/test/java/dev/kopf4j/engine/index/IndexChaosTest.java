package dev.kopf4j.engine.index;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.EventType;
import dev.kopf4j.Index;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.PodServer;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Goal: in the end the index is as the cluster is, and no handler was called before its own object was indexed. Method:
 * pods come, move and go, also while the operator is disconnected, and the index functions are slow. The seed is in the
 * name of the test.
 */
class IndexChaosTest {
    private static final List<String> NODES = List.of("a", "b", "c");

    private final AtomicReference<@Nullable Index<String, String>> index = new AtomicReference<>();
    private final List<String> violations = new ArrayList<>();
    private final TreeMap<String, String> truth = new TreeMap<>();
    private int handled;

    private OperatorBuilder handlers(OperatorBuilder builder, SimulatedPlatform platform, Random random) {
        return builder.settings(settings -> settings.queueing().workerLimit(3).eventBacklogLimit(2))
                .onStartup("start", context -> {
                    index.set(context.index("byNode"));
                    return null;
                })
                .onIndex("pods", "byNode", context -> {
                    platform.sleep(Duration.ofMillis(random.nextInt(500)));
                    return Map.of(context.spec().getString("nodeName", ""), context.name());
                })
                .onEvent("pods", "event", context -> {
                    handled++;
                    String node = context.spec().getString("nodeName", "");
                    boolean gone = context.eventType()
                            .filter(EventType.DELETED::equals)
                            .isPresent();
                    Index<String, String> seen = context.index("byNode");
                    // Its index functions may have seen a newer state already, but never an older one, or none.
                    boolean known = seen.values().stream().anyMatch(store -> store.contains(context.name()));
                    if (!known && !gone && truth.containsKey(context.name())) {
                        violations.add(context.name() + " on " + node + " is not in " + seen);
                    }
                    return null;
                });
    }

    @ParameterizedTest(name = "seed {0}")
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20})
    @Tag("F03")
    @Tag("F06")
    void theIndexIsAsTheClusterIs(long seed) {
        Random random = new Random(seed);
        SimulatedPlatform platform = new SimulatedPlatform(seed, Scenario.START);
        PodServer pods = new PodServer(platform, new FakeApiServer(platform, false));
        change(pods, random, 20);
        try (OperatorHandle operator =
                SimulatedOperator.start(platform, pods, builder -> handlers(builder.clusterwide(), platform, random))) {
            for (int round = 0; round < 30; round++) {
                platform.runFor(Duration.ofMillis(random.nextInt(3000)));
                change(pods, random, random.nextInt(10));
                if (random.nextInt(5) == 0) {
                    vanish(pods, random);
                    pods.disconnect();
                }
            }
            platform.runFor(Duration.ofMinutes(10));
            assertThat(content()).isEqualTo(expected());
            operator.stop();
            platform.runFor(Duration.ofMinutes(1));
        }
        assertThat(violations).isEmpty();
        assertThat(handled).isPositive();
    }

    private void change(PodServer pods, Random random, int times) {
        for (int i = 0; i < times; i++) {
            String name = "p" + random.nextInt(15);
            if (random.nextInt(4) == 0) {
                truth.remove(name);
                pods.remove(name);
            } else {
                String node = NODES.get(random.nextInt(NODES.size()));
                truth.put(name, node);
                pods.add(name, node);
            }
        }
    }

    private void vanish(PodServer pods, Random random) {
        String name = "p" + random.nextInt(15);
        truth.remove(name);
        pods.vanish(name);
    }

    private Map<String, Set<String>> expected() {
        Map<String, Set<String>> expected = new TreeMap<>();
        truth.forEach((name, node) ->
                expected.computeIfAbsent(node, key -> new TreeSet<>()).add(name));
        return expected;
    }

    private Map<String, Set<String>> content() {
        Map<String, Set<String>> content = new TreeMap<>();
        Index<String, String> seen = index.get();
        if (seen != null) {
            seen.forEach((key, store) -> content.put(key, new TreeSet<>(store)));
        }
        return content;
    }
}
