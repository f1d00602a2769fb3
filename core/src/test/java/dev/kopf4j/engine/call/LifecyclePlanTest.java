package dev.kopf4j.engine.call;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.kopf4j.Body;
import dev.kopf4j.DueHandler;
import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests {@link LifecyclePlan}: which of the due handlers are called in this cycle. */
class LifecyclePlanTest {
    private static final List<RegisteredHandler> DUE =
            Stream.of("a", "b", "c").map(HandlerFixtures::creation).toList();

    private static final Body NOBODY = Body.of(Map.of());

    private static String plan(HandlerLifecycle lifecycle, int seed) {
        List<RegisteredHandler> named = DUE.stream().map(handler -> handler).toList();
        return LifecyclePlan.plan(lifecycle, named, handler -> 2 - named.indexOf(handler) / 2, new Random(seed), NOBODY)
                .stream()
                .map(handler -> "abc".substring(named.indexOf(handler), named.indexOf(handler) + 1))
                .collect(Collectors.joining());
    }

    private static Set<String> plans(HandlerLifecycle lifecycle) {
        return IntStream.range(0, 100).mapToObj(seed -> plan(lifecycle, seed)).collect(Collectors.toSet());
    }

    private static HandlerLifecycle own(HandlerLifecycle.Custom lifecycle) {
        return lifecycle;
    }

    @Test
    @Tag("C26")
    void lifecyclesOfUsersPlanAmongTheDue() {
        assertThat(plan(own((due, body) -> due.reversed()), 0)).isEqualTo("cba");
        assertThat(plan(own((due, body) -> List.of(due.get(1), due.get(1))), 0)).isEqualTo("b");
        assertThat(plan(own((due, body) -> List.of(new DueHandler("a", 2))), 0)).isEqualTo("a");
        assertThatIllegalStateException()
                .isThrownBy(() -> plan(own((due, body) -> List.of()), 0))
                .withMessageContaining("has planned []; it must plan one or more of the due handlers");
        assertThatIllegalStateException()
                .isThrownBy(() -> plan(own((due, body) -> List.of(new DueHandler("other", 0))), 0));
        assertThat(LifecyclePlan.plan(
                        own((due, body) -> List.of(new DueHandler("a", 0))),
                        List.of(),
                        handler -> 0,
                        new Random(0),
                        NOBODY))
                .as("nobody is asked about nothing")
                .isEmpty();
    }

    @Test
    @Tag("C26")
    void lifecyclesPlanTheCycle() {
        assertThat(plans(HandlerLifecycle.IN_ORDER)).containsExactly("abc");
        assertThat(plans(HandlerLifecycle.ALL_AT_ONCE)).containsExactly("abc");
        assertThat(plans(HandlerLifecycle.ONE_BY_ONE)).containsExactly("a");
        assertThat(plans(HandlerLifecycle.ASAP)).as("fewest attempts").containsExactly("c");
        assertThat(plans(HandlerLifecycle.RANDOMIZED)).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(plans(HandlerLifecycle.SHUFFLED))
                .containsExactlyInAnyOrder("abc", "acb", "bac", "bca", "cab", "cba");
        for (HandlerLifecycle lifecycle : HandlerLifecycle.BuiltIn.values()) {
            assertThat(LifecyclePlan.plan(lifecycle, List.of(), handler -> 0, new Random(0), NOBODY))
                    .isEmpty();
        }
    }
}
