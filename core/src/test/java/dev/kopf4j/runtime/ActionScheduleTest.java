package dev.kopf4j.runtime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Tests {@link ActionSchedule}. */
class ActionScheduleTest {
    private final SimulatedPlatform world = new SimulatedPlatform(0, Instant.EPOCH);
    private final List<String> calls = new ArrayList<>();

    @Test
    void whateverOneActionThrowsTheOthersHaveTheirTurn() {
        try (ActionSchedule schedule = new ActionSchedule(world, "test")) {
            schedule.after(Duration.ofSeconds(1), () -> {
                throw new IllegalStateException("of a listener");
            });
            schedule.after(Duration.ofSeconds(2), () -> {
                throw new OutOfMemoryError("for a moment");
            });
            schedule.after(Duration.ofSeconds(3), () -> calls.add("third"));
            world.runFor(Duration.ofSeconds(5));
            schedule.after(Duration.ofSeconds(1), () -> calls.add("fourth"));
            world.runFor(Duration.ofSeconds(5));
        }
        assertThat(calls).containsExactly("third", "fourth");
    }
}
