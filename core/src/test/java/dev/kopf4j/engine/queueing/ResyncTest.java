package dev.kopf4j.engine.queueing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.engine.simulation.Scenario;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What happens when all objects are listed again though nothing is wrong. Tests {@code ListAndWatchLoop}, too. */
class ResyncTest {
    private final Scenario story = new Scenario();

    @AfterEach
    void end() {
        story.close();
    }

    private void start(boolean resync) {
        story.start(builder -> builder.settings(
                        s -> s.watching().resyncInterval(resync ? Duration.ofMinutes(10) : null))
                .onCreate("kex", "create", story.noting("create"))
                .onUpdate("kex", "update", story.noting("update"))
                .onResume("kex", "resume", story.noting("resume"))
                .onEvent("kex", "event", story.noting("event"))
                .onIndex("kex", "index", context -> {
                    story.calls.add("index");
                    return java.util.Map.of("x", "y");
                }));
    }

    private long calls(String what) {
        return story.calls.stream().filter(what::equals).count();
    }

    @Test
    @Tag("M65")
    void objectsAreSeenAgainButNothingIsRepeatedOrWritten() {
        start(true);
        story.server.create(Scenario.example("x"));
        story.pass(Duration.ofMinutes(1));
        int patches = story.server.patches().size();
        long events = calls("event");
        long indexed = calls("index");
        story.pass(Duration.ofHours(1));
        assertThat(story.server.listCount()).isBetween(6, 8);
        assertThat(calls("event") - events).isBetween(5L, 7L);
        assertThat(calls("index") - indexed).isBetween(5L, 7L);
        assertThat(calls("create")).isEqualTo(1);
        assertThat(calls("update")).isZero();
        assertThat(story.server.patches()).hasSize(patches);
    }

    @Test
    @Tag("M65")
    void changesThatTheStreamHasLostAreHandled() {
        start(true);
        story.server.create(Scenario.example("x"));
        story.pass(Duration.ofMinutes(1));
        story.server.hold();
        story.server.change("x", "spec.field", "lost");
        story.pass(Duration.ofMinutes(12));
        assertThat(calls("update")).isEqualTo(1);
    }

    @Test
    @Tag("M65")
    void nothingIsListedAgainByDefault() {
        start(false);
        story.server.create(Scenario.example("x"));
        story.pass(Duration.ofHours(10));
        assertThat(story.server.listCount()).isEqualTo(1);
    }
}
