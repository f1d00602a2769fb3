package dev.kopf4j.engine.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import dev.kopf4j.HandlerLifecycle;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;

/**
 * Goal: under the default lifecycle, {@code inOrder}, handlers and objects cannot tell that it is not {@code asap}.
 * Method: random operators live through the same random stories under both; all calls with all their arguments, and all
 * states of the object, are equal; only requests are saved.
 *
 * <p>{@code -Dkopf4j.seeds=10000} tells more stories; {@code -Dkopf4j.seed=42} tells a single one and prints both of
 * its versions.
 */
@Tag("C26")
class InOrderAsAsapTest {
    private static final int SEEDS = Integer.getInteger("kopf4j.seeds", 150);
    private static final int SHOWN_MAX = 10;

    private final Logger log = (Logger) LoggerFactory.getLogger("kopf4j");
    private final Level before = log.getLevel();

    private int saved;

    @BeforeEach
    void beQuiet() {
        log.setLevel(Level.OFF);
    }

    @AfterEach
    void speakAgain() {
        log.setLevel(before);
    }

    @Test
    void callsAndStatesAreThoseOfAsapWithFewerRequests() {
        Long single = Long.getLong("kopf4j.seed");
        if (single != null) {
            print(single);
        }
        long first = single != null ? single : Long.getLong("kopf4j.firstSeed", 1);
        int count = single != null ? 1 : SEEDS;
        List<String> different = LongStream.range(first, first + count)
                .mapToObj(this::difference)
                .filter(text -> !text.isEmpty())
                .toList();
        if (!different.isEmpty()) {
            fail(different.size() + " of " + count + " stories (tell one with -Dkopf4j.seed=N):\n"
                    + different.stream().limit(SHOWN_MAX).collect(Collectors.joining("\n")));
        }
        if (single == null) {
            assertThat(saved)
                    .as("requests that were saved in %s stories", count)
                    .isGreaterThan(count);
        }
    }

    private static void print(long seed) {
        for (HandlerLifecycle lifecycle : List.of(HandlerLifecycle.ASAP, HandlerLifecycle.IN_ORDER)) {
            LifecycleWorld world = new LifecycleWorld(seed, lifecycle).live();
            System.out.println(lifecycle + ": " + world.plan() + ", " + world.requests() + " requests");
            world.calls().forEach(System.out::println);
            CallTrace.of(world).stream()
                    .filter(line -> line.startsWith("state"))
                    .forEach(System.out::println);
        }
    }

    private String difference(long seed) {
        LifecycleWorld asap = new LifecycleWorld(seed, HandlerLifecycle.ASAP).live();
        LifecycleWorld inOrder = new LifecycleWorld(seed, HandlerLifecycle.IN_ORDER).live();
        List<String> expected = new ArrayList<>(CallTrace.of(asap));
        List<String> found = new ArrayList<>(CallTrace.of(inOrder));
        for (int i = 0; i < Math.max(expected.size(), found.size()); i++) {
            String one = i < expected.size() ? expected.get(i) : "nothing";
            String other = i < found.size() ? found.get(i) : "nothing";
            if (!one.equals(other)) {
                return "seed " + seed + ", line " + i + ":\n    asap:    " + one + "\n    inOrder: " + other;
            }
        }
        if (inOrder.requests() > asap.requests()) {
            return "seed " + seed + ": " + inOrder.requests() + " requests, asap " + asap.requests();
        }
        saved += asap.requests() - inOrder.requests();
        return "";
    }
}
