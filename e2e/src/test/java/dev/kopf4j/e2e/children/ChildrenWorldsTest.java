package dev.kopf4j.e2e.children;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Goal: whatever happens to parents, children and operators, in the end all children are as they ought to be, nobody's
 * other fields were touched, and nothing is requested any more. Method: random worlds with changes, deletions, foreign
 * writers and kills; then rest.
 *
 * <p>{@code -Dkopf4j.seeds=10000} makes more worlds; {@code -Dkopf4j.seed=42} a single one.
 */
class ChildrenWorldsTest {
    private static final int SEEDS = Integer.getInteger("kopf4j.seeds", 40);

    private final Logger log = (Logger) LoggerFactory.getLogger("kopf4j");
    private final Level before = log.getLevel();

    @BeforeEach
    void beQuiet() {
        log.setLevel(Level.OFF);
    }

    @AfterEach
    void speakAgain() {
        log.setLevel(before);
    }

    @Test
    @Tag("M41")
    void worldsComeToRestWithAllChildrenAsTheyOughtToBe() {
        Long single = Long.getLong("kopf4j.seed");
        List<String> wrong = new ArrayList<>();
        int[] repairs = new int[5];
        LongStream seeds = single != null ? LongStream.of(single) : LongStream.rangeClosed(1, SEEDS);
        seeds.forEach(seed -> {
            try (ChildrenWorld world = new ChildrenWorld(seed)) {
                world.live();
                repairs[0] += world.disturbances();
                repairs[1] += world.strangersMade();
                repairs[2] += world.placesTaken();
                repairs[3] += world.failures();
                repairs[4] += world.namespacesEnded();
                world.rest();
                wrong.addAll(world.differences());
                wrong.addAll(world.requestsWithin(Duration.ofMinutes(1)));
            } catch (RuntimeException | AssertionError e) {
                throw new AssertionError("the world of seed " + seed + " has failed: -Dkopf4j.seed=" + seed, e);
            }
        });
        assertThat(wrong).as("make one of these worlds with -Dkopf4j.seed=N").isEmpty();
        if (single == null) {
            assertThat(repairs[0]).as("disturbances in all worlds").isGreaterThan(SEEDS);
            assertThat(repairs[1]).as("strangers' objects in all worlds").isGreaterThan(SEEDS);
            assertThat(repairs[2]).as("children whose place a stranger took").isGreaterThan(SEEDS / 10);
            assertThat(repairs[3]).as("failed requests about children").isGreaterThan(SEEDS);
            assertThat(repairs[4]).as("namespaces that were deleted").isGreaterThan(SEEDS);
        }
    }
}
