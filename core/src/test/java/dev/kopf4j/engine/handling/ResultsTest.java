package dev.kopf4j.engine.handling;

import static dev.kopf4j.engine.handling.Handlers.creation;
import static dev.kopf4j.engine.handling.Handlers.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Lifecycle;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.PatchContent;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ResultsTest {
    private static PatchContent delivered(String id, String already, Object result) {
        PatchContent patch = new PatchContent();
        patch.merge().setAll(json(already));
        Results.deliver(id, new Outcome.Succeeded(Json.fromJava(result)), patch);
        return patch;
    }

    @Test
    @Tag("C33")
    void mappingsAreMergedAndOtherValuesSet() {
        assertThat(delivered("fn", "{'status':{'fn':{'a':1},'b':2}}", Map.of("c", 3))
                        .merge())
                .isEqualTo(json("{'status':{'fn':{'a':1,'c':3},'b':2}}"));
        assertThat(delivered("fn", "{'status':{'fn':{'a':1}}}", "text").merge())
                .isEqualTo(json("{'status':{'fn':'text'}}"));
        assertThat(delivered("outer/inner.x", "{}", List.of(1)).merge())
                .as("ids are taken as they are")
                .isEqualTo(json("{'status':{'outer/inner.x':[1]}}"));
    }

    @Test
    @Tag("L30")
    void nullMembersDelete() {
        java.util.Map<String, Object> result = new java.util.LinkedHashMap<>();
        result.put("a", null);
        assertThat(delivered("fn", "{}", result).merge()).isEqualTo(json("{'status':{'fn':{'a':null}}}"));
    }

    @Test
    @Tag("C33")
    void failuresAndNothingDeliverNothing() {
        PatchContent patch = new PatchContent();
        for (Outcome outcome : List.of(
                new Outcome.Succeeded(null),
                new Outcome.Failed("x"),
                new Outcome.Retry(java.time.Duration.ZERO, "x"))) {
            Results.deliver("fn", outcome, patch);
        }
        assertThat(patch.isEmpty()).isTrue();
    }

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
