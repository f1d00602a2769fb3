package dev.kopf4j.engine.chaos;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Goal: whatever happens to objects, requests, streams and processes, each change is handled, no acknowledged success
 * is repeated, and nothing is left behind. Method: operators live in simulated worlds, one for each seed, in which all
 * of that happens at random. The rules are checked at each call of a handler, at each change of an object, and when the
 * world has become calm.
 *
 * <p>{@code -Dkopf4j.seeds=10000} runs more worlds; {@code -Dkopf4j.seed=42} runs a single one and prints its history
 * and its log.
 */
@Tag("L02")
class EngineChaosTest {
    private static final int SEEDS = Integer.getInteger("kopf4j.seeds", 150);
    private static final int SHOWN_MAX = 10;

    private final EngineLog log = new EngineLog();
    private int replacedDuringCalls;
    private int replacedBeforePatches;
    private int comparedWrites;
    private int handledAfterRefusal;
    private int refusedCredentials;

    @AfterEach
    void speak() {
        log.close();
    }

    @Test
    void keepsItsPromisesWhateverHappens() {
        Long single = Long.getLong("kopf4j.seed");
        if (single != null) {
            SimulatedWorld simulatedWorld = new SimulatedWorld(single);
            log.into(simulatedWorld.worldHistory());
            live(simulatedWorld);
            simulatedWorld.worldHistory().lines().forEach(System.out::println);
            assertThat(simulatedWorld.worldHistory().violations())
                    .as("seed %s", single)
                    .isEmpty();
            return;
        }
        long first = Long.getLong("kopf4j.firstSeed", 1);
        List<String> broken = LongStream.range(first, first + SEEDS)
                .mapToObj(this::violations)
                .filter(text -> !text.isEmpty())
                .toList();
        System.out.println("Hostile objects: " + HostileObjects.occurred() + "; replaced during calls: "
                + replacedDuringCalls + ", before patches: " + replacedBeforePatches
                + "; writes that name their object: "
                + comparedWrites + "; refused credentials: " + refusedCredentials + ", objects handled after that: "
                + handledAfterRefusal);
        assertThat(SEEDS < 100 || HostileObjects.haveOccurred())
                .as(HostileObjects.occurred())
                .isTrue();
        if (!broken.isEmpty()) {
            fail(broken.size() + " of " + SEEDS + " worlds (replay one with -Dkopf4j.seed=N):\n"
                    + broken.stream().limit(SHOWN_MAX).collect(Collectors.joining("\n")));
        }
        assertThat(replacedDuringCalls)
                .as("objects that were replaced by others of their name during a call")
                .isGreaterThan(SEEDS / 30);
        assertThat(replacedBeforePatches)
                .as("objects that were replaced by others of their name before a PATCH")
                .isGreaterThan(SEEDS / 3);
        assertThat(comparedWrites)
                .as("writes of handlers that name their object")
                .isGreaterThan(SEEDS);
        assertThat(handledAfterRefusal)
                .as("objects that were handled soon after the credentials were renewed")
                .isGreaterThan(SEEDS / 8);
        assertThat(refusedCredentials)
                .as("requests whose credentials were refused")
                .isGreaterThan(SEEDS);
    }

    @ParameterizedTest(name = "seed {0}: {1}")
    @CsvSource({
        "20371, an older event takes the place of a listed object that waits for its worker",
        "1216, a field goes to and fro while its handler waits for a retry",
        "90308, a field goes back to what a creation handler has seen while no operator runs",
        "82778, somebody removes the record of a parent of sub-handlers"
    })
    void keepsThemWhereItOnceDidNot(long seed, String story) {
        assertThat(lived(seed).worldHistory().violations()).as(story).isEmpty();
    }

    @Test
    void sameSeedGivesTheSameRun() {
        for (long seed = 1; seed <= 10; seed++) {
            assertThat(new ArrayList<>(lived(seed).worldHistory().lines()))
                    .as("seed %s", seed)
                    .isEqualTo(lived(seed).worldHistory().lines());
        }
    }

    private String violations(long seed) {
        SimulatedWorld world = lived(seed);
        replacedDuringCalls += world.replacedDuringCalls();
        replacedBeforePatches += world.replacedBeforePatches();
        comparedWrites += world.comparedWrites();
        refusedCredentials += world.refusedCredentials();
        handledAfterRefusal += world.handledAfterRefusal();
        List<String> found = world.worldHistory().violations();
        return found.isEmpty() ? "" : "seed " + seed + ": " + found.getFirst();
    }

    private static SimulatedWorld lived(long seed) {
        SimulatedWorld simulatedWorld = new SimulatedWorld(seed);
        live(simulatedWorld);
        return simulatedWorld;
    }

    private static void live(SimulatedWorld simulatedWorld) {
        try {
            simulatedWorld.live();
        } catch (AssertionError | IllegalStateException e) {
            java.io.StringWriter trace = new java.io.StringWriter();
            e.printStackTrace(new java.io.PrintWriter(trace));
            simulatedWorld.worldHistory().violated("no task ends with an unexpected error", trace.toString());
        }
    }
}
