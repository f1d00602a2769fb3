package dev.kopf4j.engine.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.PermanentException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.json.FieldPath;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Another program replaces the metadata of an object each time the operator has written there, as controllers do that
 * write an object as a whole. The two must not go on without a pause. Tests {@link Repetition}.
 */
class RemovedStateTest extends InterventionScenario {
    /** Policy engines forbid finalizers that they do not know. */
    @Test
    void anAdmissionThatDropsTheFinalizerIsTold() {
        story.server.admission(object -> object.withObject("/metadata").remove("finalizers"));
        story.start(builder -> handlers(builder).onDelete("kex", "del", story.noting("delete")));
        story.server.create(Scenario.example());
        story.pass(Duration.ofMinutes(10));
        assertThat(called()).isEmpty();
        assertThat(patches()).hasSizeBetween(14, 16);
        assertThat(told("K4-027")).first().asString().contains("finalizer");
        story.server.admission(_ -> {});
        story.pass(Duration.ofMinutes(10));
        assertThat(called()).containsExactly("create");
    }

    @Test
    void anAdmissionThatDropsTheAnnotationsIsTold() {
        story.server.admission(object -> object.withObject("/metadata").remove("annotations"));
        story.start(builder -> handlers(builder).onCreate("kex", "bad", context -> {
            story.calls.add("bad");
            throw new TemporaryException("later", Duration.ofSeconds(1));
        }));
        story.server.create(Scenario.example());
        story.pass(Duration.ofMinutes(10));
        assertThat(story.calls).hasSizeBetween(2 * 13, 2 * 16);
        assertThat(told("K4-027")).first().asString().contains("annotations");
    }

    /** Such as one that notes who has changed the object, and when. */
    @Test
    void anAdmissionThatChangesTheObjectWithEachWritingIsTold() {
        int[] writings = {0};
        story.server.admission(object -> object.withObject("/spec").put("changed", writings[0]++));
        story.start(this::handlers);
        story.server.create(Scenario.example());
        story.pass(Duration.ofMinutes(10));
        // A hundred times at once, and then once in five seconds.
        assertThat(story.calls).hasSizeBetween(210, 230);
        assertThat(told("K4-028")).hasSize(7);
        assertThat(events()).contains("KeepsChanging");

        // What people change is handled at once.
        story.calls.clear();
        edit("spec.field", "b");
        assertThat(called()).isNotEmpty().containsOnly("update");
        story.server.admission(_ -> {});
        story.pass(Duration.ofMinutes(5));
        story.calls.clear();
        edit("spec.field", "c");
        assertThat(called()).containsExactly("update");
    }

    /** Each handling is two requests then, and the event of the first one comes by itself. */
    @Test
    void theSameGoesForObjectsWithAStatusOfTheirOwn() {
        int[] writings = {0};
        try (Scenario other = new Scenario(true)) {
            other.server.admission(object -> object.withObject("/spec").put("changed", writings[0]++));
            other.start(builder -> builder.onCreate("kex", "cre", other.noting("create"))
                    .onUpdate("kex", "upd", context -> {
                        other.calls.add("update");
                        context.patch().set("status.seen", other.calls.size());
                        return null;
                    }));
            other.server.create(Scenario.example());
            other.pass(Duration.ofMinutes(10));
            assertThat(other.calls).hasSizeBetween(150, 230);
            assertThat(other.log.lines(Level.WARN)).anyMatch(line -> line.contains("K4-028"));
        }
    }

    @Test
    void whatConcernsNobodyIsNotWrittenAgainAndAgainEither() {
        int[] writings = {0};
        story.server.admission(object -> object.withObject("/metadata/labels").put("changed", "n" + writings[0]++));
        story.start(builder -> builder.onCreate("kex", "cre", story.noting("create"))
                .onUpdate("kex", "upd", options -> options.field("spec"), story.noting("update")));
        story.server.create(Scenario.example());
        story.pass(Duration.ofMinutes(10));
        assertThat(story.calls).containsExactly("create");
        assertThat(patches()).hasSizeBetween(210, 230);
    }

    /** Handlers may change what other ones wait for. */
    @Test
    void manyUpdatesByTheOperatorItselfDoNotWait() {
        story.start(builder -> builder.onCreate("kex", "cre", story.noting("create"))
                .onUpdate("kex", "upd", context -> {
                    String phase = context.spec().getString("phase", "");
                    story.calls.add("update");
                    if (phase.length() < 79) {
                        context.patch().set("spec.phase", phase + "x");
                    }
                    return null;
                }));
        story.server.create(Scenario.example());
        story.rest();
        for (int i = 0; i < 3; i++) {
            story.calls.clear();
            edit("spec.phase", "");
            assertThat(called()).hasSize(80);
        }
        assertThat(told("K4-028")).isEmpty();
    }

    /**
     * Whoever edits the object while its handler is at work has changed it by the operator's own writing, as it seems.
     */
    @Test
    void editsBesideSlowHandlersDoNotWait() {
        story.start(builder -> builder.onCreate("kex", "cre", story.noting("create"))
                .onUpdate("kex", "upd", context -> {
                    story.calls.add("update");
                    story.world.sleep(Duration.ofSeconds(6));
                    return null;
                }));
        story.server.create(Scenario.example());
        for (int i = 0; i < 240; i++) {
            story.server.change("x", "spec.field", "b" + i);
            story.pass(Duration.ofSeconds(5));
        }
        assertThat(story.calls).hasSizeGreaterThan(150);
        assertThat(told("K4-028")).isEmpty();
    }

    /** Timers write what other handlers follow. */
    @Test
    void updatesByATimerDoNotWait() {
        story.start(builder -> handlers(builder)
                .onTimer("kex", "tick", options -> options.interval(Duration.ofSeconds(1)), context -> {
                    context.patch().set("spec.at", story.world.now().toString());
                    return null;
                }));
        story.server.create(Scenario.example());
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).hasSizeGreaterThan(55);
        assertThat(told("K4-028")).isEmpty();
    }

    /** Each writing of the operator is followed by the removal of those fields. */
    private void alwaysRemove(List<String> fields) {
        story.server.faults(new FakeApiServer.Faults() {
            @Override
            public void after(TransportRequest request) {
                if (request.method().equals("PATCH") && story.server.exists("x")) {
                    fields.stream()
                            .filter(field -> FieldPath.parse(field).isPresentIn(story.server.object("x")))
                            .forEach(field -> story.server.change("x", field, null));
                }
            }
        });
    }

    private OperatorBuilder handlers(OperatorBuilder builder) {
        return builder.onCreate("kex", "cre", story.noting("create")).onUpdate("kex", "upd", story.noting("update"));
    }

    private List<String> told(String code) {
        return story.log.lines(Level.WARN).stream()
                .filter(line -> line.contains(code))
                .toList();
    }

    private List<FakeApiServer.Request> patches() {
        return story.server.patches().stream()
                .filter(request -> request.path().startsWith("/apis/kopf.dev/"))
                .toList();
    }

    private Stream<String> events() {
        return story.server.events().stream().map(event -> event.path("reason").asString());
    }

    @Test
    void theCreationIsHandledLessAndLessOftenAndPeopleAreTold() {
        alwaysRemove(List.of("metadata.annotations"));
        story.start(this::handlers);
        story.server.create(Scenario.example());
        story.pass(Duration.ofMinutes(10));
        // At once, again at once, and then as queueing.errorDelays say, of which the first 13 are 609 seconds.
        assertThat(story.calls).hasSizeBetween(14, 16).containsOnly("create");
        // The first, the second, the fourth and the eighth time.
        assertThat(told("K4-027")).hasSize(4).first().asString().contains("annotations", "again in 1s.");
        assertThat(events()).contains("StateRemoved");
    }

    @Test
    void whenTheRemovalsEndTheObjectIsHandledOnceMoreAndThenAsEver() {
        alwaysRemove(List.of("metadata.annotations"));
        story.start(this::handlers);
        story.server.create(Scenario.example());
        story.pass(Duration.ofMinutes(1));
        story.server.faults(new FakeApiServer.Faults() {});
        story.calls.clear();
        story.pass(Duration.ofMinutes(2));
        assertThat(called()).containsExactly("create");
        edit("spec.field", "b");
        assertThat(called()).containsExactly("update");
        story.pass(Duration.ofMinutes(30));
        // That is a removal by itself.
        story.server.annotate("x", Scenario.LAST_HANDLED, null);
        story.rest();
        assertThat(called()).containsExactly("create");
    }

    @Test
    void aFailingHandlerWaitsAlthoughNobodyKnowsOfItsFailures() {
        alwaysRemove(List.of("metadata.annotations"));
        story.start(builder -> builder.onCreate("kex", "cre", context -> {
            story.calls.add("create");
            throw new TemporaryException("later", Duration.ofHours(1));
        }));
        story.server.create(Scenario.example());
        story.pass(Duration.ofMinutes(10));
        assertThat(story.calls).hasSizeBetween(14, 16);
    }

    /** Nobody is called, but what was handled last is written again. */
    @Test
    void withoutHandlersOfCreationsTheWritingWaits() {
        alwaysRemove(List.of("metadata.annotations"));
        story.start(builder -> builder.onUpdate("kex", "upd", story.noting("update")));
        story.server.create(Scenario.example());
        story.pass(Duration.ofMinutes(10));
        assertThat(patches()).hasSizeBetween(1, 16);
    }

    @Test
    void theFinalizerIsAddedLessAndLessOften() {
        alwaysRemove(List.of("metadata.finalizers"));
        story.start(builder -> handlers(builder).onDelete("kex", "del", story.noting("delete")));
        story.server.create(Scenario.example());
        story.pass(Duration.ofMinutes(10));
        assertThat(patches()).hasSizeBetween(14, 18);
        assertThat(told("K4-027")).first().asString().contains("finalizer");
        story.server.faults(new FakeApiServer.Faults() {});
        story.pass(Duration.ofMinutes(10));
        assertThat(called()).containsExactly("create");
        story.server.delete("x");
        story.rest();
        assertThat(called()).containsExactly("delete");
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    void aDeletionDoesNotWait() {
        alwaysRemove(List.of("metadata.annotations"));
        story.start(builder -> handlers(builder).onDelete("kex", "del", story.noting("delete")));
        story.server.create(Scenario.example());
        story.pass(Duration.ofMinutes(10));
        story.calls.clear();
        story.server.delete("x");
        story.rest();
        assertThat(called()).containsExactly("delete");
        assertThat(story.server.exists("x")).isFalse();
    }

    /** People do so on purpose, to have an object handled as a new one. */
    @ParameterizedTest
    @ValueSource(strings = {"metadata.annotations", "metadata.finalizers"})
    void removalsNowAndThenAreFollowedAtOnce(String field) {
        story.start(builder -> handlers(builder).onDelete("kex", "del", story.noting("delete")));
        story.server.create(Scenario.example());
        story.pass(Duration.ofSeconds(10));
        for (int i = 0; i < 20; i++) {
            story.calls.clear();
            story.server.change("x", field, null);
            story.rest();
            assertThat(called()).isEqualTo(field.endsWith("annotations") ? List.of("create") : List.of());
            assertThat(story.server.object("x").at("/metadata/finalizers")).hasSize(1);
            story.pass(Duration.ofMinutes(5));
        }
        assertThat(told("K4-027")).isEmpty();
    }

    @Test
    void aRetryOfTheCreationIsNoRepetition() {
        story.start(builder -> builder.onCreate("kex", "cre", context -> {
            story.calls.add("create");
            throw new PermanentException("no luck");
        }));
        story.server.create(Scenario.example());
        story.rest();
        for (int i = 0; i < 5; i++) {
            assertThat(called()).containsExactly("create");
            annotate("retry", "token-" + i + " cre");
        }
        assertThat(told("K4-027")).isEmpty();
    }
}
