package dev.kopf4j.engine.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Handler;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.engine.call.HandlerFixtures;
import dev.kopf4j.engine.cause.Cause.Change;
import dev.kopf4j.engine.cycle.OutdatedHandlerRerun.SeenStates;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import tools.jackson.databind.node.ObjectNode;

/**
 * An object is changed after some of its handlers have ended and before others have: each handler sees the new state.
 * Tests {@link OutdatedHandlerRerun}, {@link SeenStates} and {@link ChangeHandling}.
 */
class OutdatedHandlerRerunTest {
    private final Scenario story = new Scenario();
    private final Set<String> failed = new HashSet<>();

    @AfterEach
    void end() {
        story.close();
    }

    private void called(HandlerContext context) {
        story.calls.add(context.diff().items().stream()
                .map(item -> String.join(".", item.field()) + " " + item.oldValue() + " -> " + item.newValue())
                .collect(Collectors.joining("; ", context.handlerId() + ": ", "")));
    }

    private Handler quick() {
        return context -> {
            called(context);
            return null;
        };
    }

    /** Needs a second attempt, a minute later. */
    private Handler slow() {
        return context -> {
            if (failed.add(context.handlerId())) {
                throw new TemporaryException("not yet", Duration.ofMinutes(1));
            }
            called(context);
            return null;
        };
    }

    private UnaryOperator<OperatorBuilder> updating(Handler first, Handler second) {
        return builder -> builder.onUpdate("kex", "first", first).onUpdate("kex", "second", second);
    }

    private void assertAtRest(String field) {
        ObjectNode object = story.server.object("x");
        assertThat(object.path("metadata").path("annotations").propertyNames())
                .as("only the state that was handled last")
                .containsExactly(Scenario.LAST_HANDLED);
        assertThat(object.path("metadata")
                        .path("annotations")
                        .path(Scenario.LAST_HANDLED)
                        .asString(""))
                .contains("\"field\":\"" + field + "\"");
        int before = story.server.patches().size();
        story.pass(Duration.ofHours(1));
        assertThat(story.server.patches()).as("nothing more is sent").hasSize(before);
    }

    @Test
    void whoHasEndedIsCalledForTheRestAndNobodyElse() {
        story.server.create(Scenario.handled());
        story.start(updating(quick(), slow()));
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofSeconds(10));
        story.server.change("x", "spec.field", "c");
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls)
                .containsExactly("first: spec.field a -> b", "second: spec.field a -> c", "first: spec.field b -> c");
        assertAtRest("c");
    }

    @Test
    void eachHearsExactlyOfWhatItHasNotSeen() {
        story.server.create(Scenario.handled());
        story.start(builder ->
                updating(quick(), slow()).apply(builder).onField("kex", "other", h -> h.field("spec.other"), quick()));
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofSeconds(10));
        story.server.change("x", "spec.other", "x");
        story.pass(Duration.ofSeconds(10));
        story.server.change("x", "spec.other", "y");
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls)
                .containsExactly(
                        "first: spec.field a -> b",
                        "other/spec.other:  null -> x",
                        "second: spec.other null -> y; spec.field a -> b",
                        "first: spec.other null -> y",
                        "other/spec.other:  x -> y");
        assertAtRest("b");
    }

    @Test
    void aSubHandlerThatHasSeenTheNewestStateIsNotCalledAgainForItsSibling() {
        story.server.create(Scenario.handled());
        story.start(builder -> builder.onUpdate("kex", "parent", context -> {
            for (String id : context.spec().requireString("field").split(",", -1)) {
                context.subHandlers().add(id, id.equals("slow") ? slow() : quick());
            }
            return null;
        }));
        story.server.change("x", "spec.field", "p,slow");
        story.pass(Duration.ofSeconds(10));
        story.server.change("x", "spec.field", "p,r");
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls)
                .containsExactly(
                        "parent/p: spec.field a -> p,slow",
                        "parent/r: spec.field a -> p,r",
                        "parent/p: spec.field p,slow -> p,r");
        assertAtRest("p,r");
    }

    /**
     * What ends beside an outdated sub-handler keeps what it has made, on all levels; the parent's own steps do not.
     */
    @Test
    void parentsBeginAnewBesideWhatHasSeenTheNewestState() {
        story.server.create(Scenario.handled());
        story.start(builder -> builder.onUpdate("kex", "parent", context -> {
            context.steps().run("own", () -> story.calls.add("step"));
            context.subHandlers().add("upper", upper -> {}, inner -> {
                inner.subHandlers().add("first", quick());
                inner.subHandlers().add("second", slow());
                return null;
            });
            context.subHandlers().add("last", quick());
            return null;
        }));
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofSeconds(10));
        story.server.change("x", "spec.field", "c");
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls.stream().filter(call -> call.endsWith("-> c") || call.equals("step")))
                .containsExactlyInAnyOrder(
                        "step",
                        "parent/upper/second: spec.field a -> c",
                        "step",
                        "parent/upper/first: spec.field b -> c",
                        "parent/last: spec.field b -> c");
    }

    @Test
    void whatComesAfterACreationHandlerIsAnUpdate() {
        story.start(builder -> builder.onCreate("kex", "first", quick())
                .onCreate("kex", "second", slow())
                .onUpdate("kex", "update", quick()));
        story.server.create(Scenario.example());
        story.pass(Duration.ofSeconds(10));
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls).hasSize(3).last().isEqualTo("update: spec.field a -> b");
        assertAtRest("b");
    }

    @Test
    void whoWasToldOfTheStartIsNotToldAgainWithTheRestOfAChange() {
        story.server.create(Scenario.handled());
        story.server.change("x", "spec.field", "b");
        story.start(builder -> updating(quick(), slow()).apply(builder).onResume("kex", "resume", quick()));
        story.pass(Duration.ofSeconds(10));
        story.server.change("x", "spec.field", "c");
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls)
                .containsExactly(
                        "first: spec.field a -> b",
                        "resume: spec.field a -> b",
                        "second: spec.field a -> c",
                        "first: spec.field b -> c");
        assertAtRest("c");
    }

    private UnaryOperator<OperatorBuilder> creatingWithField(Handler update) {
        return builder -> builder.onCreate("kex", "first", quick())
                .onField("kex", "second", h -> h.field("spec.field"), slow())
                .onUpdate("kex", "update", update);
    }

    @Test
    void whatFollowsACreationIsToldExactlyThoughAFieldWasSeenInAnotherState() {
        story.start(creatingWithField(quick()));
        story.server.create(Scenario.example());
        story.pass(Duration.ofSeconds(10));
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls)
                .startsWith("first:  null -> {spec={field=a}}", "second/spec.field:  null -> b")
                .endsWith("update: spec.field a -> b")
                .filteredOn(call -> call.endsWith("-> b"))
                .containsExactly("second/spec.field:  null -> b", "update: spec.field a -> b");
        assertAtRest("b");
    }

    /** It joins the creation, as that is not handled before the slow handler has ended. */
    @Test
    void aFieldThatComesDuringACreationIsToldOnce() {
        story.start(builder ->
                builder.onCreate("kex", "slow", slow()).onField("kex", "other", h -> h.field("spec.other"), quick()));
        story.server.create(Scenario.example());
        story.pass(Duration.ofSeconds(10));
        story.server.change("x", "spec.other", 1);
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls)
                .filteredOn(call -> call.startsWith("other"))
                .containsExactly("other/spec.other:  null -> 1");
        assertAtRest("a");
        story.server.change("x", "spec.other", 2);
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).endsWith("other/spec.other:  1 -> 2");
    }

    @Test
    void whoHasSeenMoreThanACreationHandlerHearsOfTheWayBackAlsoAfterARestart() {
        story.start(creatingWithField(quick()));
        story.server.create(Scenario.example());
        story.pass(Duration.ofSeconds(10));
        story.server.change("x", "spec.field", "b");
        writeOnceAfter("second/spec.field:  null -> b");
        story.pass(Duration.ofMinutes(2));
        story.kill();
        story.server.faults(FakeApiServer.Faults.NONE);
        story.server.change("x", "spec.field", "a");
        story.start(creatingWithField(quick()));
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls).contains("second/spec.field:  null -> a");
        assertAtRest("a");
    }

    /** Only of the field that was seen otherwise nobody knows what it was. */
    @Test
    void whatNobodyHasSeenOtherwiseIsToldFromItsOldValueAfterARestart() {
        story.start(creatingWithField(quick()));
        ObjectNode object = Scenario.example();
        object.withObject("spec").put("other", 1);
        story.server.create(object);
        story.pass(Duration.ofSeconds(10));
        story.server.change("x", "spec.other", 2);
        story.server.change("x", "spec.field", "b");
        writeOnceAfter("second/spec.field:  null -> b");
        story.pass(Duration.ofMinutes(2));
        story.kill();
        story.server.faults(FakeApiServer.Faults.NONE);
        story.start(creatingWithField(quick()));
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls).endsWith("update: spec.field null -> b; spec.other 1 -> 2");
        assertAtRest("b");
    }

    /** The answer to a checkpoint shows that the object has changed; the process dies after its next request. */
    @Test
    @Tag("L02")
    void whatComesWhileTheLastHandlerRunsIsNotLostByAKillBehindIt() {
        Handler long30 = context -> {
            called(context);
            story.world.sleep(Duration.ofSeconds(30));
            return null;
        };
        story.server.create(Scenario.handled());
        story.start(updating(quick(), long30));
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofMillis(20));
        story.server.change("x", "spec.field", "c");
        story.pass(Duration.ofSeconds(10));
        int checkpoint = story.server.patches().size();
        onlyOneMorePatch();
        story.pass(Duration.ofMinutes(1));
        assertThat(story.server.patches()).hasSize(checkpoint + 1);
        assertThat(story.calls).startsWith("first: spec.field a -> b", "second: spec.field a -> b");
        story.kill();
        story.calls.clear();
        story.server.faults(FakeApiServer.Faults.NONE);
        story.start(updating(quick(), quick()));
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls).containsExactly("first: spec.field b -> c", "second: spec.field b -> c");
        assertAtRest("c");
    }

    /** Requests after that get no answer: the process might as well be dead. */
    private void onlyOneMorePatch() {
        story.server.faults(new FakeApiServer.Faults() {
            private boolean written;

            @Override
            public void before(TransportRequest transportRequest) throws IOException {
                if (written && transportRequest.method().equals("PATCH")) {
                    throw new IOException("out of order");
                }
            }

            @Override
            public void after(TransportRequest transportRequest) {
                written |= transportRequest.method().equals("PATCH");
            }
        });
    }

    /** Behind the end of a creation everything is written by one request; then there is trouble. */
    private void writeOnceAfter(String lastCall) {
        story.server.faults(new FakeApiServer.Faults() {
            private boolean written;

            @Override
            public void before(TransportRequest transportRequest) throws IOException {
                if (written && transportRequest.method().equals("PATCH")) {
                    throw new IOException("out of order");
                }
            }

            @Override
            public void after(TransportRequest transportRequest) {
                written |= transportRequest.method().equals("PATCH") && story.calls.contains(lastCall);
            }
        });
    }

    @Test
    void theWayBackIsAChangeForThoseWhoHaveGoneAlong() {
        story.server.create(Scenario.handled());
        story.start(updating(quick(), slow()));
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofSeconds(10));
        story.server.change("x", "spec.field", "a");
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls)
                .containsExactly("first: spec.field a -> b", "first: spec.field b -> a", "second: spec.field b -> a");
        assertAtRest("a");
    }

    /** The update is undone while the operator starts: who has gone along hears of it, and nobody else. */
    private UnaryOperator<OperatorBuilder> undoneAtTheStart(Handler other) {
        return builder -> builder.onUpdate("kex", "first", quick())
                .onUpdate("kex", "both", other)
                .onResume("kex", "both", other);
    }

    private void undoAtTheStart() {
        ObjectNode object = Scenario.handled();
        object.withObject("spec").put("field", "b");
        story.server.create(object);
        story.start(undoneAtTheStart(slow()));
        story.pass(Duration.ofSeconds(10));
        assertThat(story.calls).containsExactly("first: spec.field a -> b");
        story.server.change("x", "spec.field", "a");
    }

    @Test
    void whoIsCalledForTheStartOfTheOperatorHasSeenTheNewestState() {
        undoAtTheStart();
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls).containsExactly("first: spec.field a -> b", "both: ", "first: spec.field b -> a");
        assertAtRest("a");
    }

    @Test
    @Tag("L02")
    void whoIsCalledForTheStartOfTheOperatorHasSeenTheNewestStateAlsoAfterAKill() {
        undoAtTheStart();
        writeOnceAfter("both: ");
        story.pass(Duration.ofMinutes(5));
        story.kill();
        story.calls.clear();
        story.server.faults(FakeApiServer.Faults.NONE);
        story.start(undoneAtTheStart(quick()));
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls).containsExactly("first: spec.field b -> a");
        assertAtRest("a");
    }

    @Test
    void whoHasNotGoneAlongHearsOfTheNextAttempt() {
        story.server.create(Scenario.handled());
        story.start(updating(quick(), slow()));
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofSeconds(10));
        beforeTheNextPatch(() -> story.server.change("x", "spec.field", "b"));
        story.server.change("x", "spec.field", "a");
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls).endsWith("first: spec.field a -> b", "second: spec.field a -> b");
        assertAtRest("b");
    }

    private void beforeTheNextPatch(Runnable change) {
        story.server.faults(new FakeApiServer.Faults() {
            private boolean changed;

            @Override
            public void before(TransportRequest transportRequest) {
                if (!changed && transportRequest.method().equals("PATCH")) {
                    changed = true;
                    change.run();
                }
            }
        });
    }

    /** The other handler has to hear of something else, so that it is not the whole change that is taken back. */
    @Test
    void whoseFieldWentToAndFroHearsOfTheNextAttempt() {
        story.server.create(Scenario.handled());
        List<Integer> attempts = new ArrayList<>();
        story.start(builder -> builder.onUpdate("kex", "first", quick())
                .onField("kex", "second", h -> h.field("spec.field"), context -> {
                    attempts.add(context.retry());
                    return slow().handle(context);
                }));
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofSeconds(10));
        beforeTheNextPatch(() -> story.server.change("x", "spec.field", "b"));
        story.server.change("x", "spec", Map.of("field", "a", "other", "x"));
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls)
                .containsExactly(
                        "first: spec.field a -> b", "first: spec.other null -> x", "second/spec.field:  a -> b");
        assertThat(attempts).as("a new change, with attempts of its own").containsExactly(0, 0);
        assertAtRest("b");
    }

    @Test
    void theWayBackOfOneFieldCountsAlsoIfNobodyCaresForTheRest() {
        story.server.create(Scenario.handled());
        story.start(builder -> builder.onField("kex", "first", h -> h.field("spec.field"), quick())
                .onField("kex", "second", h -> h.field("spec.field"), slow()));
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofSeconds(10));
        story.server.change("x", "spec", Map.of("field", "a", "other", "x"));
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls)
                .containsExactly(
                        "first/spec.field:  a -> b", "first/spec.field:  b -> a", "second/spec.field:  b -> a");
        assertAtRest("a");
    }

    @Test
    void whatAHandlerChangesItselfIsNoNewsToIt() {
        story.server.create(Scenario.handled());
        Handler labels = context -> {
            called(context);
            context.patch().label("size", "large");
            return null;
        };
        story.start(updating(labels, slow()));
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls)
                .containsExactly(
                        "first: spec.field a -> b",
                        "second: metadata null -> {labels={size=large}}; spec.field a -> b");
        assertAtRest("b");
    }

    @Test
    void aParentIsCalledAgainForItsOutdatedSubHandlersAlone() {
        story.server.create(Scenario.handled());
        story.start(builder -> builder.onUpdate("kex", "parent", context -> {
            context.subHandlers().add("first", quick());
            context.subHandlers().add("second", slow());
            return null;
        }));
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofSeconds(10));
        story.server.change("x", "spec.field", "c");
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls)
                .containsExactly(
                        "parent/first: spec.field a -> b",
                        "parent/second: spec.field a -> c",
                        "parent/first: spec.field b -> c");
        assertAtRest("c");
    }

    /** The parent itself has seen the newest state in the creation. */
    @Test
    void aFieldsHandlerIsCalledAgainAfterACreationForItsOutdatedSubHandler() {
        story.start(builder -> builder.onField("kex", "parent", h -> h.field("spec.field"), context -> {
            context.subHandlers().add("first", quick());
            context.subHandlers().add("second", slow());
            return null;
        }));
        story.server.create(Scenario.example());
        story.pass(Duration.ofSeconds(10));
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls)
                .filteredOn(call -> call.contains("/first"))
                .containsExactly("parent/spec.field/first:  null -> a", "parent/spec.field/first:  a -> b");
        assertAtRest("b");
    }

    @Test
    @Tag("C35")
    void subHandlersLeaveNothingBehindIfSomebodyRemovesWhatIsKnownOfTheirParent() {
        story.server.create(Scenario.handled());
        story.start(builder -> builder.onUpdate("kex", "parent", context -> {
            if (context.spec().getString("field", "").equals("b")) {
                context.subHandlers().add("first", quick());
                context.subHandlers().add("second", slow());
            }
            return null;
        }));
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofSeconds(10));
        story.server.change("x", "spec.field", "c");
        removeAnnotation("kopf.zalando.org/parent");
        story.pass(Duration.ofMinutes(5));
        assertAtRest("c");
    }

    @Test
    @Timeout(20)
    void theStateThatThousandsOfSubHandlersHaveSeenIsReadOnce() {
        ObjectNode state = Json.object();
        IntStream.range(0, 100_000).forEach(_ -> state.withArray("a").addArray());
        List<String> ids =
                IntStream.range(0, 20_000).mapToObj(i -> "parent/" + i).toList();
        SeenStates seen = new SeenStates();
        seen.note(ids, Change.between(null, state));
        assertThat(seen.endedWith(state)).hasSameSizeAs(ids);
        ObjectNode after = Scenario.json("{'a':'b'}");
        seen.ownChangeMade(state, after);
        assertThat(seen.endedWith(after)).hasSameSizeAs(ids);
    }

    /** What is stored may be of the operator's former version, or of somebody who means no good. */
    @Test
    void whatIsStoredOfUnknownHandlersIsForgotten() {
        SeenStates seen = new SeenStates();
        ObjectNode record =
                Scenario.json("{'base':'','handlers':['fn','fn/a','gone','fnx','gone/fn'],'state':{'a':'b'}}");
        seen.recall(record, Change.between(null, Json.object()), List.of(HandlerFixtures.update(_ -> {})));
        assertThat(seen.handlers()).containsExactlyInAnyOrder("fn", "fn/a");
    }

    private void removeAnnotation(String key) {
        ObjectNode annotations = (ObjectNode)
                story.server.object("x").path("metadata").path("annotations").deepCopy();
        assertThat(annotations.propertyNames()).contains(key);
        annotations.remove(key);
        story.server.change("x", "metadata.annotations", Json.toJava(annotations));
    }
}
