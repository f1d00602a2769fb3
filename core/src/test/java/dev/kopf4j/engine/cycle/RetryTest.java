package dev.kopf4j.engine.cycle;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.Handler;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.PermanentException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.json.Json;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Who is called again when somebody asks for it. */
class RetryTest extends InterventionScenario {
    private final AtomicBoolean broken = new AtomicBoolean(true);

    @Test
    @Tag("Q02")
    void aTokenThatComesWhileAHandlerRunsIsFollowedAfterIt() {
        story.start(builder -> builder.onCreate("kex", "slow", context -> {
            story.calls.add("begun");
            story.world.sleep(Duration.ofSeconds(30));
            return null;
        }));
        story.server.create(Scenario.example());
        story.rest();
        annotate("retry", "1 slow");
        story.pass(Duration.ofMinutes(2));
        assertThat(story.calls).containsExactly("begun", "begun");
        assertThat(annotation("retry-acknowledged")).isEqualTo("1");
    }

    /** Or a newer version, which comes back later, would have lost it. */
    @Test
    @Tag("D15")
    void eachAttemptKeepsWhatANewerVersionHasStored() {
        UnaryOperator<OperatorBuilder> handlers = builder -> builder.onCreate("kex", "waits", context -> {
            story.calls.add("waits");
            throw new TemporaryException("not yet", Duration.ofMinutes(10));
        });
        story.start(handlers);
        story.server.create(Scenario.example());
        story.rest();
        story.kill();
        String stored = annotation("waits");
        annotate("waits", stored.replace("}", ",\"novelty\":\"keep me\"}"));
        story.start(handlers);
        story.pass(Duration.ofMinutes(11));
        assertThat(story.calls).hasSizeGreaterThan(1);
        assertThat(annotation("waits")).contains("\"retries\":2,").endsWith("\"novelty\":\"keep me\"}");
    }

    private OperatorBuilder failing(OperatorBuilder builder) {
        return builder.settings(settings -> settings.persistence().failures(true))
                .onCreate("kex", "good", story.noting("good"))
                .onCreate("kex", "bad", context -> {
                    story.calls.add("bad");
                    if (broken.get()) {
                        throw new PermanentException("no luck");
                    }
                    return null;
                })
                .onUpdate(
                        "kex",
                        "upd",
                        story.saying(context -> "update " + context.diff().items()));
    }

    @Test
    @Tag("Q02")
    void whoHasFailedForGoodIsCalledAgainOnceForEachToken() {
        story.start(this::failing);
        story.server.create(Scenario.example());
        story.rest();
        assertThat(story.calls).containsExactly("good", "bad");
        assertThat(Json.parse(annotation("failed-handlers")).at("/bad/message").asString())
                .isEqualTo("no luck");
        story.calls.clear();

        annotate("retry", "1");
        assertThat(story.calls).containsExactly("bad");
        assertThat(annotation("retry-acknowledged")).isEqualTo("1");
        story.restart(this::failing);
        annotate("retry", "1");
        assertThat(story.calls).containsExactly("bad");

        broken.set(false);
        annotate("retry", "2");
        assertThat(story.calls).containsExactly("bad", "bad");
        assertThat(annotation("failed-handlers")).isEmpty();
        annotate("retry", "3");
        assertThat(story.calls).containsExactly("bad", "bad");
        assertThat(annotation("retry-acknowledged")).isEqualTo("3");
        assertThat(story.hasAnnotation(Scenario.LAST_HANDLED)).isTrue();
    }

    @Test
    @Tag("Q02")
    void aFailedUpdateIsMadeAgainWithItsDifference() {
        story.start(builder -> builder.onUpdate("kex", "good", story.noting("good"))
                .onUpdate("kex", "bad", context -> {
                    story.calls.add("bad " + context.diff().items());
                    if (broken.get()) {
                        throw new PermanentException("no luck");
                    }
                    return null;
                }));
        story.server.create(Scenario.handled());
        story.rest();
        story.server.change("x", "spec.field", "b");
        story.rest();
        story.calls.clear();
        broken.set(false);
        annotate("retry", "now");
        assertThat(story.calls).containsExactly("bad [Item[op=CHANGE, field=[spec, field], oldValue=a, newValue=b]]");
        assertThat(annotation("failed-handlers")).isEmpty();
    }

    @Test
    @Tag("Q02")
    void failuresAreKnownOnlyToTheProcessUnlessTheyAreToBeStored() {
        UnaryOperator<OperatorBuilder> handlers = builder ->
                failing(builder).settings(settings -> settings.persistence().failures(false));
        story.start(handlers);
        story.server.create(Scenario.example());
        story.rest();
        assertThat(annotation("failed-handlers")).isEmpty();
        annotate("retry", "1");
        assertThat(story.calls).containsExactly("good", "bad", "bad");
        story.restart(handlers);
        annotate("retry", "2");
        assertThat(story.calls).containsExactly("good", "bad", "bad");
        annotate("retry", "3 bad");
        assertThat(story.calls).containsExactly("good", "bad", "bad", "bad");
    }

    /** In one edit, or while the object was paused: the change is handled first, and the retry follows it. */
    @Test
    @Tag("Q02")
    void aChangeThatComesWithTheRetryIsHandled() {
        story.start(this::failing);
        story.server.create(Scenario.example());
        story.rest();
        broken.set(false);
        annotate("paused", "true");
        story.server.change("x", "spec.field", "b");
        annotate("retry", "1");
        story.calls.clear();
        annotate("paused", null);
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls)
                .containsExactly("update [Item[op=CHANGE, field=[spec, field], oldValue=a, newValue=b]]", "bad");
        assertThat(annotation("retry-acknowledged")).isEqualTo("1");
    }

    @Test
    @Tag("Q02")
    void whoWaitsIsCalledNow() {
        story.start(builder -> builder.onCreate("kex", "cre", context -> {
            story.calls.add("attempt " + context.retry());
            throw new TemporaryException("later", Duration.ofHours(1));
        }));
        story.server.create(Scenario.example());
        story.rest();
        annotate("retry", "now");
        assertThat(story.calls).containsExactly("attempt 0", "attempt 1");
        annotate("retry", "again cre");
        assertThat(story.calls).containsExactly("attempt 0", "attempt 1", "attempt 0");
    }

    @Test
    @Tag("Q02")
    void oneThatHasSucceededIsCalledAgainByItsIdAndAllByAnAsterisk() {
        broken.set(false);
        story.start(this::failing);
        story.server.create(Scenario.example());
        story.rest();
        story.calls.clear();
        annotate("retry", "1 good");
        assertThat(story.calls).containsExactly("good");
        annotate("retry", "2 *");
        assertThat(story.calls).hasSize(4).startsWith("good", "good", "bad");
        assertThat(story.calls.getLast()).startsWith("update [Item[op=ADD, field=[spec]");
        story.calls.clear();
        annotate("retry", "3 upd");
        assertThat(story.calls).hasSize(1);
    }

    @Test
    @Tag("Q02")
    void handlersOfTheStartAreCalledAsIfItWereOne() {
        story.start(builder ->
                builder.onResume("kex", "res", story.noting("resume")).onResume("kex", "other", story.noting("other")));
        story.server.create(Scenario.handled());
        story.rest();
        story.calls.clear();
        annotate("retry", "1 res");
        assertThat(story.calls).containsExactly("resume");
    }

    @Test
    @Tag("Q02")
    void timersAreCalledNowAndFailedDaemonsBeginAnew() {
        story.start(builder -> builder.onTimer(
                        "kex", "tick", options -> options.interval(Duration.ofHours(1)), story.noting("tick"))
                .onDaemon("kex", "watch", context -> {
                    story.calls.add("watch");
                    throw new PermanentException("no luck");
                }));
        story.server.create(Scenario.example());
        story.rest();
        story.calls.clear();
        annotate("retry", "1");
        assertThat(story.calls).containsExactly("watch");
        annotate("retry", "2 tick");
        assertThat(story.calls).containsExactly("watch", "tick");
    }

    @Test
    @Tag("Q02")
    void aFailedTimerIsCalledNowThoughItsIdleTimeIsLong() {
        story.start(builder -> builder.onTimer(
                "kex",
                "tick",
                options -> options.interval(Duration.ofHours(1)).idle(Duration.ofMinutes(30)),
                context -> {
                    story.calls.add("tick");
                    throw new PermanentException("no luck");
                }));
        story.server.create(Scenario.example());
        story.world.runFor(Duration.ofHours(1));
        assertThat(story.calls).containsExactly("tick");
        annotate("retry", "1");
        assertThat(story.calls).containsExactly("tick", "tick");
    }

    @Test
    @Tag("Q02")
    void aTimerThatWaitsForItsIdleTimeIsCalledNowIfItIsAskedFor() {
        story.start(builder ->
                builder.onTimer("kex", "tick", options -> options.idle(Duration.ofMinutes(30)), story.noting("tick")));
        story.server.create(Scenario.example());
        story.world.runFor(Duration.ofMinutes(10));
        assertThat(story.calls).isEmpty();
        annotate("retry", "1 tick");
        assertThat(story.calls).containsExactly("tick");
    }

    private static ObjectNode withFields(String fields) {
        ObjectNode object = Scenario.example();
        object.set("spec", Scenario.json(fields));
        return object;
    }

    private Handler waiting(String id) {
        return story.saying(context -> {
            if (broken.get()) {
                throw new TemporaryException("wait", Duration.ofMinutes(5));
            }
            return id;
        });
    }

    private OperatorBuilder withOneThatWaits(OperatorBuilder builder) {
        return builder.onUpdate(
                        "kex",
                        "b",
                        options -> options.field("spec.b"),
                        story.saying(context ->
                                "b " + context.diff().items().getFirst().newValue()))
                .onUpdate("kex", "c", options -> options.field("spec.c"), waiting("c"))
                .onUpdate(
                        "kex",
                        "any",
                        story.saying(context -> "any " + context.diff().items()))
                .onField("kex", "field", options -> options.field("spec.b"), story.noting("field"));
    }

    /** Each version reads what another one has stored. */
    @Test
    @Tag("Q02")
    void whatIsStoredOfARetryStaysTheSameFromVersionToVersion() {
        story.start(this::withOneThatWaits);
        story.server.create(withFields("{'b':'1','c':'1'}"));
        story.rest();
        annotate("retry", "1 c/spec.c");
        edit("spec.b", "2");
        // The base is the begin of the SHA-256 of the state that was handled, without the field to be handled again.
        assertThat(annotation("retry-seen"))
                .isEqualTo("{\"base\":\"81a9318c25b80d70\",\"handlers\":[\"any\"],"
                        + "\"state\":{\"spec\":{\"b\":\"1\",\"c\":\"1\"}}}");
    }

    @Test
    @Tag("Q02")
    void whatIsStoredOfFailuresStaysTheSameFromVersionToVersion() {
        story.start(builder -> failing(builder).onUpdate("kex", "worse", context -> {
            throw new PermanentException("no disk");
        }));
        story.server.create(Scenario.example());
        story.rest();
        edit("spec.field", "b");
        assertThat(annotation("failed-handlers").replaceAll("2020-01-01T[^\"]*", "TIME"))
                .isEqualTo(
                        "{\"bad\":{\"reason\":\"create\",\"stopped\":\"TIME\",\"retries\":1,\"message\":\"no luck\"},"
                                + "\"worse\":{\"reason\":\"update\",\"stopped\":\"TIME\",\"retries\":1,\"message\":\"no disk\","
                                + "\"since\":{\"spec\":{\"field\":\"a\"}}}}");
    }

    /** Somebody edits the object while the handler waits that was to be called again. */
    @ParameterizedTest
    @Tag("Q02")
    @ValueSource(booleans = {false, true})
    void anEditWhileARetriedHandlerWaitsIsToldToAllOthersOnce(boolean restarted) {
        story.start(this::withOneThatWaits);
        story.server.create(withFields("{'b':'1','c':'1'}"));
        story.rest();
        called();

        annotate("retry", "1 c/spec.c");
        edit("spec.b", "2");
        if (restarted) {
            story.restart(this::withOneThatWaits);
        }
        assertThat(called()).containsExactlyInAnyOrder("b 2", "field");
        broken.set(false);
        story.pass(Duration.ofMinutes(10));
        assertThat(called()).containsExactly("c", "any [Item[op=CHANGE, field=[spec, b], oldValue=1, newValue=2]]");
        assertThat(annotation("retry-seen")).isEmpty();
        edit("spec.b", "3");
        assertThat(called()).hasSize(3);
    }

    @ParameterizedTest
    @Tag("Q02")
    @ValueSource(booleans = {false, true})
    void anEditWhileACreationIsMadeAgainIsAnUpdate(boolean restarted) {
        UnaryOperator<OperatorBuilder> handlers = builder -> withOneThatWaits(builder)
                .onCreate("kex", "c1", waiting("c1"))
                .onCreate("kex", "c2", story.noting("c2"));
        broken.set(false);
        story.start(handlers);
        story.server.create(withFields("{'b':'1','c':'1'}"));
        story.rest();
        called();

        broken.set(true);
        annotate("retry", "1 c1");
        edit("spec.b", "2");
        if (restarted) {
            story.restart(handlers);
        }
        assertThat(called()).isEmpty();
        broken.set(false);
        story.pass(Duration.ofMinutes(10));
        assertThat(called())
                .containsExactlyInAnyOrder(
                        "c1", "b 2", "field", "any [Item[op=CHANGE, field=[spec, b], oldValue=1, newValue=2]]");
        assertThat(annotation("retry-seen")).isEmpty();
    }

    @Test
    @Tag("Q02")
    void handlersAreCalledAgainWhateverTheObjectLacks() {
        story.start(builder -> builder.onUpdate("kex", "any", story.noting("any"))
                .onUpdate("kex", "gone", options -> options.field("spec.a.gone"), story.noting("gone"))
                .onUpdate(
                        "kex",
                        "old",
                        options -> options.field("data.a").oldValue("1"),
                        story.saying(context ->
                                "old " + context.diff().items().getFirst().oldValue()))
                .onUpdate("kex", "never", options -> options.labels("never"), story.noting("never")));
        ObjectNode object = Scenario.example();
        object.remove("spec");
        object.set("data", Scenario.json("{'a':'2'}"));
        story.server.create(object);
        story.rest();

        annotate("retry", "1 any");
        assertThat(called()).containsExactly("any");
        annotate("retry", "2 gone/spec.a.gone");
        assertThat(called()).containsExactly("gone");
        annotate("retry", "3 old/data.a");
        assertThat(called()).containsExactly("old 1");
        edit("spec.a", "text");
        called();
        annotate("retry", "4 gone/spec.a.gone");
        assertThat(called()).containsExactly("gone");
        annotate("retry", "5 never");
        assertThat(called()).isEmpty();
        assertThat(annotation("retry-acknowledged")).isEqualTo("5");
        assertThat(story.lines(Level.INFO))
                .contains(
                        "info: A retry was asked for (token '2'): these handlers are called: gone/spec.a.gone;"
                                + " the old value is an empty text, as none is known, for: gone/spec.a.gone.",
                        "info: A retry was asked for (token '3'): these handlers are called: old/data.a.",
                        "info: A retry was asked for (token '5'): these are not, as their filters do not let the object pass:"
                                + " never.");
    }

    private OperatorBuilder failingForTwoReasons(OperatorBuilder builder) {
        return builder.settings(settings -> settings.persistence().failures(true))
                .onCreate("kex", "cre", failing("cre"))
                .onUpdate("kex", "upd", failing("upd"))
                .onResume("kex", "res", story.noting("res"));
    }

    private Handler failing(String id) {
        return context -> {
            story.calls.add(id);
            throw new PermanentException("no luck");
        };
    }

    /** The one that is made again first fails again, for good or until a restart. */
    @ParameterizedTest
    @Tag("Q02")
    @ValueSource(booleans = {false, true})
    void allThatHaveFailedAreCalledAgainWhateverTheyHaveFailedWith(boolean restarted) {
        UnaryOperator<OperatorBuilder> handlers = this::failingForTwoReasons;
        story.start(handlers);
        story.server.create(Scenario.example());
        story.rest();
        edit("spec.field", "b");
        assertThat(called()).containsExactly("cre", "upd");
        if (restarted) {
            story.restart(handlers);
            assertThat(called()).containsExactly("res");
        }
        annotate("retry", "1");
        assertThat(called()).containsExactly("cre", "upd");
        assertThat(annotation("retry-acknowledged")).isEqualTo("1");
        assertThat(story.lines(Level.INFO))
                .contains(
                        "info: A retry was asked for (token '1'): these handlers are called: cre; when they have ended,"
                                + " these are: upd.");
        annotate("retry", "2 *");
        assertThat(called()).containsExactly("cre", "upd", "res");
    }

    /** What a retry does not call has not succeeded by that. */
    @ParameterizedTest
    @Tag("Q02")
    @ValueSource(booleans = {false, true})
    void aRetryForgetsNoFailureOfAHandlerThatItDoesNotCall(boolean remembered) {
        story.start(builder -> builder.settings(
                        settings -> settings.persistence().failures(remembered))
                .onCreate("kex", "cre", failing("cre"))
                .onField("kex", "field", options -> options.field("spec.b"), context -> {
                    story.calls.add("field");
                    if (broken.get()) {
                        throw new PermanentException("no luck");
                    }
                    return null;
                })
                .onUpdate("kex", "good", story.noting("good")));
        story.server.create(withFields("{'a':'1'}"));
        story.rest();
        edit("spec.b", "2");
        assertThat(called()).containsExactlyInAnyOrder("cre", "field", "good");
        annotate("retry", "1");
        assertThat(called()).containsExactly("cre", "field");
        annotate("retry", "2 good");
        assertThat(called()).containsExactly("good");
        broken.set(false);
        annotate("retry", "3");
        assertThat(called()).containsExactly("cre", "field");
        annotate("retry", "4");
        assertThat(called()).containsExactly("cre");
    }

    @ParameterizedTest
    @Tag("Q02")
    @ValueSource(strings = {"1", "1 two", "1 cre"})
    void aChangeThatIsUndoneIsToldBeforeARetry(String token) {
        story.start(builder -> builder.onCreate("kex", "cre", story.noting("cre"))
                .onUpdate(
                        "kex",
                        "one",
                        story.saying(context ->
                                "one " + context.diff().items().getFirst().newValue()))
                .onUpdate("kex", "two", waiting("two")));
        story.server.create(withFields("{'a':'1'}"));
        story.rest();
        edit("spec.a", "2");
        assertThat(called()).containsExactly("cre", "one 2");
        annotate("paused", "true");
        edit("spec.a", "1");
        annotate("retry", token);
        broken.set(false);
        annotate("paused", null);
        List<String> calls = called();
        assertThat(calls).startsWith("one 1");
        if (token.endsWith("cre")) {
            assertThat(calls).endsWith("cre");
        }
        assertThat(annotation("retry-acknowledged")).isEqualTo("1");
        story.pass(Duration.ofMinutes(10));
        assertThat(called()).isEmpty();
    }

    @Test
    @Tag("Q02")
    void theRestOfARetryOutlivesTheProcess() {
        UnaryOperator<OperatorBuilder> handlers =
                builder -> builder.onCreate("kex", "cre", waiting("cre")).onUpdate("kex", "upd", story.noting("upd"));
        story.start(handlers);
        story.server.create(Scenario.handled());
        story.rest();
        annotate("retry", "1 *");
        assertThat(annotation("retry-acknowledged")).isEqualTo("1 create");
        story.restart(handlers);
        assertThat(called()).isEmpty();
        broken.set(false);
        story.pass(Duration.ofMinutes(10));
        assertThat(called()).containsExactly("cre", "upd");
        assertThat(annotation("retry-acknowledged")).isEqualTo("1");
    }

    /**
     * Whether there is room or not, other handlers hear of an edit while the handler waits, as the process lives on.
     */
    @ParameterizedTest
    @Tag("Q02")
    @ValueSource(ints = {10_000, 26_000})
    void aRetryLeavesRoomForTheStateOfALargeObject(int characters) {
        broken.set(false);
        story.start(builder -> builder.onUpdate("kex", "upd", waiting("upd"))
                .onUpdate(
                        "kex",
                        "other",
                        story.saying(context ->
                                "other " + context.diff().items().getLast().newValue())));
        String large = "\u5b57".repeat(characters);
        ObjectNode object = withFields("{'large':'" + large + "','a':'1'}");
        object.withObject("metadata")
                .withObject("annotations")
                .put("kubectl.kubernetes.io/last-applied-configuration", "\u5b57".repeat(24_000));
        story.server.create(object);
        story.rest();
        broken.set(true);
        annotate("retry", "1 upd");
        edit("spec.a", "2");
        assertThat(called()).isEmpty();
        assertThat(annotation("retry-seen").isEmpty()).isEqualTo(characters > 10_000);
        broken.set(false);
        story.pass(Duration.ofMinutes(10));
        assertThat(called()).containsExactly("upd", "other 2");
        assertThat(annotation("retry-seen")).isEmpty();
    }

    @Test
    @Tag("Q02")
    void anObjectWithoutRoomForWhatARetryHasStoredIsHandled() {
        broken.set(false);
        story.start(builder -> builder.onUpdate("kex", "upd", waiting("upd")));
        String large = "\u5b57".repeat(20_000);
        story.server.create(withFields("{'large':'" + large + "','a':'1'}"));
        story.rest();
        broken.set(true);
        edit("spec.a", "2");
        called();
        annotate("retry-seen", "{\"base\":\"1\",\"handlers\":[],\"state\":\"" + "a".repeat(150_000) + "\"}");
        broken.set(false);
        story.pass(Duration.ofMinutes(10));
        assertThat(called()).containsExactly("upd");
        assertThat(annotation("retry-seen")).isEmpty();
    }

    /** The memory of the operator has no room for what anybody writes into an annotation. */
    @Test
    void whoHasFailedOnlyByAnAnnotationIsForgottenWithIt() {
        story.start(builder ->
                builder.onCreate("kex", "cre", story.noting("cre")).onUpdate("kex", "upd", story.noting("upd")));
        story.server.create(Scenario.example());
        story.rest();
        annotate("failed-handlers", "{\"cre\":{\"reason\":\"create\"},\"gone\":{\"reason\":\"create\"}}");
        edit("spec.field", "b");
        assertThat(annotation("failed-handlers")).isEqualTo("{\"cre\":{\"reason\":\"create\"}}");
        annotate("failed-handlers", null);
        called();
        annotate("retry", "1");
        assertThat(called()).isEmpty();
    }

    @Test
    @Tag("Q02")
    void aHandlerThatHasNoPartInTheChangeIsCalledAgainAfterIt() {
        story.start(this::withOneThatWaits);
        broken.set(true);
        story.server.create(withFields("{'b':'1','c':'1'}"));
        story.rest();
        edit("spec.c", "2");
        called();
        annotate("retry", "1 b/spec.b");
        assertThat(called()).isEmpty();
        assertThat(annotation("retry-acknowledged")).isEmpty();
        broken.set(false);
        story.pass(Duration.ofMinutes(10));
        assertThat(called()).containsExactly("c", "b 1");
        assertThat(annotation("retry-acknowledged")).isEqualTo("1");
    }

    /** Only a handler that is called calls its sub-handlers. */
    @ParameterizedTest
    @ValueSource(strings = {"now", "now cre/sub"})
    @Tag("Q02")
    void aSubHandlerThatHasFailedIsCalledAgainThoughItsHandlerHasEnded(String token) {
        story.start(builder -> builder.onCreate("kex", "cre", context -> {
                    story.calls.add("cre");
                    context.subHandlers().add("sub", h -> {}, sub -> {
                        story.calls.add("sub");
                        if (broken.get()) {
                            throw new PermanentException("no luck");
                        }
                        return null;
                    });
                    context.subHandlers().add("fine", h -> {}, story.noting("fine"));
                    return null;
                })
                .onCreate("kex", "other", context -> {
                    if (broken.get()) {
                        throw new TemporaryException("later", Duration.ofHours(1));
                    }
                    return null;
                }));
        story.server.create(Scenario.example());
        story.rest();
        assertThat(story.calls).contains("sub", "fine");
        story.calls.clear();
        broken.set(false);
        annotate("retry", token);
        assertThat(story.calls).containsExactly("cre", "sub");
        story.pass(Duration.ofHours(2));
        assertThat(story.hasAnnotation(Scenario.LAST_HANDLED)).isTrue();
        assertThat(story.calls).containsExactly("cre", "sub");
    }

    /** What has succeeded stays as it is. */
    @ParameterizedTest
    @CsvSource({
        "false, false, now,               cre a mid inner",
        "true,  false, now,               cre a mid inner",
        "false, true,  now,               cre a mid inner",
        "false, false, now cre/a,         cre a",
        "false, true,  now cre/mid/inner, cre mid inner",
        "false, false, now cre/b,         cre b",
        "false, false, now cre,           cre a b mid inner fine",
        "false, false, now cre/other,     ''"
    })
    @Tag("Q02")
    void subHandlersThatHaveFailedAreCalledAgainWhenAllIsHandled(
            boolean updating, boolean restarted, String token, String expected) {
        UnaryOperator<OperatorBuilder> operator = builder -> {
            builder.settings(settings -> settings.persistence().failures(true));
            return updating
                    ? builder.onUpdate("kex", "cre", withSubHandlers())
                    : builder.onCreate("kex", "cre", withSubHandlers());
        };
        story.start(operator);
        story.server.create(Scenario.example());
        story.rest();
        if (updating) {
            edit("spec.field", "b");
        }
        assertThat(called()).containsExactly("cre", "a", "b", "mid", "inner", "fine");
        if (restarted) {
            story.restart(operator);
        }
        annotate("retry", token);
        assertThat(String.join(" ", called())).isEqualTo(expected);
        assertThat(annotation("failed-handlers")).contains("cre/a", "cre/mid/inner");
        broken.set(false);
        annotate("retry", "again");
        assertThat(called()).containsExactly("cre", "a", "mid", "inner");
        assertThat(annotation("failed-handlers")).isEmpty();
        annotate("retry", "more");
        assertThat(called()).isEmpty();
    }

    private Handler withSubHandlers() {
        return context -> {
            story.calls.add("cre");
            context.subHandlers().add("a", h -> {}, begunAndFailing("a"));
            context.subHandlers().add("b", h -> {}, story.noting("b"));
            context.subHandlers().add("mid", h -> {}, mid -> {
                story.calls.add("mid");
                mid.subHandlers().add("inner", h -> {}, begunAndFailing("inner"));
                mid.subHandlers().add("fine", h -> {}, story.noting("fine"));
                return null;
            });
            return null;
        };
    }

    private Handler begunAndFailing(String id) {
        return context -> {
            story.calls.add(id);
            if (broken.get()) {
                throw new PermanentException("no luck");
            }
            return null;
        };
    }

    private Handler begunAndWaiting(String id) {
        return context -> {
            story.calls.add(id);
            if (broken.get()) {
                throw new TemporaryException("wait", Duration.ofHours(1));
            }
            return null;
        };
    }

    /** What is chosen is called by those that declare it: they have waited as long as it has. */
    @ParameterizedTest
    @CsvSource({
        "now cre/sub,        cre sub",
        "now cre/mid/inner,  cre mid inner",
        "now cre/step,       cre step",
        "now cre,            cre",
        "now,                cre sub mid inner"
    })
    @Tag("Q02")
    void aSubHandlerOrStepIsCalledAgainThoughItsHandlerWaits(String token, String expected) {
        story.start(builder -> builder.onCreate("kex", "cre", context -> {
            story.calls.add("cre");
            context.steps().run("step", () -> story.calls.add("step"));
            context.subHandlers().add("sub", h -> {}, begunAndWaiting("sub"));
            context.subHandlers().add("mid", h -> {}, mid -> {
                story.calls.add("mid");
                mid.subHandlers().add("inner", h -> {}, begunAndWaiting("inner"));
                return null;
            });
            return null;
        }));
        story.server.create(Scenario.example());
        story.rest();
        assertThat(called()).containsExactly("cre", "step", "sub", "mid", "inner");
        annotate("retry", token);
        assertThat(called()).containsExactly(expected.split(" "));
        broken.set(false);
        story.pass(Duration.ofHours(2));
        assertThat(story.hasAnnotation(Scenario.LAST_HANDLED)).isTrue();
    }
}
