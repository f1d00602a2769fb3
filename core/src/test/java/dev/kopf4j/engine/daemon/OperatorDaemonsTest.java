package dev.kopf4j.engine.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.engine.simulation.DaemonScenario;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** When the operator ends, its daemons end, whatever their code does. Tests {@link OperatorDaemons}. */
class OperatorDaemonsTest {
    private final DaemonScenario story = new DaemonScenario();

    @AfterEach
    void end() {
        story.close();
    }

    @Test
    @Tag("E02")
    @Tag("E09")
    @Tag("L22")
    void theEndOfTheOperatorStopsAll() {
        story.start(story.daemon(h -> {}, story.untilStopped()));
        story.create();
        story.rest();
        story.stop();
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "ends [OPERATOR_EXITING] at 1.0");
        assertThat(story.isHeld()).as("for the next process").isTrue();
        assertThat(story.world.describeTasks()).isEmpty();
    }

    @Test
    @Tag("L22")
    @Tag("E10")
    void whatIsReturnedAtTheEndOfTheOperatorIsWritten() {
        story.start(story.daemon(h -> {}, context -> {
            context.stopped().await();
            return "bye";
        }));
        story.create();
        story.rest();
        story.stop();
        assertThat(story.at("/status/dmn").asString()).isEqualTo("bye");
    }

    @Test
    @Tag("L22")
    void codeThatHangsIsInterruptedAfterFiveSecondsAndTheOperatorEndsAllTheSame() {
        story.start(story.daemon(h -> {}, context -> {
            story.deafFor(Duration.ofMinutes(10));
            return null;
        }));
        story.create();
        story.rest();
        story.stop();
        story.pass(Duration.ofSeconds(3));
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "is interrupted at 6.0");
        assertThat(story.warnings())
                .singleElement()
                .asString()
                .contains("Leaving it orphaned", "OPERATOR_EXITING", "deafFor");
        assertThat(story.world.describeTasks().lines().toList())
                .as("only the code that ignores everything")
                .singleElement()
                .asString()
                .contains("dmn@ns/x");
        story.pass(Duration.ofMinutes(10));
        assertThat(story.world.describeTasks()).isEmpty();
    }

    @Test
    @Tag("L22")
    void stagesOfItsOwnComeBeforeTheFiveSeconds() {
        story.start(story.daemon(
                h -> h.cancellationBackoff(Duration.ofSeconds(20)).cancellationTimeout(Duration.ofSeconds(10)),
                context -> {
                    story.world.sleep(Duration.ofHours(1));
                    return null;
                }));
        story.create();
        story.rest();
        story.stop();
        story.pass(Duration.ofMinutes(1));
        assertThat(story.lines(Level.DEBUG)).contains("debug: Daemon 'dmn' is signalled to exit by force.");
        assertThat(story.warnings()).isEmpty();
        assertThat(story.world.describeTasks()).isEmpty();
    }
}
