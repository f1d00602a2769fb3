package dev.kopf4j.engine.handling.selection;

import static dev.kopf4j.engine.handling.context.Handlers.creation;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Lifecycle;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class LifecyclePlanTest {
    private static final List<RegisteredHandler> DUE =
            Stream.of("a", "b", "c").map(id -> creation(h -> h.id(id))).toList();

    private static String plan(Lifecycle lifecycle, int seed) {
        List<RegisteredHandler> named = DUE.stream().map(handler -> handler).toList();
        return LifecyclePlan.plan(lifecycle, named, handler -> 2 - named.indexOf(handler) / 2, new Random(seed))
                .stream()
                .map(handler -> "abc".substring(named.indexOf(handler), named.indexOf(handler) + 1))
                .collect(Collectors.joining());
    }

    private static Set<String> plans(Lifecycle lifecycle) {
        return IntStream.range(0, 100).mapToObj(seed -> plan(lifecycle, seed)).collect(Collectors.toSet());
    }

    @Test
    @Tag("C26")
    void lifecyclesPlanTheCycle() {
        assertThat(plans(Lifecycle.IN_ORDER)).containsExactly("abc");
        assertThat(plans(Lifecycle.ALL_AT_ONCE)).containsExactly("abc");
        assertThat(plans(Lifecycle.ONE_BY_ONE)).containsExactly("a");
        assertThat(plans(Lifecycle.ASAP)).as("fewest attempts").containsExactly("c");
        assertThat(plans(Lifecycle.RANDOMIZED)).containsExactlyInAnyOrder("a", "b", "c");
        assertThat(plans(Lifecycle.SHUFFLED)).containsExactlyInAnyOrder("abc", "acb", "bac", "bca", "cab", "cba");
        for (Lifecycle lifecycle : Lifecycle.values()) {
            assertThat(LifecyclePlan.plan(lifecycle, List.of(), handler -> 0, new Random(0)))
                    .isEmpty();
        }
    }
}
