package dev.kopf4j.engine.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.engine.simulation.DaemonScenario;
import dev.kopf4j.engine.simulation.Scenario;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Daemons start at once or after a delay. Tests {@link ObjectDaemons} and {@link RunningDaemon}. */
class DaemonStartTest {
    private final DaemonScenario story = new DaemonScenario();

    @AfterEach
    void end() {
        story.close();
    }

    @Test
    @Tag("E03")
    void startsAfterItsInitialDelay() {
        story.start(story.daemon(h -> h.initialDelay(Duration.ofSeconds(30)), story.untilStopped()));
        story.create();
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).containsExactly("starts 0 at 30.5");
    }

    @Test
    @Tag("E03")
    void theInitialDelayMayDependOnTheObject() {
        story.start(story.daemon(
                h -> h.initialDelay(context -> Duration.ofSeconds(context.name().equals("x") ? 7 : 9)),
                story.untilStopped()));
        story.create();
        story.server.create(Scenario.example("y"));
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).containsExactly("starts 0 at 7.5", "starts 0 at 9.5");
    }

    @Test
    void oneThatTheObjectDidNotFitBeginsAnewWhenTheObjectHasChanged() {
        story.start(story.daemon(h -> {}, context -> {
            story.say("size " + context.spec().getInt("field", 1));
            return story.untilStopped().handle(context);
        }));
        story.create();
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).containsExactly("starts 0 at 0.5");
        assertThat(story.isHeld()).isTrue();
        story.server.change("x", "spec.field", 5);
        story.rest();
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "starts 0 at 60.5", "size 5 at 60.5");
        story.server.delete("x");
        story.rest();
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    void anObjectThatFitsNoDaemonCanBeDeleted() {
        story.start(story.daemon(h -> {}, context -> context.spec().getInt("field", 1)));
        story.create();
        story.rest();
        assertThat(story.isHeld()).isTrue();
        story.server.delete("x");
        story.rest();
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("E03")
    void noInitialDelayOrANegativeOneIsTheStart() {
        story.start(story.daemon(
                h -> h.initialDelay(context -> context.name().equals("x") ? null : Duration.ofDays(-1)),
                story.untilStopped()));
        story.create();
        story.server.create(Scenario.example("y"));
        story.rest();
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "starts 0 at 0.5");
        assertThat(story.lines(Level.ERROR)).isEmpty();
    }

    @Test
    @Tag("E03")
    void deletionsDoNotWaitForInitialDelays() {
        story.start(story.daemon(h -> h.initialDelay(Duration.ofDays(1)), story.untilStopped()));
        story.create();
        story.rest();
        assertThat(story.isHeld()).isTrue();
        story.server.delete("x");
        story.rest();
        assertThat(story.server.exists("x")).isFalse();
        assertThat(story.calls).isEmpty();
    }

    @Test
    @Tag("E03")
    void anInitialDelayThatFailsIsToldAndTheDaemonIsNotStarted() {
        story.start(story.daemon(
                h -> h.initialDelay(context -> {
                    throw new IllegalStateException("no idea");
                }),
                story.untilStopped()));
        story.create();
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls).isEmpty();
        assertThat(story.lines(Level.ERROR)).singleElement().asString().contains("initial delay", "no idea");
        story.server.delete("x");
        story.rest();
        assertThat(story.server.exists("x")).isFalse();
    }

    /** Its message is made of a cause that is not there. */
    private static final class WithoutCause extends RuntimeException {
        private static final long serialVersionUID = 1L;

        @Override
        @SuppressWarnings("NullAway") // users' compilers may not look
        public String getMessage() {
            return "failed: " + getCause().getMessage();
        }
    }

    @Test
    @Tag("E03")
    void anInitialDelayWhoseFailureCannotBeToldHoldsNoDeletion() {
        story.start(story.daemon(
                h -> h.initialDelay(context -> {
                    throw new WithoutCause();
                }),
                story.untilStopped()));
        story.create();
        story.pass(Duration.ofMinutes(5));
        assertThat(story.lines(Level.ERROR))
                .singleElement()
                .asString()
                .contains(
                        "initial delay", "WithoutCause", "its message cannot be read: java.lang.NullPointerException");
        story.server.delete("x");
        story.rest();
        assertThat(story.server.exists("x")).isFalse();
    }
}
