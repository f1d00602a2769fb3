package dev.kopf4j.engine.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Activity;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorState;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.activity.ActivityRunner;
import dev.kopf4j.engine.call.ContextFactory.ServiceProvider;
import dev.kopf4j.engine.call.OperatorMemos;
import dev.kopf4j.engine.index.IndexSet;
import dev.kopf4j.engine.probe.ProbeServer.ProbePage;
import dev.kopf4j.engine.registration.RegistryBuilder;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.FakeClusterAccess;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** How often the handlers of probes are called. Tests {@link LivenessPage}. */
class LivenessPageTest {
    private final SimulatedPlatform world = new SimulatedPlatform(0, Instant.EPOCH);
    private final List<String> answers = new ArrayList<>();
    private final List<String> processTroubles = new ArrayList<>();
    private int calls;
    private boolean failing;

    private final LivenessPage page = page(() -> {
        calls++;
        world.sleep(Duration.ofSeconds(3));
        if (failing) {
            throw new OperatorException("no route");
        }
        return Map.of("call", calls);
    });

    private LivenessPage page(LivenessPage.Probes probes) {
        return new LivenessPage(
                world,
                probes,
                () -> new OperatorState(true, List.of(), List.of(), List.of()),
                Duration.ofSeconds(70),
                () -> List.copyOf(processTroubles));
    }

    private void ask() {
        ask(page);
    }

    private void ask(LivenessPage asked) {
        var _ = world.spawn("asking", () -> {
            try {
                ProbePage.Response response = asked.content();
                answers.add(response.status() + " " + response.text() + " at "
                        + world.now().getEpochSecond());
            } catch (InterruptedException e) {
                throw new AssertionError("nobody interrupts it", e);
            }
        });
    }

    private void askAt(int second) {
        askAt(second, page);
    }

    private void askAt(int second, LivenessPage asked) {
        world.runFor(Duration.between(world.now(), Instant.ofEpochSecond(second)));
        ask(asked);
    }

    @Test
    void aFigureThatDoesNotExistEndsNobody() {
        record Cache(double hits) {}
        LivenessPage odd = page(() -> Map.of("cache", new Cache(Double.NaN)));
        var _ = world.spawn("asking", () -> {
            try {
                answers.add(odd.content().status() + " " + odd.content().text());
            } catch (InterruptedException e) {
                throw new AssertionError("nobody interrupts it", e);
            }
        });
        world.runFor(Duration.ofSeconds(1));
        assertThat(answers).singleElement().asString().startsWith("200 {\"cache\":\"no JSON: ");
    }

    @Test
    @Tag("K04")
    void resultsAreKeptForTenSeconds() {
        ask();
        askAt(12);
        askAt(13);
        askAt(17);
        world.runFor(Duration.ofSeconds(5));
        assertThat(answers)
                .containsExactly(
                        "200 {\"call\":1} at 3",
                        "200 {\"call\":1} at 12",
                        "200 {\"call\":2} at 16",
                        "200 {\"call\":2} at 17");
    }

    @Test
    @Tag("K04")
    void thoseWhoAskAtTheSameTimeShareOneCall() {
        ask();
        askAt(1);
        askAt(2);
        world.runFor(Duration.ofSeconds(5));
        assertThat(answers).containsExactly("200 {\"call\":1} at 3", "200 {\"call\":1} at 3", "200 {\"call\":1} at 3");
        assertThat(calls).isEqualTo(1);
    }

    @Test
    @Tag("K04")
    @Tag("L53")
    void failuresAreKeptToo() {
        failing = true;
        ask();
        world.runFor(Duration.ofSeconds(4));
        failing = false;
        askAt(5);
        askAt(13);
        world.runFor(Duration.ofSeconds(5));
        assertThat(answers)
                .containsExactly(
                        "500 {\"errors\":[\"no route\"]} at 3",
                        "500 {\"errors\":[\"no route\"]} at 5",
                        "200 {\"call\":2} at 16");
    }

    /** Whoever asks waits for seconds, not for the pause after a failure. */
    @Test
    @Tag("K04")
    void aHandlerThatFailsOnceIsOneBadAnswer() {
        OperatorPlan plan = OperatorPlan.of(Operator.builder().clusterwide().onProbe("database", context -> {
            calls++;
            return switch (calls) {
                case 1 -> throw new IllegalStateException("no route");
                case 2 -> throw new TemporaryException("not yet");
                default -> "reachable";
            };
        }));
        ActivityRunner runner = new ActivityRunner(
                world,
                RegistryBuilder.build(plan.registrations()).activities(),
                plan.settings(),
                ServiceProvider.NONE,
                new FakeClusterAccess(new FakeApiServer(world, true).transport(world)).logins(),
                new OperatorMemos(plan.memo()),
                new IndexSet(List.of()));
        LivenessPage probed = page(() -> runner.run(Activity.PROBE));
        askAt(0, probed);
        askAt(11, probed);
        askAt(22, probed);
        world.runFor(Duration.ofSeconds(1));
        assertThat(answers)
                .containsExactly(
                        "500 {\"errors\":[\"One or more handlers of the probe activity failed: 'database': no route\"]} at 0",
                        "500 {\"errors\":[\"One or more handlers of the probe activity failed: 'database': not yet\"]} at 11",
                        "200 {\"database\":\"reachable\"} at 22");
    }

    /** Where the log is what hangs, so do handlers that log. */
    @Test
    @Tag("K04")
    void troublesOfTheProcessAreToldAtOnceWhateverHandlersDo() {
        LivenessPage hanging = page(() -> {
            world.sleep(Duration.ofHours(1));
            return Map.of();
        });
        askAt(0, hanging);
        world.runFor(Duration.ofSeconds(5));
        processTroubles.add("the log is stuck");
        askAt(10, hanging);
        world.runFor(Duration.ofSeconds(1));
        assertThat(answers).containsExactly("500 {\"errors\":[\"the log is stuck\"]} at 10");
    }

    @Test
    @Tag("K04")
    void nobodyWaitsForHandlersThatHang() {
        LivenessPage hanging = page(() -> {
            world.sleep(Duration.ofHours(1));
            return Map.of();
        });
        askAt(0, hanging);
        askAt(20, hanging);
        world.runFor(Duration.ofSeconds(40));
        assertThat(answers)
                .containsExactly("500 {\"errors\":[\"the probes have been at work for more than 30 s\"]} at 50");
    }
}
