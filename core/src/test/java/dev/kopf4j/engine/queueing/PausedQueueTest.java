package dev.kopf4j.engine.queueing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OperatorHandle;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Objects that wait for a worker while another operator with a higher priority comes and goes. Tests {@link WorkerPool}
 * and {@link ObjectWork}.
 */
class PausedQueueTest {
    private final SimulatedPlatform world = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final TinyCluster cluster = new TinyCluster()
            .serving("kopf.dev", "kopfexamples", "KopfExample", true)
            .serving("kopf.dev", "clusterkopfpeerings", "ClusterKopfPeering", false);
    private final List<String> calls = new ArrayList<>();

    private void pass(int seconds) {
        world.runFor(Duration.ofSeconds(seconds));
    }

    private void letAnotherOneActFor(int seconds) {
        cluster.patch(
                "clusterkopfpeerings",
                null,
                "default",
                "{'status':{'other':{'priority':100,'lifetime':" + seconds + ",'lastseen':'"
                        + world.now().atOffset(ZoneOffset.UTC).toLocalDateTime() + "+00:00'}}}");
    }

    @Test
    @Tag("B13")
    void whatWaitedForAWorkerBeforeAPauseGetsOneAfterIt() {
        cluster.put("clusterkopfpeerings", null, "default", "{}");
        try (OperatorHandle operator = SimulatedOperator.start(
                world,
                cluster.transport("me", world),
                builder -> builder.clusterwide()
                        .settings(settings -> settings.queueing().workerLimit(1).exitTimeout(Duration.ofSeconds(30)))
                        .onCreate("kopfexamples", "cre", context -> {
                            calls.add(context.name());
                            world.sleep(Duration.ofSeconds(10));
                            return null;
                        }))) {
            pass(3);
            for (String name : List.of("a", "b", "c")) {
                cluster.put("kopfexamples", "ns", name, "{'spec':{}}");
            }
            pass(3);
            letAnotherOneActFor(60);
            pass(30);
            assertThat(calls).as("what has begun may end; nothing begins").containsExactly("a");
            pass(90);
            assertThat(calls).containsExactly("a", "b", "c");
            assertThat(world.describeTasks()).doesNotContain("worker of");
            operator.stop();
            pass(30);
        }
    }
}
