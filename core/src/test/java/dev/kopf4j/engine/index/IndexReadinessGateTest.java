package dev.kopf4j.engine.index;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.Handler;
import dev.kopf4j.Index;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.engine.simulation.ObjectLogCapture;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.engine.simulation.SimulatedPods;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * No handler is called before everything that exists is indexed, and no handler waits for ever. Tests
 * {@link IndexReadinessGate} and {@code StreamIndexReadiness}.
 */
@Tag("F06")
class IndexReadinessGateTest {
    private final Scenario story = new Scenario();
    private final SimulatedPods pods = new SimulatedPods(story);

    @AfterEach
    void end() {
        pods.stop();
        story.close();
    }

    private static OperatorBuilder podsByNode(OperatorBuilder builder) {
        return builder.onIndex("pods", "podsByNode", context -> {
            return Map.of(context.spec().getString("nodeName", ""), context.name());
        });
    }

    /** Notes how many pods the handler has found. */
    private Handler counting(String what) {
        return story.saying(context -> {
            Index<String, String> index = context.index("podsByNode");
            return what + " " + context.name() + ": " + index.store("node").size();
        });
    }

    @Test
    void handlersOfOtherResourcesWaitForTheList() {
        story.server.create(Scenario.example());
        pods.server.add("p1", "node");
        pods.server.add("p2", "node");
        pods.server.hold();
        pods.start(builder -> podsByNode(builder)
                .onCreate("kex", "create", counting("create"))
                .onEvent("kex", "event", counting("event")));
        story.server.create(Scenario.example("y"));
        story.pass(Duration.ofMinutes(10));
        assertThat(story.calls).isEmpty();
        pods.server.release();
        story.rest();
        assertThat(story.calls).contains("create x: 2", "create y: 2", "event x: 2", "event y: 2");
    }

    @Test
    void handlersOfTheSameResourceSeeAllOfIt() {
        for (int i = 0; i < 50; i++) {
            pods.server.add("p" + i, "node");
        }
        pods.start(builder -> podsByNode(builder).onEvent("pods", "event", counting("event")));
        assertThat(story.calls).hasSize(50).allMatch(call -> call.endsWith(": 50"));
    }

    /** Whoever lets workers wait for the gate, and the gate for objects without a worker, waits for ever. */
    @Test
    void fewerWorkersThanObjectsAreEnough() {
        for (int i = 0; i < 50; i++) {
            pods.server.add("p" + i, "node");
            story.server.create(Scenario.example("x" + i));
        }
        pods.start(builder -> podsByNode(builder)
                .settings(settings ->
                        settings.queueing().workerLimit(1).backlogLimit(2).eventBacklogLimit(1))
                .onEvent("pods", "pod", counting("pod"))
                .onCreate("kex", "create", counting("create")));
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls.stream().filter(call -> call.startsWith("pod"))).hasSize(50);
        assertThat(story.calls.stream().filter(call -> call.startsWith("create")))
                .hasSize(50);
        assertThat(story.calls).allMatch(call -> call.endsWith(": 50"));
    }

    @Test
    void slowFunctionsAreWaitedFor() {
        pods.server.add("p1", "node");
        pods.start(builder -> builder.onIndex("pods", "podsByNode", context -> {
                    story.world.sleep(Duration.ofSeconds(30));
                    return Map.of("node", context.name());
                })
                .onEvent("kex", "event", counting("event")));
        story.server.create(Scenario.example());
        story.pass(Duration.ofSeconds(20));
        assertThat(story.calls).isEmpty();
        story.pass(Duration.ofSeconds(20));
        assertThat(story.calls).containsExactly("event x: 1");
    }

    @Test
    void eventsThatComeMeanwhileAreNotLost() {
        pods.server.add("p1", "node");
        pods.server.add("p2", "node");
        pods.start(builder -> builder.onIndex("pods", "podsByNode", context -> {
                    story.world.sleep(Duration.ofSeconds(context.name().equals("p1") ? 30 : 0));
                    return Map.of(context.spec().getString("nodeName", ""), context.name());
                })
                .onEvent(
                        "pods",
                        "event",
                        story.saying(context -> context.name() + " "
                                + context.eventType().map(Enum::name).orElse("LISTED") + " "
                                + context.spec().getString("nodeName", "")))
                .onCreate("pods", "create", h -> h.labels("never"), story.noting("create")));
        pods.server.add("p2", "other");
        pods.server.add("p3", "node");
        pods.server.remove("p3");
        story.pass(Duration.ofSeconds(10));
        assertThat(story.calls).isEmpty();
        story.pass(Duration.ofSeconds(30));
        assertThat(story.calls)
                .containsExactlyInAnyOrder(
                        "p1 LISTED node", "p2 LISTED node", "p2 MODIFIED other", "p3 ADDED node", "p3 DELETED node");
        assertThat(pods.content("podsByNode")).isEqualTo(Map.of("node", List.of("p1"), "other", List.of("p2")));
    }

    @Test
    void failedFunctionsKeepNobodyWaiting() {
        pods.server.add("p1", "node");
        pods.start(builder -> builder.onIndex("pods", "podsByNode", context -> {
                    throw new IllegalStateException("oops");
                })
                .onEvent("kex", "event", counting("event")));
        story.server.create(Scenario.example());
        story.rest();
        assertThat(story.calls).containsExactly("event x: 0");
    }

    @Test
    void listsThatFailAreWaitedForAndComplainedOf() {
        pods.server.forbid(true);
        pods.server.add("p1", "node");
        try (ObjectLogCapture log = new ObjectLogCapture("kopf4j.reactor")) {
            pods.start(builder -> podsByNode(builder).onEvent("kex", "event", counting("event")));
            story.server.create(Scenario.example());
            story.pass(Duration.ofMinutes(2));
            assertThat(story.calls).isEmpty();
            assertThat(log.lines(Level.WARN))
                    .anyMatch(line -> line.startsWith("warn: K4-007: No handlers are called yet")
                            && line.contains("Still to come: pods.v1 cluster-wide."));
        }
        pods.server.forbid(false);
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls).containsExactly("event x: 1");
    }

    /** A rolling update must not end the old replica while the new one handles nothing. */
    @Test
    void functionsThatHangAreNamedWithTheirObjectAndFailReadiness() {
        pods.server.add("p1", "node");
        pods.server.add("p2", "node");
        try (ObjectLogCapture log = new ObjectLogCapture("kopf4j.reactor")) {
            pods.start(builder -> builder.onIndex("pods", "podsByNode", context -> {
                        if (context.name().equals("p2")) {
                            story.world.sleep(Duration.ofMinutes(3));
                        }
                        return Map.of("node", context.name());
                    })
                    .onEvent("kex", "event", counting("event")));
            story.server.create(Scenario.example());
            story.pass(Duration.ofSeconds(50));
            assertThat(pods.troubles()).isEmpty();
            story.pass(Duration.ofMinutes(2));
            String missing = "pods.v1 cluster-wide (index functions see Pod ns/p2)";
            assertThat(log.lines(Level.WARN)).anyMatch(line -> line.contains("Still to come: " + missing + "."));
            assertThat(pods.troubles()).containsExactly("no handlers are called yet, still to come: " + missing);
        }
        assertThat(story.calls).isEmpty();
        story.pass(Duration.ofMinutes(2));
        assertThat(story.calls).containsExactly("event x: 2");
        assertThat(pods.troubles()).isEmpty();
    }

    @Test
    void resourcesThatDoNotExistAreNotWaitedFor() {
        story.start(builder -> builder.onIndex("unheard", "podsByNode", context -> context.name())
                .onEvent("kex", "event", counting("event")));
        story.server.create(Scenario.example());
        story.rest();
        assertThat(story.calls).containsExactly("event x: 0");
    }

    /** A group that did not answer at the start comes back: its objects are indexed before anything else goes on. */
    @Test
    void resourcesThatAppearLaterCloseTheGateAgain() {
        story.server.create(Scenario.example("x"));
        story.server.unavailable(true);
        pods.server.add("p1", "node");
        pods.start(builder -> builder.onIndex("kex", "podsByNode", context -> {
                    story.calls.add("indexing " + context.name());
                    story.world.sleep(Duration.ofSeconds(30));
                    story.calls.add("indexed " + context.name());
                    return Map.of("node", context.name());
                })
                .onEvent("pods", "event", counting("event")));
        assertThat(story.calls).containsExactly("event p1: 0");
        story.server.unavailable(false);
        for (int i = 0; i < 600 && !story.calls.contains("indexing x"); i++) {
            story.pass(Duration.ofSeconds(1));
        }
        pods.server.add("p1", "node");
        story.pass(Duration.ofSeconds(60));
        assertThat(story.calls).containsExactly("event p1: 0", "indexing x", "indexed x", "event p1: 1");
    }

    @Test
    void operatorsStopWhileTheyWait() {
        pods.server.add("p1", "node");
        pods.server.hold();
        pods.start(builder -> podsByNode(builder).onEvent("kex", "event", counting("event")));
        story.server.create(Scenario.example());
        pods.stop();
        assertThat(story.calls).isEmpty();
        assertThat(story.world.describeTasks()).isEmpty();
    }
}
