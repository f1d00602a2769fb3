package dev.kopf4j.engine.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.DiffBaseStorage;
import dev.kopf4j.Handler;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.ProgressStorage;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/**
 * How results and patches of handlers get onto the object. Tests {@link OutgoingPatch}, {@code HandlerResult} and
 * {@code PatchInconsistencies}.
 */
class OutgoingPatchTest {
    private Scenario story = new Scenario();

    @AfterEach
    void end() {
        story.close();
    }

    private UnaryOperator<OperatorBuilder> creating(Handler handler) {
        return builder -> builder.onCreate("kex", "fn", handler);
    }

    private void create() {
        story.server.create(Scenario.example());
        story.rest();
    }

    private record Claim(String name, @Nullable Integer size) {}

    @Test
    @Tag("C33")
    @Tag("L30")
    void resultsOfAllKindsLandInTheStatus() {
        story.start(builder -> builder.onCreate("kex", "map", context -> Map.of("a", 1))
                .onCreate("kex", "record", context -> new Claim("n", null))
                .onCreate("kex", "text", context -> "t")
                .onCreate("kex", "list", context -> List.of(1, "b"))
                .onCreate("kex", "nothing", context -> null));
        create();
        assertThat(story.at("/status"))
                .isEqualTo(Scenario.json("{'map':{'a':1},'record':{'name':'n'},'text':'t','list':[1,'b']}"));
    }

    @Test
    @Tag("L31")
    void aResultThatCannotBeStoredFailsItsHandlerAndNoOther() {
        story.start(builder ->
                builder.onCreate("kex", "odd", context -> new Object()).onCreate("kex", "even", context -> 2));
        create();
        assertThat(story.at("/status")).isEqualTo(Scenario.json("{'even':2}"));
        assertThat(story.infos()).last().isEqualTo("info: Creation is processed: 1 succeeded; 1 failed.");
        assertThat(story.lines(Level.ERROR)).singleElement().asString().contains("'odd'", "java.lang.Object");
    }

    private final Handler makingJob = context -> {
        story.calls.add("job");
        String claim =
                context.status().getMap("create_pvc").getOrDefault("name", "").toString();
        if (claim.isEmpty()) {
            throw new TemporaryException("no claim yet", Duration.ofSeconds(1));
        }
        return Map.of("uses", claim);
    };

    private final Handler makingClaim = context -> {
        story.calls.add("pvc");
        return Map.of("name", "pvc-1");
    };

    @Test
    @Tag("L01")
    void laterHandlersSeeTheResultsOfEarlierOnes() {
        story.start(
                builder -> builder.onCreate("kex", "create_pvc", makingClaim).onCreate("kex", "create_job", makingJob));
        create();
        assertThat(story.calls).as("without a retry").containsExactly("pvc", "job");
        assertThat(story.at("/status/create_job/uses").asString()).isEqualTo("pvc-1");
    }

    @Test
    @Tag("L01")
    void theWrongOrderWorksWithARetry() {
        story.start(
                builder -> builder.onCreate("kex", "create_job", makingJob).onCreate("kex", "create_pvc", makingClaim));
        create();
        story.pass(Duration.ofSeconds(5));
        assertThat(story.calls).containsExactly("job", "pvc", "job");
        assertThat(story.at("/status/create_job/uses").asString()).isEqualTo("pvc-1");
    }

    @Test
    @Tag("L01")
    void laterHandlersSeeThePatchesOfEarlierOnes() {
        List<Object> seen = new ArrayList<>();
        story.start(builder -> builder.onCreate("kex", "a", context -> {
                    context.patch().spec().set("field", "patched");
                    context.patch().label("l", "1");
                    seen.add(context.spec().getString("field", ""));
                    return null;
                })
                .onCreate("kex", "b", context -> {
                    seen.add(context.spec().getString("field", "") + context.labels());
                    return null;
                }));
        create();
        assertThat(seen).containsExactly("a", "patched{l=1}");
    }

    @Test
    @Tag("D26")
    void statusAndRestAreSentApartWhereTheStatusIsASubresource() {
        story.close();
        story = new Scenario(true);
        story.start(creating(context -> {
            context.patch().spec().set("field", "b");
            return "result";
        }));
        create();
        assertThat(story.server.patches().stream().limit(2).map(FakeApiServer.Request::path))
                .containsExactly(
                        FakeApiServer.COLLECTION.replace("v1/", "v1/namespaces/ns/") + "/x/status",
                        FakeApiServer.COLLECTION.replace("v1/", "v1/namespaces/ns/") + "/x");
        assertThat(story.at("/status/fn").asString()).isEqualTo("result");
        assertThat(story.at("/spec/field").asString()).isEqualTo("b");
    }

    private static void onItems(Map<String, @Nullable Object> body, java.util.function.Consumer<List<Object>> change) {
        @SuppressWarnings("unchecked")
        Map<String, Object> spec = (Map<String, Object>) java.util.Objects.requireNonNull(body.get("spec"));
        @SuppressWarnings("unchecked")
        List<Object> items = (List<Object>) spec.computeIfAbsent("items", key -> new ArrayList<>());
        change.accept(items);
    }

    @Test
    @Tag("D27")
    @Tag("D28")
    void transformationsAreMadeAgainOnNewerStates() {
        story.start(creating(context -> {
            context.patch()
                    .transform(body -> onItems(body, items -> {
                        if (!items.contains("ours")) {
                            items.add("ours");
                        }
                    }));
            return null;
        }));
        boolean[] interfered = {false};
        story.server.faults(new FakeApiServer.Faults() {
            @Override
            public void before(TransportRequest transportRequest) {
                if (transportRequest.headers().containsValue("application/json-patch+json") && !interfered[0]) {
                    interfered[0] = true;
                    story.server.change("x", "spec.items", List.of("theirs"));
                }
            }
        });
        create();
        story.pass(Duration.ofSeconds(10));
        assertThat(interfered[0]).isTrue();
        assertThat(story.at("/spec/items").toString()).isEqualTo("[\"theirs\",\"ours\"]");
        assertThat(story.server.patches().stream().filter(patch -> patch.type().equals("json-patch+json")))
                .allSatisfy(patch ->
                        assertThat(patch.body().get(0).path("path").asString()).isEqualTo("/metadata/resourceVersion"));
    }

    @Test
    @Tag("D28")
    void transformationsThatMeetConflictsAreMadeAgainAfterGrowingPausesAlsoIfNoEventComes() {
        List<Double> times = new ArrayList<>();
        story.server.faults(new FakeApiServer.Faults() {
            @Override
            public void before(TransportRequest transportRequest) {
                if (transportRequest.headers().containsValue("application/json-patch+json")) {
                    times.add(story.seconds());
                    if (times.size() < 5) {
                        story.server.change("x", "spec.conflicts", times.size());
                    }
                }
            }
        });
        story.start(builder -> creating(context -> {
                    story.calls.add("create");
                    story.server.hold();
                    context.patch().transform(body -> body.put("extra", "ours"));
                    return null;
                })
                .apply(builder)
                .settings(settings ->
                        settings.queueing().errorDelays(List.of(Duration.ofSeconds(2), Duration.ofSeconds(7)))));
        create();
        story.pass(Duration.ofMinutes(1));
        assertThat(times)
                .as("first after the event that does not come, then after the pauses")
                .containsExactly(0.5, 5.5, 12.5, 19.5, 26.5);
        assertThat(story.at("/extra").asString()).isEqualTo("ours");
        assertThat(story.calls).containsExactly("create");
    }

    /**
     * As in Kopf: the handler is called for the newer object. Kept, the patch would meet the same conflict for ever.
     */
    @Test
    void changesForOneVersionOnlyAreMadeAnewIfTheObjectHasChanged() {
        story.start(builder -> builder.onCreate("kex", "lock", context -> {
                    String version = context.meta().getString("resourceVersion", "");
                    context.patch().meta().set("resourceVersion", version);
                    context.patch().spec().set("seen", context.spec().getInt("n", 0));
                    story.calls.add("create");
                    if (story.calls.size() < 3) {
                        story.server.change("x", "spec.n", story.calls.size());
                    }
                    return "result";
                })
                .onDelete("kex", "delete", context -> story.calls.add("delete")));
        create();
        story.pass(Duration.ofSeconds(30));
        assertThat(story.calls).containsExactly("create", "create", "create");
        assertThat(story.at("/spec/seen").asInt()).isEqualTo(2);
        assertThat(story.at("/status/lock").asString()).isEqualTo("result");
        assertThat(story.lines(Level.ERROR))
                .isNotEmpty()
                .allMatch(line -> line.contains("due to an unexpected error: The changes are for version ")
                        && line.contains("so they are dropped")
                        && !line.contains("Exception"));
        story.server.delete("x");
        story.pass(Duration.ofSeconds(30));
        assertThat(story.calls).endsWith("delete");
        assertThat(story.server.exists("x")).isFalse();
    }

    /** The operator's own change of the status, made just before, is no change of somebody else. */
    @Test
    @Tag("D26")
    void changesForOneVersionOnlyGoWithAResult() {
        story.start(creating(context -> {
            story.calls.add("create");
            context.patch().meta().set("resourceVersion", context.meta().getString("resourceVersion", ""));
            context.patch().spec().set("seen", true);
            return "result";
        }));
        create();
        story.pass(Duration.ofSeconds(30));
        assertThat(story.calls).containsExactly("create");
        assertThat(story.at("/spec/seen").asBoolean()).isTrue();
        assertThat(story.at("/status/fn").asString()).isEqualTo("result");
        assertThat(story.lines(Level.WARN)).isEmpty();
    }

    /** Its conflict is nobody else's: it is met before the next handler begins, whose steps are made once. */
    @Test
    void changesForOneVersionOnlyInterruptNoOtherHandler() {
        story.start(builder -> builder.onCreate("kex", "lock", context -> {
                    story.calls.add("lock");
                    context.patch().meta().set("resourceVersion", context.meta().getString("resourceVersion", ""));
                    if (story.calls.size() == 1) {
                        story.server.change("x", "spec.n", 1);
                    }
                    return null;
                })
                .onCreate("kex", "other", context -> {
                    story.calls.add("other begins");
                    String made = context.steps().run("make", () -> {
                        story.calls.add("make");
                        return "m";
                    });
                    story.world.sleep(Duration.ofSeconds(5));
                    story.calls.add("other ends: " + made);
                    return null;
                }));
        create();
        story.pass(Duration.ofSeconds(30));
        assertThat(story.calls).containsExactly("lock", "lock", "other begins", "make", "other ends: m");
    }

    @Test
    void changesForOneVersionOnlyOfEventHandlersAreWrittenBeforeOthersAreCalled() {
        story.start(builder -> builder.onEvent("kex", "event", context -> {
                    context.patch().meta().set("resourceVersion", context.meta().getString("resourceVersion", ""));
                    context.patch().label("seen", "yes");
                    return null;
                })
                .onCreate("kex", "create", context -> {
                    story.calls.add("create");
                    story.server.change("x", "spec.n", 1);
                    return null;
                }));
        create();
        story.pass(Duration.ofSeconds(30));
        assertThat(story.calls).containsExactly("create");
        assertThat(story.at("/metadata/labels/seen").asString()).isEqualTo("yes");
    }

    /** All methods of a patch return it: the last one is what a short lambda returns. */
    @Test
    @Tag("C33")
    void aLambdaMayEndWithItsPatch() {
        story.start(creating(context -> {
            story.calls.add("create");
            return context.patch().spec().set("seen", true);
        }));
        create();
        story.pass(Duration.ofSeconds(30));
        assertThat(story.calls).containsExactly("create");
        assertThat(story.at("/spec/seen").asBoolean()).isTrue();
        assertThat(story.at("/status/fn").isMissingNode()).isTrue();
        assertThat(story.lines(Level.ERROR)).isEmpty();
    }

    @Test
    @Tag("C33")
    void aLambdaMayEndWithAConditionToo() {
        story.start(creating(context -> {
            story.calls.add("create");
            return context.conditions().set("Ready", true, "Ok", "fine");
        }));
        create();
        story.pass(Duration.ofSeconds(30));
        assertThat(story.calls).containsExactly("create");
        assertThat(story.at("/status/conditions/0/type").asString()).isEqualTo("Ready");
        assertThat(story.at("/status/fn").isMissingNode()).isTrue();
        assertThat(story.lines(Level.ERROR)).isEmpty();
    }

    @Test
    void aTimersChangesForOneVersionOnlyAreLeftOutIfTheObjectHasChanged() {
        story.start(builder -> builder.onTimer("kex", "lock", h -> h.interval(Duration.ofSeconds(10)), context -> {
            String version = context.meta().getString("resourceVersion", "");
            context.patch().meta().set("resourceVersion", version);
            context.patch().spec().set("seen", story.calls.size());
            story.calls.add("timer");
            if (story.calls.size() == 1) {
                story.server.change("x", "spec.n", 1);
            }
            return null;
        }));
        create();
        story.pass(Duration.ofSeconds(15));
        assertThat(story.calls).containsExactly("timer", "timer");
        assertThat(story.at("/spec/seen").asInt()).isEqualTo(1);
        assertThat(story.lines(Level.ERROR))
                .anyMatch(line -> line.contains("a daemon or timer has changed is not written"));
    }

    @Test
    @Tag("D30")
    void objectsThatVanishWhileTheyAreHandledAreNoError() {
        story.start(creating(context -> {
            story.server.delete("x");
            return "result";
        }));
        create();
        story.pass(Duration.ofSeconds(30));
        assertThat(story.lines(Level.WARN)).isEmpty();
        assertThat(story.log.lines(Level.DEBUG))
                .contains("debug: Patching was skipped: the object does not exist anymore.");
    }

    @Test
    @Tag("D30")
    void handlersAreNotCalledAgainForAnObjectThatHasVanishedAlsoIfItsEventIsLate() {
        ObjectNode before = Scenario.example();
        story.start(creating(context -> {
            story.calls.add("create");
            story.server.hold();
            story.server.delete("x");
            throw new TemporaryException("later", Duration.ofSeconds(1));
        }));
        create();
        story.pass(Duration.ofSeconds(30));
        assertThat(story.calls).as("nothing is due").containsExactly("create");
        story.server.pretend(before);
        story.pass(Duration.ofSeconds(30));
        assertThat(story.calls).as("only the end counts").containsExactly("create");
    }

    @Test
    @Tag("D30")
    void anotherObjectOfTheSameNameIsNotPatched() {
        story.start(creating(context -> {
            if (context.uid().equals("uid-x")) {
                story.server.delete("x");
                ObjectNode another = Scenario.example();
                another.withObject("/metadata").put("uid", "another");
                story.server.create(another);
            }
            return context.uid();
        }));
        create();
        story.pass(Duration.ofSeconds(30));
        assertThat(story.at("/status/fn").asString()).isEqualTo("another");
        assertThat(story.lines(Level.WARN)).isEmpty();
    }

    private void startInStatus(boolean progress, Handler creation) {
        story.close();
        story = new Scenario(true);
        story.server.prune("status.kopf");
        story.start(builder -> builder.settings(settings -> {
                    if (progress) {
                        settings.persistence().progressStorage(ProgressStorage.status());
                    } else {
                        settings.persistence().diffBaseStorage(DiffBaseStorage.status());
                    }
                })
                .onCreate("kex", "cre", creation)
                .onTimer("kex", "tick", options -> options.interval(Duration.ofMinutes(1)), context -> {
                    context.patch().status().set("tick", story.seconds());
                    return null;
                })
                .onDelete("kex", "del", story.noting("delete")));
        create();
    }

    /** Each change of the object would be its creation once more, those by the operator itself, too. */
    @Test
    @Tag("D31")
    void whoseStateTheServerDropsIsHeldUntilItIsStored() {
        startInStatus(false, context -> {
            story.calls.add("create");
            context.patch().status().set("phase", story.seconds());
            return null;
        });
        story.pass(Duration.ofHours(1));
        assertThat(story.calls).containsExactly("create");
        assertThat(story.lines(Level.ERROR))
                .hasSizeLessThan(20)
                .allMatch(line -> line.contains("K4-020")
                        && line.contains("The server has dropped status.kopf.last-handled-configuration")
                        && line.contains("x-kubernetes-preserve-unknown-fields"));
        assertThat(story.server.events())
                .filteredOn(event -> event.path("reason").asString().equals("NotHandled"))
                .hasSize(1);

        story.server.pruneNothing();
        story.pass(Duration.ofMinutes(15));
        assertThat(story.calls).containsExactly("create");
        assertThat(story.at("/status/kopf/last-handled-configuration").asString())
                .contains("spec");
    }

    /** Neither its attempts would be counted, nor any delay observed. */
    @Test
    @Tag("D31")
    void whoseProgressTheServerDropsIsHeldButMayBeDeleted() {
        startInStatus(true, context -> {
            story.calls.add("create " + context.retry());
            throw new TemporaryException("later", Duration.ofSeconds(10));
        });
        story.pass(Duration.ofHours(1));
        assertThat(story.calls).containsExactly("create 0");
        story.server.delete("x");
        story.pass(Duration.ofMinutes(15));
        assertThat(story.calls).containsExactly("create 0", "delete");
        assertThat(story.server.exists("x")).isFalse();
    }

    /** Its definition has lost the field in which the record is: servers prune what they read, too. */
    @ParameterizedTest
    @Tag("D31")
    @ValueSource(booleans = {true, false})
    void whoseRecordTheServerLeavesOutIsNotTakenForNew(boolean seesItsOwnChanges) {
        story.close();
        story = new Scenario(true);
        story.start(builder -> {
            builder.settings(settings -> settings.persistence().diffBaseStorage(DiffBaseStorage.status()))
                    .onCreate("kex", "cre", story.noting("create"))
                    .onUpdate("kex", "upd", story.noting("update"))
                    .onDelete("kex", "del", story.noting("delete"));
            return seesItsOwnChanges ? builder.onEvent("kex", "seen", context -> null) : builder;
        });
        create();
        story.pass(Duration.ofMinutes(1));
        ObjectNode stored = story.server.object("x");
        ObjectNode read = stored.deepCopy();
        read.remove("status");
        story.server.forgetHistory();
        story.server.readFromNowOn(read);
        story.pass(Duration.ofHours(1));
        assertThat(story.calls).containsExactly("create");
        assertThat(story.server.patches())
                .as("what is stored is not overwritten")
                .isEmpty();
        assertThat(story.lines(Level.ERROR))
                .hasSizeBetween(1, 20)
                .allMatch(line -> line.contains("K4-020")
                        && line.contains("The server leaves out of the status what is known of the object")
                        && line.contains("x-kubernetes-preserve-unknown-fields"));

        story.server.readFromNowOn(stored);
        story.pass(Duration.ofMinutes(15));
        assertThat(story.calls).containsExactly("create");
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).containsExactly("create", "update");

        read = story.server.object("x");
        read.remove("status");
        story.server.readFromNowOn(read);
        story.pass(Duration.ofMinutes(1));
        story.server.delete("x");
        story.pass(Duration.ofMinutes(15));
        assertThat(story.calls).containsExactly("create", "update", "delete");
        assertThat(story.server.exists("x")).isFalse();
    }

    private void startPruned() {
        story.close();
        story = new Scenario(true);
        story.server.prune("status.unknown");
        story.server.prune("status.other");
        story.start(builder -> builder.onUpdate("kex", "fn", context -> {
            String value = context.spec().getString("field", "");
            context.patch().status().set(value.equals("d") ? "other" : "unknown", value);
            context.patch().status().set("known", 1);
            return null;
        }));
    }

    @Test
    @Tag("D31")
    void changesThatTheServerDropsAreWarnedOfOnceForAField() {
        startPruned();
        story.server.create(Scenario.handled());
        story.rest();
        for (String value : List.of("b", "c")) {
            story.server.change("x", "spec.field", value);
            story.rest();
        }
        assertThat(story.lines(Level.WARN))
                .singleElement()
                .asString()
                .contains(
                        "Merge-patching finished with inconsistencies",
                        "unknown was set to ",
                        ", but is absent",
                        "x-kubernetes-preserve-unknown-fields");
        story.server.change("x", "spec.field", "d");
        story.rest();
        assertThat(story.lines(Level.WARN)).hasSize(2).last().asString().contains("other");
    }

    @Test
    @Tag("D31")
    void changesThatTheServerDropsAreWarnedOfForEachObject() {
        startPruned();
        for (String name : List.of("x", "y")) {
            story.server.create(Scenario.annotated(
                    Scenario.example(name), Scenario.LAST_HANDLED, "{\"spec\":{\"field\":\"a\"}}\n"));
            story.rest();
            story.server.change(name, "spec.field", "b");
            story.rest();
        }
        assertThat(story.lines(Level.WARN)).hasSize(2).allMatch(line -> line.contains("unknown"));
    }

    @Test
    @Tag("D31")
    void emptiedStanzasAreNoInconsistency() {
        story.start(builder -> builder.onEvent("kex", "fn", context -> {
            Map<String, Object> emptied = Map.of("labels", Map.of(), "finalizers", List.of(), "annotations", Map.of());
            context.patch().merge(Map.of("metadata", emptied));
            return null;
        }));
        story.server.create(Scenario.handled());
        story.server.prune("metadata.labels");
        story.server.prune("metadata.finalizers");
        story.server.prune("metadata.annotations");
        story.rest();
        story.server.change("x", "spec.field", "b");
        story.rest();
        assertThat(story.server.patches()).isNotEmpty();
        assertThat(story.lines(Level.WARN)).isEmpty();
    }
}
