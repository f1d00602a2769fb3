package dev.kopf4j.engine.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.engine.simulation.DaemonScenario;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Daemons run while their filters match. Tests {@link ObjectDaemons}. */
class DaemonFiltersTest {
    private final DaemonScenario story = new DaemonScenario();
    private boolean filterFails;

    @AfterEach
    void end() {
        story.close();
    }

    @Test
    @Tag("E02")
    @Tag("E05")
    @Tag("E16")
    void filtersThatDoNotMatchAnyMoreStopItAndThoseThatMatchAgainStartIt() {
        story.start(story.daemon(h -> h.labels("app=web"), story.untilStopped()));
        story.create();
        story.rest();
        assertThat(story.calls).isEmpty();
        assertThat(story.isHeld()).isFalse();
        story.server.change("x", "metadata.labels", Map.of("app", "web"));
        story.rest();
        assertThat(story.isHeld()).isTrue();
        story.server.change("x", "metadata.labels", Map.of("app", "none"));
        story.rest();
        assertThat(story.isHeld()).isFalse();
        story.server.change("x", "metadata.labels", Map.of("app", "web"));
        story.rest();
        assertThat(story.calls).containsExactly("starts 0 at 1.0", "ends [FILTERS_MISMATCH] at 1.5", "starts 0 at 2.0");
    }

    @Test
    @Tag("E05")
    @Tag("E16")
    void oneThatIsStillEndingIsStartedAgainAfterItsEnd() {
        story.start(story.daemon(h -> h.labels("!off"), context -> {
            context.stopped().await();
            story.world.sleep(Duration.ofSeconds(20));
            story.say("ends");
            return null;
        }));
        story.create();
        story.rest();
        story.server.change("x", "metadata.labels", Map.of("off", "yes"));
        story.rest();
        assertThat(story.isHeld()).as("while it runs").isTrue();
        story.server.change("x", "metadata.labels", null);
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "ends at 21.0", "starts 0 at 21.0");
    }

    @Test
    @Tag("E05")
    void callbacksAreAskedOnceWithEachEvent() {
        story.start(story.daemon(
                h -> h.when(context -> {
                    story.say("asked");
                    return false;
                }),
                story.untilStopped()));
        story.create();
        story.rest();
        story.server.change("x", "spec.field", "b");
        story.rest();
        assertThat(story.calls).containsExactly("asked at 0.5", "asked at 1.0");
    }

    @Test
    @Tag("E05")
    void callbacksAreAskedAgainWithEachEvent() {
        story.start(story.daemon(
                h -> h.when(context -> context.spec().getString("field", "").equals("a")), story.untilStopped()));
        story.create();
        story.rest();
        story.server.change("x", "spec.field", "b");
        story.rest();
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "ends [FILTERS_MISMATCH] at 1.0");
        assertThat(story.isHeld()).isFalse();
    }

    @Test
    void aFilterThatFailsNeitherStopsNorStartsItAndIsAskedAgain() {
        story.start(story.daemon(
                h -> h.when(context -> {
                    if (filterFails) {
                        throw new IllegalStateException("on purpose");
                    }
                    return true;
                }),
                story.untilStopped()));
        story.create();
        story.rest();
        filterFails = true;
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofMinutes(3));
        assertThat(story.calls).containsExactly("starts 0 at 0.5");
        filterFails = false;
        story.pass(Duration.ofMinutes(2));
        assertThat(story.calls).containsExactly("starts 0 at 0.5");
        story.server.delete("x");
        story.rest();
        filterFails = true;
        story.create();
        story.pass(Duration.ofMinutes(3));
        assertThat(story.calls).hasSize(2);
        filterFails = false;
        story.pass(Duration.ofMinutes(2));
        assertThat(story.calls).hasSize(3);
    }

    @Test
    @Tag("E05")
    void fieldsAreFiltersToo() {
        story.start(story.daemon(h -> h.field("status.ready").fieldValue(true), story.untilStopped()));
        story.create();
        story.rest();
        story.server.change("x", "status", Map.of("ready", true));
        story.rest();
        story.server.change("x", "status", Map.of("ready", false));
        story.rest();
        assertThat(story.calls).containsExactly("starts 0 at 1.0", "ends [FILTERS_MISMATCH] at 1.5");
    }
}
