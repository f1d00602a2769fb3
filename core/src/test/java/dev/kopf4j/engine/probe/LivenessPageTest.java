package dev.kopf4j.engine.probe;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorState;
import dev.kopf4j.engine.probe.ProbeServer.ProbePage;
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
    private int calls;
    private boolean failing;

    private final LivenessPage page = new LivenessPage(
            world,
            () -> {
                calls++;
                world.sleep(Duration.ofSeconds(3));
                if (failing) {
                    throw new OperatorException("no route");
                }
                return Map.of("call", calls);
            },
            () -> new OperatorState(true, List.of(), List.of(), List.of()),
            Duration.ofSeconds(70));

    private void ask() {
        var _ = world.spawn("asking", () -> {
            try {
                ProbePage.Response response = page.content();
                answers.add(response.status() + " " + response.text() + " at "
                        + world.now().getEpochSecond());
            } catch (InterruptedException e) {
                throw new AssertionError("nobody interrupts it", e);
            }
        });
    }

    private void askAt(int second) {
        world.runFor(Duration.between(world.now(), Instant.ofEpochSecond(second)));
        ask();
    }

    @Test
    void aFigureThatDoesNotExistEndsNobody() {
        record Cache(double hits) {}
        LivenessPage odd = new LivenessPage(
                world,
                () -> Map.of("cache", new Cache(Double.NaN)),
                () -> new OperatorState(true, List.of(), List.of(), List.of()),
                Duration.ofSeconds(70));
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
}
