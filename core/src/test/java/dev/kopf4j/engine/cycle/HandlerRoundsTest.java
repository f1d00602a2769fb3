package dev.kopf4j.engine.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Handler;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.PermanentException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.simulation.FakeApiServer;
import dev.kopf4j.engine.simulation.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * What the default lifecycle lets handlers see of each other, as {@code asap} does. Tests {@link HandlerRounds},
 * {@link ProgressCheckpoint} and {@link SubHandlerCalls}.
 */
@Tag("C26")
class HandlerRoundsTest {
    private final Scenario story = new Scenario();
    private final List<String> seen = new ArrayList<>();

    @AfterEach
    void end() {
        story.close();
    }

    private Handler doing(Handler action) {
        return context -> {
            story.calls.add(context.handlerId());
            seen.add(context.handlerId() + ": " + told(context));
            return action.handle(context);
        };
    }

    private static String told(HandlerContext context) {
        return context.diff().stream()
                .map(item -> String.join(".", item.field()) + " " + item.oldValue() + " -> " + item.newValue())
                .collect(Collectors.joining("; "));
    }

    private Handler noting() {
        return doing(context -> null);
    }

    private Handler setting(String field, @Nullable Object value) {
        return doing(context -> {
            context.patch().set(field, value);
            return null;
        });
    }

    private void updated(UnaryOperator<OperatorBuilder> handlers) {
        story.server.create(Scenario.handled());
        story.start(handlers);
        story.server.change("x", "spec.field", "b");
        story.rest();
    }

    private void created(UnaryOperator<OperatorBuilder> handlers) {
        story.start(handlers);
        story.server.create(Scenario.example());
        story.rest();
    }

    private List<String> lastHandled() {
        return List.of(story.at("/metadata/annotations")
                .path(Scenario.LAST_HANDLED)
                .asString()
                .strip());
    }

    @Test
    @Tag("L01")
    void whatAHandlerChangesIsInTheDifferenceThatTheNextOneIsTold() {
        updated(builder ->
                builder.onUpdate("kex", "first", setting("spec.size", 1)).onUpdate("kex", "second", noting()));
        assertThat(seen).containsExactly("first: spec.field a -> b", "second: spec.size null -> 1; spec.field a -> b");
        assertThat(lastHandled()).containsExactly("{\"spec\":{\"field\":\"b\",\"size\":1}}");
        assertThat(story.server.patches()).hasSize(1);
    }

    /** Known as failure (b): it led to another call of the update handler. */
    @Test
    @Tag("L01")
    void whatACreationHandlerChangesIsNoUpdateIfAnotherCreationHandlerHasSeenIt() {
        created(builder -> builder.onCreate("kex", "first", setting("spec.own", "x"))
                .onCreate("kex", "second", noting())
                .onUpdate("kex", "update", noting()));
        assertThat(story.calls).containsExactly("first", "second");
        assertThat(seen).last().isEqualTo("second:  null -> {spec={field=a, own=x}}");
        assertThat(lastHandled()).containsExactly("{\"spec\":{\"field\":\"a\",\"own\":\"x\"}}");
        assertThat(story.server.patches()).hasSize(1);
    }

    @Test
    void whatTheLastHandlerChangesIsAnUpdate() {
        created(builder -> builder.onCreate("kex", "first", noting())
                .onCreate("kex", "second", setting("spec.own", "x"))
                .onUpdate("kex", "update", noting()));
        assertThat(story.calls).containsExactly("first", "second", "update");
        assertThat(seen).last().isEqualTo("update: spec.own null -> x");
    }

    private static String record(HandlerContext context, String id) {
        String text = context.annotations().getOrDefault("kopf.zalando.org/" + id, "none");
        return text.replaceAll("\"(started|stopped|delayed)\":\"[^\"]*\",?", "");
    }

    @Test
    void whatAnUpdateHandlerChangesAsTheLastOneIsAnUpdateForItselfToo() {
        updated(builder -> builder.onUpdate("kex", "only", setting("spec.size", 1)));
        assertThat(seen).containsExactly("only: spec.field a -> b", "only: spec.size null -> 1");
    }

    /** Known as failure (c): a literal port of an operator rolled an upgrade back that had succeeded. */
    @Test
    @Tag("C35")
    void subHandlersFindTheRecordsAndResultsOfThoseBeforeThem() {
        created(builder -> builder.onCreate("kex", "parent", parent -> {
            parent.subHandlers().add("a", context -> {
                seen.add(record(context, "parent.a") + record(context, "parent"));
                return "done";
            });
            parent.subHandlers().add("b", context -> {
                seen.add(record(context, "parent.a"));
                seen.add(record(context, "parent.b"));
                seen.add(record(context, "parent"));
                seen.add(context.status().getString("parent/a", "none"));
                return null;
            });
            return null;
        }));
        assertThat(seen)
                .containsExactly(
                        "nonenone",
                        "{\"purpose\":\"create\",\"retries\":1,\"success\":true,\"failure\":false}",
                        "{\"purpose\":\"create\",\"retries\":0,\"success\":false,\"failure\":false}",
                        "{\"purpose\":\"create\",\"retries\":1,\"success\":false,\"failure\":false,\"message\":\"None\","
                                + "\"subrefs\":[\"parent/a\",\"parent/b\"]}",
                        "done");
        assertThat(story.server.patches()).as("requests").hasSize(1);
    }

    @Test
    void handlersFindTheRecordsOfFailures() {
        created(builder -> builder.onCreate("kex", "soon", doing(context -> {
                    if (context.retry() == 0) {
                        throw new TemporaryException("not yet", Duration.ofSeconds(5));
                    }
                    return null;
                }))
                .onCreate("kex", "never", doing(context -> {
                    throw new PermanentException("no");
                }))
                .onCreate("kex", "last", doing(context -> {
                    seen.add(record(context, "soon"));
                    seen.add(record(context, "never"));
                    return null;
                })));
        assertThat(seen)
                .contains(
                        "{\"purpose\":\"create\",\"retries\":1,\"success\":false,\"failure\":false,\"message\":\"not yet\"}",
                        "{\"purpose\":\"create\",\"retries\":1,\"success\":false,\"failure\":true,\"message\":\"no\"}");
        assertThat(story.server.patches()).as("requests").hasSize(1);
    }

    /** Known as failure (a): sub-handlers that compare the hash waited for ever. */
    @Test
    @Tag("C34")
    void aParentThatHashesTheDifferenceFindsTheSameHashWithEachOfItsCalls() {
        List<Integer> hashes = new ArrayList<>();
        updated(builder -> builder.onUpdate("kex", "before", setting("metadata.annotations.note", "patched"))
                .onUpdate("kex", "parent", parent -> {
                    hashes.add(parent.diff().toString().hashCode());
                    parent.subHandlers().add("waiting", context -> {
                        if (context.retry() < 2) {
                            throw new TemporaryException("not yet", Duration.ofSeconds(1));
                        }
                        return null;
                    });
                    return null;
                }));
        story.pass(Duration.ofMinutes(1));
        assertThat(hashes).hasSize(3);
        assertThat(hashes.stream().distinct()).hasSize(1);
    }

    @Test
    void handlersOfAFieldThatOthersSetAreCalledForTheSameChange() {
        updated(builder -> builder.onField("kex", "field", h -> h.field("spec.size"), noting())
                .onUpdate("kex", "first", setting("spec.size", 1))
                .onUpdate("kex", "second", noting()));
        assertThat(story.calls).containsExactly("first", "field/spec.size", "second");
        assertThat(story.server.patches()).hasSize(1);
    }

    @Test
    void handlersWhoseFilterDoesNotLetThePatchedObjectPassAreNotCalled() {
        created(builder -> builder.onCreate("kex", "first", setting("metadata.labels.done", "yes"))
                .onCreate("kex", "second", h -> h.labels("!done"), noting())
                .onCreate("kex", "third", h -> h.labels("done"), noting()));
        assertThat(story.calls).containsExactly("first", "third");
    }

    @Test
    void whoHasFewerAttemptsIsCalledFirst() {
        created(builder -> builder.onCreate("kex", "often", doing(context -> {
                    if (context.retry() < 2) {
                        throw new TemporaryException("soon", Duration.ZERO);
                    }
                    return null;
                }))
                .onCreate("kex", "once", noting()));
        assertThat(story.calls).containsExactly("often", "once", "often", "often");
    }

    @Test
    @Tag("D27")
    void transformationsAreMadeBeforeTheNextHandlerIsCalled() {
        created(builder -> builder.onCreate("kex", "first", doing(context -> {
                    context.patch().transform(body -> body.put("data", Map.of("made", true)));
                    return null;
                }))
                .onCreate("kex", "second", doing(context -> {
                    seen.add("data " + context.body().getMap("data"));
                    context.patch().merge(Map.of("data", Map.of("merged", true)));
                    return null;
                })));
        assertThat(seen).contains("data {made=true}");
        assertThat(story.at("/data")).isEqualTo(Scenario.json("{'made':true,'merged':true}"));
    }

    @Test
    void whatReplacesTheChangeOfAnotherHandlerReplacesIt() {
        created(builder -> builder.onCreate("kex", "first", setting("spec.field", null))
                .onCreate("kex", "second", setting("spec.field", Map.of("x", 1))));
        assertThat(story.at("/spec/field")).isEqualTo(Scenario.json("{'x':1}"));
        assertThat(story.server.patches().getFirst().body().at("/spec/field").isNull())
                .isTrue();
    }

    @Test
    @Tag("C12")
    void aFinalizerThatBecomesNecessaryIsThereBeforeTheNextHandlerIsCalled() {
        List<Boolean> held = new ArrayList<>();
        created(builder -> builder.onCreate("kex", "first", setting("metadata.labels.precious", "yes"))
                .onCreate("kex", "second", doing(context -> {
                    held.add(context.meta().finalizers().contains(Scenario.FINALIZER));
                    return null;
                }))
                .onDelete("kex", "delete", h -> h.labels("precious"), noting()));
        assertThat(held).containsExactly(true);
    }

    @Test
    void aChangeThatAHandlerTakesBackIsOver() {
        updated(builder ->
                builder.onUpdate("kex", "first", setting("spec.field", "a")).onUpdate("kex", "second", noting()));
        assertThat(story.calls).containsExactly("first");
        assertThat(story.hasAnnotation("kopf.zalando.org/first")).isFalse();
        assertThat(story.hasAnnotation("kopf.zalando.org/second")).isFalse();
    }

    private Handler parentOf(String... children) {
        return parent -> {
            story.calls.add(parent.handlerId() + "#" + parent.retry());
            for (String child : children) {
                parent.subHandlers().add(child, noting());
            }
            return null;
        };
    }

    @Test
    @Tag("C34")
    void subHandlersFollowEachOtherUnlessItIsAnothersTurn() {
        created(builder ->
                builder.onCreate("kex", "parent", parentOf("a", "b", "c")).onCreate("kex", "other", noting()));
        assertThat(story.calls).containsExactly("parent#0", "parent/a", "other", "parent#1", "parent/b", "parent/c");
        assertThat(story.server.patches()).hasSize(1);
    }

    @Test
    @Tag("C34")
    void aParentIsCalledAgainForASubHandlerIfTheChangeHasBecomeAnotherOne() {
        updated(builder -> builder.onUpdate("kex", "parent", parent -> {
            story.calls.add("parent with size " + parent.spec().getInt("size", 0));
            parent.subHandlers().add("a", setting("spec.size", 1));
            parent.subHandlers().add("b", setting("status.phase", "x"));
            parent.subHandlers().add("c", noting());
            return null;
        }));
        assertThat(story.calls)
                .containsExactly("parent with size 0", "parent/a", "parent with size 1", "parent/b", "parent/c");
        assertThat(story.server.patches()).hasSize(1);
    }

    @Test
    void aWriteBetweenTwoHandlersChangesNothingOfWhatTheySee() {
        updated(builder -> builder.settings(settings -> settings.execution().checkpoint(Duration.ZERO))
                .onUpdate("kex", "first", setting("spec.size", 1))
                .onUpdate("kex", "second", setting("spec.size", 2))
                .onUpdate("kex", "third", noting()));
        assertThat(seen)
                .containsExactly(
                        "first: spec.field a -> b",
                        "second: spec.size null -> 1; spec.field a -> b",
                        "third: spec.size null -> 2; spec.field a -> b");
        assertThat(story.server.patches().stream().map(FakeApiServer.Request::type))
                .as("one for each handler")
                .hasSize(3);
    }

    private static final List<Map<String, Object>> MANAGED =
            List.of(Map.of("manager", "somebody", "fieldsV1", Map.of("f:spec", Map.of())));

    @Test
    void aWriteIsNoChangeForItsAnswerIsReadWithoutManagedFields() {
        story.server.create(Scenario.handled());
        story.server.change("x", "metadata.managedFields", MANAGED);
        story.start(builder -> builder.settings(settings -> settings.execution().checkpoint(Duration.ZERO))
                .onUpdate("kex", "first", setting("spec.size", 1))
                .onUpdate("kex", "second", noting()));
        story.server.change("x", "spec.field", "b");
        story.rest();
        assertThat(seen).containsExactly("first: spec.field a -> b", "second: spec.size null -> 1; spec.field a -> b");
        assertThat(lastHandled()).containsExactly("{\"spec\":{\"field\":\"b\",\"size\":1}}");
        assertThat(story.server.patches()).hasSize(2);
        assertThat(story.at("/metadata/managedFields")).hasSize(1);
    }

    @Test
    void whoeverLooksAtManagedFieldsFindsThemInTheAnswers() {
        story.server.create(Scenario.handled());
        story.start(builder -> builder.settings(settings -> settings.execution().checkpoint(Duration.ZERO))
                .onUpdate("kex", "first", h -> h.field("metadata.managedFields"), noting())
                .onUpdate("kex", "second", noting()));
        story.server.change("x", "metadata.managedFields", MANAGED);
        story.rest();
        assertThat(story.calls).containsExactly("first/metadata.managedFields", "second");
        assertThat(lastHandled()).first().asString().contains("managedFields");
    }
}
