package dev.kopf4j.engine;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OnDelete;
import dev.kopf4j.OnField;
import dev.kopf4j.OnUpdate;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.simulation.Scenario;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/**
 * An operator takes over objects that a Python operator has handled, or has begun to handle, and gives them back. Tests
 * the formats of {@code persistence}, and {@code ProgressState}.
 */
@SuppressWarnings("unused") // handlers are found by reflection
class TakeoverFromKopfTest {
    private final Scenario story = new Scenario();

    @AfterEach
    void end() {
        story.close();
    }

    private static String record(String purpose, int retries, boolean success, boolean failure) {
        return String.format(
                "{\"started\":\"2019-12-31T23:00:00.000000+00:00\",\"purpose\":\"%s\","
                        + "\"retries\":%s,\"success\":%b,\"failure\":%b}",
                purpose, retries, success, failure);
    }

    private static final class Continued {
        private final List<String> calls = new ArrayList<>();

        @OnCreate(value = "kex", id = "create_fn")
        Map<String, String> createFn(int retry, java.time.Duration runtime) {
            calls.add("create " + retry + " " + runtime.toMinutes());
            return Map.of("made-by", "java");
        }

        @OnCreate(value = "kex", id = "done_fn")
        void doneFn() {
            calls.add("done");
        }

        @OnCreate(value = "kex", id = "failed_fn")
        void failedFn() {
            calls.add("failed");
        }

        @OnField(value = "kex", id = "fn", field = "spec.field")
        void fieldFn() {
            calls.add("field");
        }

        @OnUpdate(value = "kex", id = "update_fn")
        void updateFn(@Nullable Object oldValue) {
            calls.add("update " + oldValue);
        }

        @OnDelete(value = "kex", id = "delete_fn")
        void deleteFn(int retry) {
            calls.add("delete " + retry);
        }
    }

    private static ObjectNode held(ObjectNode object) {
        object.withArray("/metadata/finalizers").add(Scenario.FINALIZER);
        return object;
    }

    @Test
    @Tag("D32")
    @Tag("L16")
    void unfinishedCreationsAreContinuedWithoutWhatHasSucceededOrFailed() {
        Continued continued = new Continued();
        ObjectNode object = held(Scenario.example());
        Scenario.annotated(object, "kopf.zalando.org/create_fn", record("create", 3, false, false));
        Scenario.annotated(object, "kopf.zalando.org/done_fn", record("create", 1, true, false));
        Scenario.annotated(object, "kopf.zalando.org/failed_fn", record("create", 1, false, true));
        Scenario.annotated(object, "kopf.zalando.org/fn.spec.field", record("create", 1, true, false));
        object.withObject("/status/create_fn").put("made-by", "python").put("kept", 1);
        story.server.create(object);
        story.start(continued);
        assertThat(continued.calls).containsExactly("create 3 60");
        assertThat(story.at("/status/create_fn")).isEqualTo(Scenario.json("{'made-by':'java','kept':1}"));
        assertThat(story.infos()).last().isEqualTo("info: Creation is processed: 3 succeeded; 1 failed.");
        assertThat(story.at("/metadata/annotations").propertyNames()).containsExactly(Scenario.LAST_HANDLED);
    }

    @Test
    @Tag("D32")
    void handledObjectsAreLeftAloneAndChangesOfTheDowntimeAreSeen() {
        Continued continued = new Continued();
        story.server.create(held(Scenario.handled()));
        ObjectNode other = held(Scenario.annotated(
                Scenario.example("y"), Scenario.LAST_HANDLED, "{\"spec\": {\"field\": \"\\u00e4\"}}\n"));
        story.server.create(other);
        story.start(continued);
        assertThat(continued.calls).containsExactly("field", "update {\"spec\":{\"field\":\"ä\"}}");
    }

    @Test
    @Tag("D32")
    void unfinishedDeletionsAreContinued() {
        Continued continued = new Continued();
        ObjectNode object = held(Scenario.handled());
        object.withObject("/metadata").put("deletionTimestamp", "2020-01-01T00:00:00Z");
        Scenario.annotated(object, "kopf.zalando.org/delete_fn", record("delete", 2, false, false));
        story.server.create(object);
        story.start(continued);
        assertThat(continued.calls).containsExactly("delete 2");
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("D32")
    @Tag("C37")
    void delaysOfTheOtherOperatorAreKept() {
        Continued continued = new Continued();
        ObjectNode object = held(Scenario.example());
        String delayed = record("create", 1, false, false)
                .replace("\"retries\"", "\"delayed\":\"2020-01-01T00:10:00.000000+00:00\",\"retries\"");
        Scenario.annotated(object, "kopf.zalando.org/create_fn", delayed);
        for (String done : List.of("done_fn", "failed_fn", "fn.spec.field")) {
            Scenario.annotated(object, "kopf.zalando.org/" + done, record("create", 1, true, false));
        }
        Scenario.annotated(object, "kopf.zalando.org/touch-dummy", "2020-01-01T00:00:00.000000");
        story.server.create(object);
        story.start(continued);
        story.pass(Duration.ofMinutes(9));
        assertThat(continued.calls).isEmpty();
        story.pass(Duration.ofMinutes(2));
        assertThat(continued.calls).containsExactly("create 1 70");
        assertThat(story.at("/metadata/annotations").propertyNames()).containsExactly(Scenario.LAST_HANDLED);
    }

    @Test
    @Tag("L68")
    void artefactsOfOldVersionsAreUnderstood() {
        Continued continued = new Continued();
        ObjectNode object = held(Scenario.example());
        object.withArray("/metadata/finalizers").add("KopfFinalizerMarker");
        ObjectNode progress = object.withObject("/status/kopf/progress");
        progress.putObject("create_fn")
                .put("started", "2019-12-31T22:00:00.000000")
                .put("delayed", "2019-12-31T23:59:59")
                .put("retries", 1);
        progress.putObject("done_fn").put("success", true);
        progress.putObject("failed_fn").put("failure", true);
        progress.putObject("fn/spec.field").put("success", true);
        story.server.create(object);
        story.start(continued);
        assertThat(continued.calls).containsExactly("create 1 120");
        assertThat(story.at("/status/kopf/progress").isEmpty()).isTrue();
        assertThat(story.at("/metadata/finalizers").toString())
                .as("a foreign finalizer is not touched")
                .contains("\"KopfFinalizerMarker\"");
        assertThat(story.lines(Level.WARN)).isEmpty();
    }

    @Test
    @Tag("D22")
    void recordsOfOthersAndTheirSubHandlersAreTreatedAsTheirs() {
        ObjectNode object = Scenario.example();
        Scenario.annotated(
                object,
                "kopf.zalando.org/create_fn",
                record("create", 1, false, false).replace("}", ",\"subrefs\":[\"create_fn/a\",\"create_fn/b/c\"]}"));
        for (String name : List.of("create_fn.a", "create_fn.b.c", "foreign")) {
            Scenario.annotated(object, "kopf.zalando.org/" + name, record("create", 1, true, false));
        }
        story.server.create(object);
        story.start(builder -> builder.onCreate("kex", "create_fn", story.noting("create")));
        assertThat(story.calls).containsExactly("create");
        assertThat(story.at("/metadata/annotations").propertyNames())
                .containsExactlyInAnyOrder(Scenario.LAST_HANDLED, "kopf.zalando.org/foreign");
    }

    @Test
    @Tag("L16")
    @Tag("D32")
    void anotherOperatorFindsWhatItNeeds() {
        story.start(builder -> builder.onCreate("kex", "create_fn", context -> null)
                .onCreate("kex", "other_fn", context -> {
                    throw new TemporaryException("later");
                }));
        story.server.create(Scenario.example());
        story.rest();
        assertThat(Scenario.json(story.at("/metadata/annotations/kopf.zalando.org~1create_fn")
                        .asString()))
                .isEqualTo(Scenario.json("{'started':'2020-01-01T00:00:00.500000+00:00',"
                        + "'stopped':'2020-01-01T00:00:00.500000+00:00','purpose':'create','retries':1,"
                        + "'success':true,'failure':false}"));
        assertThat(Scenario.json(story.at("/metadata/annotations/kopf.zalando.org~1other_fn")
                        .asString()))
                .isEqualTo(Scenario.json("{'started':'2020-01-01T00:00:00.500000+00:00',"
                        + "'delayed':'2020-01-01T00:01:00.500000+00:00','purpose':'create','retries':1,"
                        + "'success':false,'failure':false,'message':'later'}"));
    }

    @Test
    @Tag("D22")
    void recordsOfAnOperatorWhoseHandlersAreNamedLikeOursAreLeftAlone() {
        ObjectNode object = Scenario.example();
        for (String name : List.of("create_fn.spec.field", "create_fn.inner")) {
            Scenario.annotated(object, "kopf.zalando.org/" + name, record("create", 1, true, false));
        }
        object.withObject("/status/kopf/progress")
                .putObject("create_fn/spec.field")
                .put("success", true);
        story.server.create(object);
        story.start(builder -> builder.onCreate("kex", "create_fn", story.noting("create")));
        assertThat(story.calls).containsExactly("create");
        assertThat(story.at("/metadata/annotations").propertyNames())
                .containsExactlyInAnyOrder(
                        Scenario.LAST_HANDLED,
                        "kopf.zalando.org/create_fn.spec.field",
                        "kopf.zalando.org/create_fn.inner");
        assertThat(story.at("/status/kopf/progress").propertyNames()).containsExactly("create_fn/spec.field");
    }

    @Test
    @Tag("D04")
    @Tag("D32")
    void whatHandlersOfAnyKindLookAtIsPartOfTheState() {
        ObjectNode object = Scenario.annotated(
                held(Scenario.example()),
                Scenario.LAST_HANDLED,
                "{\"spec\":{\"field\":\"a\"},\"status\":{\"event\":1,\"timer\":2,\"daemon\":3}}\n");
        object.withObject("/status").put("event", 1).put("timer", 2).put("daemon", 3);
        story.server.create(object);
        story.start(builder -> builder.onUpdate("kex", "update_fn", story.noting("update"))
                .onEvent("kex", "event_fn", h -> h.field("status.event"), context -> null)
                .onTimer("kex", "timer_fn", h -> h.field("status.timer").interval(Duration.ofDays(1)), context -> null)
                .onDaemon("kex", "daemon_fn", h -> h.field("status.daemon"), context -> null));
        assertThat(story.calls).isEmpty();
        story.server.change("x", "status.timer", 7);
        story.rest();
        assertThat(story.calls).containsExactly("update");
    }

    @Test
    @Tag("L68")
    void theTimeOfAHandlerWhoseStartIsUnknownBeginsNow() {
        story.server.create(Scenario.annotated(
                Scenario.example(), "kopf.zalando.org/create_fn", "{\"purpose\":\"create\",\"retries\":1}"));
        story.start(builder -> builder.onCreate("kex", "create_fn", h -> h.timeout(Duration.ofMinutes(5)), context -> {
            story.calls.add("create " + context.retry());
            throw new TemporaryException("later", Duration.ofMinutes(2));
        }));
        story.pass(Duration.ofMinutes(30));
        assertThat(story.calls).containsExactly("create 1", "create 2", "create 3");
        assertThat(story.at("/metadata/annotations").propertyNames()).containsExactly(Scenario.LAST_HANDLED);
    }

    @Test
    @Tag("D32")
    void recordsThatFitTheReasonAreKeptWhenOthersAreSuperseded() {
        ObjectNode object = held(Scenario.example());
        object.withObject("/metadata").put("deletionTimestamp", "2020-01-01T00:00:00Z");
        Scenario.annotated(object, "kopf.zalando.org/create_fn", record("create", 1, true, false));
        Scenario.annotated(object, "kopf.zalando.org/done_fn", record("delete", 1, true, false));
        Scenario.annotated(object, "kopf.zalando.org/other_fn", record("", 1, true, false));
        story.server.create(object);
        story.start(builder -> builder.onCreate("kex", "create_fn", story.noting("create"))
                .onDelete("kex", "done_fn", story.noting("done"))
                .onDelete("kex", "other_fn", story.noting("other"))
                .onDelete("kex", "slow_fn", context -> {
                    story.calls.add("slow");
                    if (context.retry() == 0) {
                        throw new TemporaryException("later", Duration.ofSeconds(10));
                    }
                    return null;
                }));
        story.pass(Duration.ofSeconds(20));
        assertThat(story.calls).containsExactly("slow", "slow");
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("C35")
    @Tag("D32")
    void subHandlersThatHaveSucceededAreNotCalledAgainWhenTheChangeOfTheirParentIsSuperseded() {
        ObjectNode object = held(Scenario.example());
        object.withObject("/metadata").put("deletionTimestamp", "2020-01-01T00:00:00Z");
        Scenario.annotated(object, "kopf.zalando.org/create_fn", record("create", 1, true, false));
        Scenario.annotated(
                object,
                "kopf.zalando.org/fn.spec.field",
                record("create", 1, false, false)
                        .replace("}", ",\"subrefs\":[\"fn/spec.field/a\",\"fn/spec.field/b\"]}"));
        Scenario.annotated(object, "kopf.zalando.org/fn.spec.field.a", record("create", 1, true, false));
        Scenario.annotated(object, "kopf.zalando.org/fn.spec.field.b", record("create", 1, false, false));
        story.server.create(object);
        story.start(builder -> builder.onCreate("kex", "create_fn", story.noting("create"))
                .onDelete("kex", "delete_fn", story.noting("delete"))
                .onField("kex", "fn", h -> h.field("spec.field"), context -> {
                    context.subHandlers().add("a", story.noting("a"));
                    context.subHandlers().add("b", sub -> {
                        story.calls.add("b " + sub.retry());
                        if (sub.retry() < 2) {
                            throw new TemporaryException("later", Duration.ofSeconds(10));
                        }
                        return null;
                    });
                    return null;
                }));
        story.pass(Duration.ofSeconds(20));
        assertThat(story.calls).containsExactly("delete", "b 1", "b 2");
        assertThat(story.server.exists("x")).isFalse();
    }

    private OperatorBuilder parentOfTwo(OperatorBuilder builder) {
        return builder.onCreate("kex", "outer", context -> {
            story.calls.add("outer " + context.retry());
            context.subHandlers().add("a", story.noting("a"));
            context.subHandlers().add("b", sub -> {
                story.calls.add("b " + sub.retry());
                if (sub.retry() == 0) {
                    throw new TemporaryException("later", Duration.ofSeconds(10));
                }
                return null;
            });
            return null;
        });
    }

    private ObjectNode recordOf(String name) {
        return Scenario.json(
                story.at("/metadata/annotations/kopf.zalando.org~1" + name).asString());
    }

    @Test
    @Tag("C35")
    @Tag("D32")
    void subHandlersOfTheOtherOperatorAreContinued() {
        ObjectNode object = Scenario.example();
        String delayed = record("create", 1, false, false)
                .replace("\"retries\"", "\"delayed\":\"2020-01-01T00:00:10.000000+00:00\",\"retries\"");
        Scenario.annotated(
                object,
                "kopf.zalando.org/outer",
                delayed.replace("}", ",\"message\":\"None\",\"subrefs\":[\"outer/a\",\"outer/b\",\"outer/old\"]}"));
        Scenario.annotated(object, "kopf.zalando.org/outer.a", record("create", 1, true, false));
        Scenario.annotated(object, "kopf.zalando.org/outer.b", delayed);
        Scenario.annotated(object, "kopf.zalando.org/outer.old", record("create", 1, false, true));
        story.server.create(object);
        story.start(this::parentOfTwo);
        story.pass(Duration.ofSeconds(9));
        assertThat(story.calls).isEmpty();
        story.pass(Duration.ofSeconds(1));
        assertThat(story.calls).containsExactly("outer 1", "b 1");
        assertThat(story.at("/metadata/annotations").propertyNames()).containsExactly(Scenario.LAST_HANDLED);
    }

    @Test
    @Tag("C35")
    @Tag("L16")
    void anotherOperatorFindsHowFarSubHandlersHaveCome() {
        story.start(this::parentOfTwo);
        story.server.create(Scenario.example());
        story.rest();
        story.kill();
        assertThat(story.calls).containsExactly("outer 0", "a", "b 0");
        assertThat(recordOf("outer"))
                .isEqualTo(Scenario.json("{'started':'2020-01-01T00:00:00.500000+00:00',"
                        + "'delayed':'2020-01-01T00:00:10.500000+00:00','purpose':'create','retries':1,"
                        + "'success':false,'failure':false,'message':'None','subrefs':['outer/a','outer/b']}"));
        assertThat(recordOf("outer.a"))
                .isEqualTo(Scenario.json("{'started':'2020-01-01T00:00:00.500000+00:00',"
                        + "'stopped':'2020-01-01T00:00:00.500000+00:00','purpose':'create','retries':1,"
                        + "'success':true,'failure':false}"));
        assertThat(recordOf("outer.b"))
                .isEqualTo(Scenario.json("{'started':'2020-01-01T00:00:00.500000+00:00',"
                        + "'delayed':'2020-01-01T00:00:10.500000+00:00','purpose':'create','retries':1,"
                        + "'success':false,'failure':false,'message':'later'}"));
        assertThat(story.hasAnnotation(Scenario.LAST_HANDLED)).isFalse();
    }

    /** Operators store a handler together with its sub-handlers: what is there alone was left by an earlier change. */
    @Test
    @Tag("C35")
    @Tag("D32")
    void recordsOfSubHandlersWithoutTheirParentsSayNothingOfThisChange() {
        ObjectNode object = Scenario.example();
        Scenario.annotated(object, "kopf.zalando.org/outer.a", record("update", 1, true, false));
        Scenario.annotated(object, "kopf.zalando.org/outer.b", record("update", 7, false, false));
        story.server.create(object);
        story.start(this::parentOfTwo);
        story.pass(Duration.ofSeconds(20));
        assertThat(story.calls).containsExactly("outer 0", "a", "b 0", "outer 1", "b 1");
        assertThat(story.at("/metadata/annotations").propertyNames()).containsExactly(Scenario.LAST_HANDLED);
    }
}
