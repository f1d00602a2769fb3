package dev.kopf4j.engine.call;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Handler;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.engine.simulation.Scenario;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;

/** How many objects call their handlers at the same time. Tests {@link ObjectTurns}. */
class ObjectTurnsTest {
    private static final List<String> NAMES = List.of("a", "b", "c", "d");

    private final Scenario story = new Scenario();

    @AfterEach
    void end() {
        story.close();
    }

    private Handler taking(Duration time) {
        return context -> {
            note(context);
            story.world.sleep(time);
            return null;
        };
    }

    private void note(HandlerContext context) {
        story.calls.add(context.name() + " " + context.handlerId());
    }

    private static UnaryOperator<OperatorBuilder> turns(int turns, Handler first, Handler second) {
        return builder -> builder.settings(s -> s.execution().turns(turns))
                .onCreate("kex", "first", first)
                .onCreate("kex", "second", second);
    }

    private void create() {
        NAMES.forEach(name -> story.server.create(Scenario.example(name)));
    }

    private Set<String> firstCalls(int count) {
        return story.calls.stream().limit(count).map(call -> call.substring(2)).collect(Collectors.toSet());
    }

    @Test
    void quickHandlersOfOneObjectFollowEachOther() {
        story.start(turns(1, taking(Duration.ofMillis(4)), taking(Duration.ofMillis(4))));
        create();
        story.rest();
        assertThat(story.calls).hasSize(8);
        for (int call = 0; call < 8; call += 2) {
            String name = story.calls.get(call).substring(0, 1);
            assertThat(story.calls.subList(call, call + 2)).containsExactly(name + " first", name + " second");
        }
        assertThat(story.server.patches()).as("one for each object").hasSize(4);
    }

    @Test
    void slowHandlersLetOthersHaveTheirTurn() {
        story.start(turns(1, taking(Duration.ofSeconds(10)), taking(Duration.ZERO)));
        create();
        story.rest();
        assertThat(firstCalls(8)).containsExactly("first");
        assertThat(story.calls).hasSize(4);
        story.pass(Duration.ofSeconds(10));
        assertThat(story.calls).hasSize(8);
    }

    @RepeatedTest(5)
    void handlersMayWaitForThoseOfOtherObjects() {
        story.start(turns(
                1,
                context -> {
                    note(context);
                    while (story.calls.stream()
                                    .filter(call -> call.endsWith("first"))
                                    .count()
                            < NAMES.size()) {
                        story.world.sleep(Duration.ofMillis(1));
                    }
                    return null;
                },
                taking(Duration.ZERO)));
        create();
        story.rest();
        assertThat(story.calls).hasSize(8);
    }
}
