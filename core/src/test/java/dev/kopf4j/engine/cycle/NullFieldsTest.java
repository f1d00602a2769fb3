package dev.kopf4j.engine.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Filter;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.engine.simulation.Scenario;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/** Which handlers are called for a field that is there with a null: the same as with Kopf. */
@Tag("C09")
@Tag("C10")
class NullFieldsTest {
    private static final Duration DAY = Duration.ofDays(1);

    private final Scenario story = new Scenario();

    @AfterEach
    void end() {
        story.close();
    }

    private OperatorBuilder handlers(OperatorBuilder builder) {
        return builder.onCreate("kopfexamples", "create", h -> h.field("spec.x"), context -> {
                    story.calls.add("create");
                    return null;
                })
                .onField("kopfexamples", "field", h -> h.field("spec.x"), context -> {
                    story.calls.add("field " + context.oldValue() + " " + context.newValue());
                    return null;
                })
                .onTimer("kopfexamples", "timer", h -> h.interval(DAY).field("spec.x"), context -> {
                    story.calls.add("timer");
                    return null;
                })
                .onTimer(
                        "kopfexamples",
                        "absent",
                        h -> h.interval(DAY).field("spec.x").fieldValue(Filter.ABSENT),
                        context -> {
                            story.calls.add("absent");
                            return null;
                        });
    }

    @Test
    void aFieldThatIsNullIsThere() {
        story.start(this::handlers);
        ObjectNode example = Scenario.example();
        example.withObject("/spec").putNull("x");
        story.server.create(example);
        story.rest();
        assertThat(story.calls).containsExactlyInAnyOrder("create", "field null null", "timer");

        story.calls.clear();
        story.server.change("x", "spec.field", "b");
        story.restart(this::handlers);
        story.rest();
        assertThat(story.calls).containsOnly("timer");
    }
}
