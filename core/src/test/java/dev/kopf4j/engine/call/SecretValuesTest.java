package dev.kopf4j.engine.call;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What the framework says of a Secret that does not fit what a handler wants. */
class SecretValuesTest {
    private static final String CANARY = "Y2FuYXJ5";

    private final SimulatedPlatform world = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final TinyCluster cluster = new TinyCluster()
            .serving("", "secrets", "Secret", true)
            .serving("", "configmaps", "ConfigMap", true)
            .serving("", "events", "Event", true);

    record Wanted(int password) {}

    private List<String> saidOf(String plural) {
        cluster.put(plural, "ns", "x", "{'metadata': {'uid': 'u1'}, 'data': {'password': '" + CANARY + "'}}");
        try (LoggerCapture capture = new LoggerCapture("kopf4j")) {
            OperatorHandle operator = SimulatedOperator.start(
                    world,
                    cluster.transport("me", world),
                    builder -> builder.clusterwide()
                            .settings(settings -> settings.posting().loggers(true))
                            .onCreate(
                                    plural,
                                    "wants",
                                    context -> context.body()
                                            .get(List.of("data"), Wanted.class)
                                            .orElseThrow()
                                            .toString()));
            world.runFor(Duration.ofSeconds(5));
            operator.stop();
            world.runFor(Duration.ofSeconds(5));
            return capture.lines(Level.DEBUG);
        }
    }

    @Test
    @Tag("Q21")
    void theValueIsNotShown() {
        assertThat(saidOf("secrets"))
                .noneMatch(text -> text.contains(CANARY))
                .anyMatch(text -> text.contains("does not fit Wanted; what was found is not shown"));
        assertThat(cluster.changesBy("me").toString()).doesNotContain("does not fit Wanted:");
    }

    @Test
    void ofOtherObjectsItIs() {
        assertThat(saidOf("configmaps"))
                .anyMatch(text -> text.contains("does not fit Wanted") && text.contains(CANARY));
    }
}
