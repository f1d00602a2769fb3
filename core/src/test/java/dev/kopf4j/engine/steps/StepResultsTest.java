package dev.kopf4j.engine.steps;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Steps;
import java.math.BigInteger;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Which results of steps can be recorded, and what is said of others. */
class StepResultsTest extends StepsScenario {
    @Test
    @Tag("Q10")
    void whatCannotBeRecordedIsRefusedInWords() {
        story.start(builder -> builder.onCreate(
                        "kex", "big", context -> context.steps().run("make", () -> "x".repeat(1023)))
                .onCreate("kex", "foreign", context -> context.steps().run("make", () -> new Database("a", 1)))
                .onCreate("kex", "name", context -> context.steps().run("a/b", () -> "x"))
                .onCreate(
                        "kex",
                        "nested",
                        context -> context.steps()
                                .run("outer", () -> context.steps().run("inner", () -> "x")))
                .onCreate("kex", "late", context -> {
                    Steps steps = context.steps();
                    story.world.spawn("own thread", () -> {
                        story.world.letOthersRun();
                        try {
                            story.world.sleep(Duration.ofSeconds(1));
                            steps.run("a", () -> "x");
                        } catch (Exception e) {
                            story.calls.add(String.valueOf(e.getMessage()));
                        }
                    });
                    return null;
                }));
        create();
        story.pass(Duration.ofMinutes(2));
        assertThat(story.lines(ch.qos.logback.classic.Level.ERROR).toString())
                .contains(
                        "Step 'big/make': its call was made, but it has returned 1025 bytes of JSON, and a record has room for")
                .contains("name its class, as in steps.step(\"make\", Database.class)")
                .contains("'a/b' is no name of a step")
                .contains("a step was begun within the call of the step 'nested/outer'");
        assertThat(story.calls).containsExactly("the call of Handler 'late' has ended: it makes no steps any more");
    }

    static List<Arguments> foreignResults() {
        return List.of(
                Arguments.of(42L, "java.lang.Long, which", "Long.class"),
                Arguments.of(5_000_000_000L, "java.lang.Long, which", "Long.class"),
                Arguments.of(1.5f, "java.lang.Float", "Float.class"),
                Arguments.of(new BigInteger("99999999999999999999"), "java.math.BigInteger", "BigInteger.class"),
                Arguments.of(List.of(List.of(42L)), "java.lang.Long in a list or a map", "TypeRef<"),
                Arguments.of(Map.of("a", 1, "b", 42L), "java.lang.Long in a list or a map", "TypeRef<"),
                Arguments.of(Set.of("a"), "ImmutableCollections$Set12, which", "TypeRef<"));
    }

    /** A handler whose external numbers happen to be large would fail for good at the first small one. */
    @ParameterizedTest
    @MethodSource("foreignResults")
    @Tag("Q10")
    void resultsAreRefusedByTheirClassWhateverTheirValue(Object result, String said, String way) {
        start(context -> context.steps().run("make", () -> result));
        create();
        assertThat(story.lines(ch.qos.logback.classic.Level.ERROR).toString()).contains(said, way);
    }

    /** A result whose own methods fail: another call would return no better one. */
    record Faulty() {
        public String getName() {
            throw new NoClassDefFoundError("x/Y");
        }
    }

    static List<Arguments> unreadableResults() {
        return List.of(
                Arguments.of(Double.NaN, "its result cannot be recorded"),
                Arguments.of(new Faulty(), "java.lang.NoClassDefFoundError: x/Y"),
                Arguments.of("\uD800", "is not the same when it is read from its record"));
    }

    @ParameterizedTest
    @MethodSource("unreadableResults")
    @Tag("Q10")
    void resultsThatCannotBeReadAreToldByTheStepAndEndIt(Object result, String said) {
        start(context -> context.steps().run("make", () -> {
            story.calls.add("made");
            return result;
        }));
        create();
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls).containsExactly("made");
        assertThat(story.lines(ch.qos.logback.classic.Level.ERROR).toString())
                .contains("failed permanently: Step 'cre/make': its call was made, but ", said);
    }

    @Test
    @Tag("Q10")
    void resultsThatAreReadAsTheyWereNeedNoClass() {
        List<Object> results = List.of(
                1,
                1.0,
                "a",
                true,
                List.of(1, List.of(2.5)),
                Map.of("a", Map.of("b", 1)),
                Map.of("id", 5_000_000_000L),
                List.of(List.of(new BigInteger("99999999999999999999"))));
        start(context -> {
            for (Object each : results) {
                story.calls.add(String.valueOf(context.steps().run("make", each.toString(), () -> each)));
            }
            return null;
        });
        create();
        assertThat(story.calls)
                .containsExactlyElementsOf(
                        results.stream().map(Object::toString).toList());
    }

    @Test
    @Tag("Q10")
    void aLongThatAnEarlierVersionHasRecordedWithoutAClassIsRead() {
        start(context -> {
            context.steps().step("make", Long.class).run(() -> 5_000_000_000L);
            return fail(broken.get());
        });
        create();
        story.kill();
        broken.set(false);
        start(context -> story.calls.add("read " + context.steps().run("make", () -> -1L)));
        story.pass(Duration.ofSeconds(11));
        assertThat(story.calls).containsExactly("read 5000000000");
    }

    @Test
    @Tag("Q10")
    void resultsOfAKilobyteAreTaken() {
        start(context -> story.calls.add(
                context.steps().run("make", () -> "x".repeat(1022)).substring(1020)));
        create();
        assertThat(story.calls).containsExactly("xx");
    }
}
