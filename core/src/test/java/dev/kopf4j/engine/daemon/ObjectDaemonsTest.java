package dev.kopf4j.engine.daemon;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Body;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.Meta;
import dev.kopf4j.Spec;
import dev.kopf4j.engine.simulation.DaemonScenario;
import dev.kopf4j.engine.simulation.Scenario;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Daemons run beside their objects until these end: how many run, and what they see. Tests {@link ObjectDaemons}. */
class ObjectDaemonsTest {
    private final DaemonScenario story = new DaemonScenario();

    @AfterEach
    void end() {
        story.close();
    }

    @Test
    @Tag("E01")
    @Tag("E02")
    @Tag("E08")
    void oneRunsBesideEachObjectFromItsFinalizerToItsDeletion() {
        story.start(story.daemon(h -> {}, context -> {
            assertThat(story.isHeld()).isTrue();
            context.stopped().await();
            story.say(context.name() + " ends " + context.stopped().reasons());
            return null;
        }));
        story.create();
        story.server.create(Scenario.example("y"));
        story.pass(Duration.ofHours(1));
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "starts 0 at 0.5");
        story.server.delete("x");
        story.rest();
        assertThat(story.calls).hasSize(3).last().isEqualTo("x ends [RESOURCE_DELETED] at 3600.5");
        assertThat(story.server.exists("x")).isFalse();
        assertThat(story.server.exists("y")).isTrue();
    }

    @Test
    @Tag("E01")
    void listedObjectsHaveTheirsToo() {
        story.create();
        story.start(story.daemon(h -> {}, story.untilStopped()));
        assertThat(story.calls).containsExactly("starts 0 at 0.0");
    }

    @Test
    @Tag("E02")
    void theSignIsAskedForOrWaitedForWithATimeLimit() {
        story.start(story.daemon(h -> {}, context -> {
            while (!context.stopped().await(Duration.ofSeconds(10))) {
                story.say("works, stopped " + context.stopped().isSet() + " "
                        + context.stopped().reasons());
            }
            story.say("ends, stopped " + context.stopped().isSet());
            return null;
        }));
        story.create();
        story.pass(Duration.ofSeconds(25));
        story.server.delete("x");
        story.rest();
        assertThat(story.calls)
                .containsExactly(
                        "starts 0 at 0.5",
                        "works, stopped false [] at 10.5",
                        "works, stopped false [] at 20.5",
                        "ends, stopped true at 25.5");
    }

    @Test
    @Tag("E16")
    void eventsDoNotStartASecondOne() {
        story.start(story.daemon(h -> {}, story.untilStopped()));
        story.create();
        for (int i = 0; i < 10; i++) {
            story.rest();
            story.server.change("x", "spec.field", "f" + i);
            story.server.endWatches();
        }
        story.server.replay();
        story.rest();
        assertThat(story.calls).containsExactly("starts 0 at 0.5");
    }

    @Test
    @Tag("E16")
    void severalOfOneObjectRunSideBySide() {
        story.start(builder -> story.daemon(h -> {}, story.untilStopped())
                .apply(builder)
                .onDaemon("kex", "other", this::alsoUntilStopped));
        story.create();
        story.rest();
        story.server.delete("x");
        story.rest();
        assertThat(story.calls)
                .containsExactlyInAnyOrder(
                        "starts 0 at 0.5",
                        "other starts at 0.5",
                        "ends [RESOURCE_DELETED] at 1.0",
                        "other ends at 1.0");
    }

    @Test
    @Tag("E08")
    void objectsThatVanishTakeTheirDaemonsAlong() {
        story.start(story.daemon(h -> {}, story.untilStopped()));
        story.create();
        story.rest();
        story.server.change("x", "metadata.finalizers", null);
        story.server.delete("x");
        story.rest();
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "ends [RESOURCE_DELETED] at 1.0");
    }

    @Test
    @Tag("E15")
    void viewsAlwaysShowTheNewestState() {
        story.start(story.daemon(h -> {}, context -> {
            Body body = context.body();
            Spec spec = context.spec();
            Meta meta = context.meta();
            while (!context.stopped().await(Duration.ofSeconds(10))) {
                story.say(spec.getString("field", "") + body.spec().getString("field", "") + meta.labels());
            }
            return null;
        }));
        story.create();
        story.pass(Duration.ofSeconds(12));
        story.server.change("x", "spec.field", "b");
        story.server.change("x", "metadata.labels", Map.of("l", "m"));
        story.pass(Duration.ofSeconds(10));
        assertThat(story.calls).containsExactly("starts 0 at 0.5", "aa{} at 10.5", "bb{l=m} at 20.5");
    }

    private Object alsoUntilStopped(HandlerContext context) throws InterruptedException {
        story.say("other starts");
        context.stopped().await();
        story.say("other ends");
        return Map.of();
    }
}
