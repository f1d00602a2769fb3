package dev.kopf4j.engine.call;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.ErrorsMode;
import dev.kopf4j.Handler;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.OnCreate;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.PermanentException;
import dev.kopf4j.Reason;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.call.HandlerResultTest.KotlinResults;
import dev.kopf4j.engine.simulation.Scenario;
import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.NullSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/**
 * How often, when and for how long handlers are tried again, on a running operator. Tests {@link ProgressState},
 * {@link RetryPolicy.Outcome}, {@code ChangeHandlerCalls}, {@code HandlerRunner} and {@code ProgressCheckpoint}.
 */
class HandlerRetriesTest {
    private final Scenario story = new Scenario();
    private int ignored;

    @AfterEach
    void end() {
        story.close();
    }

    private UnaryOperator<OperatorBuilder> creating(Consumer<OnCreate.Options> options, Handler handler) {
        return builder -> builder.onCreate("kex", "fn", options, context -> {
            story.calls.add(context.retry() + " at " + story.seconds());
            return handler.handle(context);
        });
    }

    private static Handler failing(RuntimeException exception) {
        return context -> {
            throw exception;
        };
    }

    private void create() {
        story.server.create(Scenario.example());
    }

    @Test
    void whoIsNotMeantAnyMoreIsNotCalledAgainAndTheLogSaysSo() {
        story.start(builder -> builder.onUpdate(
                        "kex",
                        "ab",
                        h -> h.field("spec.field").oldValue("a").newValue("b"),
                        failing(new TemporaryException("later", Duration.ofMinutes(1))))
                .onUpdate("kex", "ac", h -> h.field("spec.field").oldValue("a").newValue("c"), story.noting("ac")));
        story.server.create(Scenario.handled());
        story.rest();
        story.server.change("x", "spec.field", "b");
        story.rest();
        story.server.change("x", "spec.field", "c");
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls).containsExactly("ac");
        assertThat(story.infos())
                .filteredOn(line -> line.contains("not called again"))
                .singleElement()
                .asString()
                .contains("'ab/spec.field'");
    }

    /** It has failed, though it has returned. */
    @Test
    void whatAFunctionOfKotlinHasCaughtIsTriedAgain() {
        story.start(creating(
                h -> {},
                context -> context.retry() == 0
                        ? KotlinResults.failure(new TemporaryException("later", Duration.ofMinutes(1)))
                        : null));
        create();
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls).containsExactly("0 at 0.5", "1 at 60.5");
    }

    @Test
    @Tag("C27")
    @Tag("C22")
    @Tag("C37")
    void temporaryErrorsWakeUpByThemselvesWithoutAnyRequest() {
        story.start(creating(h -> {}, context -> {
            if (context.retry() < 2) {
                throw new TemporaryException("later", Duration.ofMinutes(15));
            }
            assertThat(context.runtime()).isEqualTo(Duration.ofMinutes(30));
            assertThat(context.started()).isEqualTo(Scenario.START.plusMillis(500));
            return null;
        }));
        create();
        story.pass(Duration.ofMinutes(14));
        assertThat(story.calls).containsExactly("0 at 0.5");
        assertThat(story.server.patches()).hasSize(1);
        story.pass(Duration.ofMinutes(20));
        assertThat(story.calls).containsExactly("0 at 0.5", "1 at 900.5", "2 at 1800.5");
        assertThat(story.server.patches()).as("one for each attempt").hasSize(3);
        assertThat(story.server.patches())
                .allSatisfy(patch -> assertThat(patch.body().toString()).doesNotContain("touch-dummy"));
        assertThat(story.infos())
                .endsWith("info: Handler 'fn' succeeded.", "info: Creation is processed: 1 succeeded; 0 failed.");
    }

    @Test
    @Tag("C37")
    @Tag("C22")
    void delaysGoOnAfterARestart() {
        Handler once = context -> {
            if (context.retry() == 0) {
                throw new TemporaryException("later", Duration.ofMinutes(20));
            }
            story.calls.add("runtime " + context.runtime());
            return null;
        };
        story.start(creating(h -> {}, once));
        create();
        story.pass(Duration.ofMinutes(5));
        story.kill();
        story.pass(Duration.ofMinutes(5)).start(creating(h -> {}, once));
        story.pass(Duration.ofMinutes(9));
        assertThat(story.calls).containsExactly("0 at 0.5");
        story.pass(Duration.ofMinutes(2));
        assertThat(story.calls).containsExactly("0 at 0.5", "1 at 1200.5", "runtime PT20M");
    }

    @ParameterizedTest
    @Tag("C27")
    @NullSource
    @ValueSource(strings = {"PT0S", "PT-5S"})
    void aDelayOfNothingIsARetryAtOnce(@Nullable Duration delay) {
        story.start(creating(h -> h.retries(4), context -> {
            throw new TemporaryException("at once", delay);
        }));
        create();
        story.rest();
        assertThat(story.calls).containsExactly("0 at 0.5", "1 at 0.5", "2 at 0.5", "3 at 0.5");
    }

    @Test
    @Tag("C27")
    void withoutADelayTheRetryIsAfterAMinute() {
        story.start(creating(h -> h.backoff(Duration.ofSeconds(1)), failing(new TemporaryException("later"))));
        create();
        story.pass(Duration.ofMinutes(2));
        assertThat(story.calls).containsExactly("0 at 0.5", "1 at 60.5", "2 at 120.5");
    }

    @Test
    @Tag("C28")
    @Tag("C40")
    void permanentErrorsEndTheHandlerAndTheCycleIsProcessedAllTheSame() {
        story.start(builder -> creating(h -> {}, failing(new PermanentException("never")))
                .apply(builder)
                .onCreate("kex", "other", story.noting("other")));
        create();
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls).containsExactly("0 at 0.5", "other");
        assertThat(story.log.lines(Level.DEBUG).stream().filter(line -> !line.contains("atching the")))
                .filteredOn(line -> line.contains("invoked") || !line.startsWith("debug"))
                .containsExactly(
                        "debug: Handler 'fn' is invoked.",
                        "error: Handler 'fn' failed permanently: never",
                        "debug: Handler 'other' is invoked.",
                        "info: Handler 'other' succeeded.",
                        "info: Creation is processed: 1 succeeded; 1 failed.");
        assertThat(story.hasAnnotation(Scenario.LAST_HANDLED)).isTrue();
        assertThat(story.hasAnnotation("kopf.zalando.org/fn")).isFalse();
    }

    @Test
    @Tag("C29")
    @Tag("C30")
    void arbitraryExceptionsFollowTheMode() {
        RuntimeException boom = new IllegalStateException("boom");
        story.start(builder -> builder.settings(s -> s.execution().defaultBackoff(Duration.ofSeconds(7)))
                .onCreate("kex", "ignored", h -> h.errors(ErrorsMode.IGNORED), noted("ignored", boom))
                .onCreate("kex", "permanent", h -> h.errors(ErrorsMode.PERMANENT), noted("permanent", boom))
                .onCreate("kex", "default", h -> h.retries(3), noted("default", boom))
                .onCreate("kex", "own", h -> h.retries(2).backoff(Duration.ofSeconds(2)), noted("own", boom)));
        create();
        story.pass(Duration.ofMinutes(5));
        assertThat(story.calls)
                .containsExactly(
                        "ignored at 0.5",
                        "permanent at 0.5",
                        "default at 0.5",
                        "own at 0.5",
                        "own at 2.5",
                        "default at 7.5",
                        "default at 14.5");
        assertThat(story.infos()).last().isEqualTo("info: Creation is processed: 1 succeeded; 3 failed.");
    }

    private Handler noted(String name, RuntimeException exception) {
        return context -> {
            story.calls.add(name + " at " + story.seconds());
            throw exception;
        };
    }

    @Test
    @Tag("C31")
    void attemptsOfOtherOperatorsCount() {
        story.server.create(Scenario.annotated(
                Scenario.example(),
                "kopf.zalando.org/fn",
                "{\"started\":\"2020-01-01T00:00:00.000000+00:00\",\"purpose\":\"create\",\"retries\":3}"));
        story.start(creating(h -> h.retries(3), story.noting("never")));
        assertThat(story.calls).isEmpty();
        assertThat(story.infos())
                .containsExactly(
                        "error: Handler 'fn' has exceeded 3 retries.",
                        "info: Creation is processed: 0 succeeded; 1 failed.");
    }

    @Test
    @Tag("C32")
    @Tag("L03")
    void timeoutsInterruptRunningHandlers() {
        story.start(creating(h -> h.timeout(Duration.ofSeconds(10)), context -> {
            try {
                story.world.sleep(Duration.ofHours(1));
            } catch (InterruptedException e) {
                story.calls.add("interrupted at " + story.seconds());
                throw e;
            }
            return null;
        }));
        create();
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).containsExactly("0 at 0.5", "interrupted at 10.5");
        assertThat(story.infos())
                .containsExactly(
                        "error: Handler 'fn' has timed out after 0:00:10.",
                        "info: Creation is processed: 0 succeeded; 1 failed.");
    }

    @Test
    @Tag("L03")
    void handlersThatIgnoreInterruptsAreLeftBehindAndNotCalledAgainMeanwhile() {
        story.start(builder -> builder.onUpdate("kex", "stuck", h -> h.timeout(Duration.ofSeconds(50)), context -> {
                    story.calls.add("stuck at " + story.seconds());
                    waitUninterruptibly(Duration.ofSeconds(100));
                    story.calls.add("ended at " + story.seconds());
                    return null;
                })
                .onUpdate("kex", "other", story.noting("other")));
        story.server.create(Scenario.handled());
        story.rest();
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofSeconds(70));
        assertThat(story.calls).containsExactly("stuck at 1.0", "other");
        assertThat(story.lines(Level.WARN))
                .anyMatch(line -> line.contains("Handler 'stuck' ignores that it was interrupted 10 seconds ago")
                        && line.contains("waitUninterruptibly"));
        story.server.change("x", "spec.field", "c");
        story.pass(Duration.ofSeconds(20));
        assertThat(story.calls).as("the other work goes on").containsExactly("stuck at 1.0", "other", "other");
        story.pass(Duration.ofSeconds(30));
        assertThat(ignored).isPositive();
        assertThat(story.calls).contains("ended at 101.0").last().asString().startsWith("stuck at ");
    }

    private void waitUninterruptibly(Duration time) {
        var end = story.world.after(time);
        while (!end.hasPassed(story.world)) {
            try {
                story.world.monitor().awaitTrue(() -> false, end);
            } catch (InterruptedException e) {
                ignored++;
            }
        }
    }

    @Test
    @Tag("C32")
    void timeSpentOnEarlierAttemptsCounts() {
        story.start(creating(
                h -> h.timeout(Duration.ofSeconds(10)), failing(new TemporaryException("x", Duration.ofSeconds(4)))));
        create();
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).containsExactly("0 at 0.5", "1 at 4.5", "2 at 8.5");
        assertThat(story.infos())
                .contains("error: Handler 'fn' failed temporarily but will time out after 10 seconds: x");
    }

    @Test
    @Tag("C26")
    void theDefaultLifecycleCallsAllInOrderAndWritesOnce() {
        story.start(builder -> builder.onCreate("kex", "a", story.noting("a"))
                .onCreate("kex", "b", story.noting("b"))
                .onCreate("kex", "c", story.noting("c")));
        create();
        story.rest();
        assertThat(story.calls).containsExactly("a", "b", "c");
        assertThat(story.server.patches()).hasSize(1);
    }

    @Test
    @Tag("C26")
    void oneByOneCallsOnePerCycleAndKeepsToTheFirst() {
        story.start(builder -> builder.settings(s -> s.execution().lifecycle(HandlerLifecycle.ONE_BY_ONE))
                .onCreate("kex", "a", story.noting("a"))
                .onCreate("kex", "b", story.noting("b")));
        create();
        story.rest();
        assertThat(story.calls).containsExactly("a", "b");
        assertThat(story.server.patches()).hasSize(2);
    }

    @Test
    @Tag("L02")
    void aSuccessThatWasWrittenIsNotRepeatedAfterAKill() {
        UnaryOperator<OperatorBuilder> handlers =
                builder -> builder.settings(s -> s.execution().checkpoint(Duration.ZERO))
                        .onCreate("kex", "a", story.noting("a"))
                        .onCreate("kex", "b", context -> {
                            story.calls.add("b");
                            story.world.sleep(Duration.ofSeconds(30));
                            story.calls.add("b done");
                            return null;
                        });
        story.start(handlers);
        create();
        story.pass(Duration.ofSeconds(10));
        story.kill().start(handlers);
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).containsExactly("a", "b", "b", "b done");
    }

    @Test
    @Tag("L02")
    void checkpointsAreWrittenWhileTheNextHandlerRuns() {
        story.start(builder -> builder.onCreate("kex", "a", story.noting("a")).onCreate("kex", "b", context -> {
            story.world.sleep(Duration.ofSeconds(30));
            return null;
        }));
        create();
        story.pass(Duration.ofMillis(49));
        assertThat(story.server.patches()).isEmpty();
        story.pass(Duration.ofMillis(10));
        assertThat(story.at("/metadata/annotations/kopf.zalando.org~1a").asString())
                .contains("\"success\":true");
        story.pass(Duration.ofMinutes(1));
        assertThat(story.server.patches()).hasSize(2);
    }

    @Test
    @Tag("C36")
    void unfinishedBusinessIsSupersededByTheNextReason() {
        story.start(builder -> builder.onCreate("kex", "cre", failing(new TemporaryException("later")))
                .onUpdate("kex", "upd", story.noting("update"))
                .onField("kex", "fld", h -> h.field("spec.field"), story.noting("field")));
        story.server.create(Scenario.annotated(
                Scenario.annotated(Scenario.example(), Scenario.LAST_HANDLED, "{\"spec\":{\"field\":\"old\"}}\n"),
                "kopf.zalando.org/cre",
                "{\"started\":\"2020-01-01T00:00:00.000000+00:00\",\"purpose\":\"create\",\"retries\":1}"));
        story.rest();
        assertThat(story.infos())
                .contains("info: Creation is superseded by updating: 0 succeeded; 0 failed; 1 left to the moment.");
        assertThat(story.calls).containsExactly("update", "field");
        assertThat(story.hasAnnotation("kopf.zalando.org/cre")).isFalse();
    }

    @Test
    @Tag("C36")
    void allThatWasDoneForTheOldReasonIsCountedAndForgottenWithItsSubHandlers() {
        story.start(builder -> builder.onCreate("kex", "one", story.noting("one"))
                .onCreate("kex", "two", story.noting("two"))
                .onCreate("kex", "three", story.noting("three"))
                .onUpdate("kex", "upd", failing(new TemporaryException("later"))));
        var object = Scenario.annotated(Scenario.example(), Scenario.LAST_HANDLED, "{\"spec\":{\"field\":\"old\"}}\n");
        Scenario.annotated(
                object, "kopf.zalando.org/one", "{\"purpose\":\"create\",\"success\":true,\"subrefs\":[\"one/sub\"]}");
        Scenario.annotated(object, "kopf.zalando.org/one.sub", "{\"purpose\":\"create\",\"success\":true}");
        Scenario.annotated(object, "kopf.zalando.org/two", "{\"purpose\":\"create\",\"failure\":true}");
        Scenario.annotated(object, "kopf.zalando.org/three", "{\"purpose\":\"create\",\"retries\":3}");
        story.server.create(object);
        story.rest();
        assertThat(story.infos())
                .contains("info: Creation is superseded by updating: 1 succeeded; 1 failed; 1 left to the moment.");
        assertThat(story.calls).isEmpty();
        assertThat(story.at("/metadata/annotations").propertyNames())
                .containsExactlyInAnyOrder(Scenario.LAST_HANDLED, "kopf.zalando.org/upd");
    }

    @Test
    @Tag("C36")
    void subHandlersOfHandlersOfBothReasonsKeepTheirProgress() {
        story.start(builder -> builder.onField("kex", "fld", h -> h.field("spec.field"), context -> {
                    context.subHandlers().add("done", story.noting("done"));
                    context.subHandlers().add("open", story.noting("open"));
                    return null;
                })
                .onUpdate("kex", "upd", story.noting("update"))
                .onDelete("kex", "del", failing(new TemporaryException("later"))));
        var object = Scenario.annotated(Scenario.example(), Scenario.LAST_HANDLED, "{\"spec\":{\"field\":\"old\"}}\n");
        object.withObject("/metadata").put("deletionTimestamp", "2020-01-01T00:00:00Z");
        object.withArray("/metadata/finalizers").add(Scenario.FINALIZER);
        Scenario.annotated(
                object,
                "kopf.zalando.org/fld.spec.field",
                "{\"purpose\":\"update\",\"delayed\":\"2020-01-01T00:00:10+00:00\",\"subrefs\":[\"fld/spec.field/done\",\"fld/spec.field/open\"]}");
        Scenario.annotated(object, "kopf.zalando.org/fld.spec.field.done", "{\"purpose\":\"update\",\"success\":true}");
        Scenario.annotated(object, "kopf.zalando.org/upd", "{\"purpose\":\"update\",\"retries\":1}");
        story.server.create(object);
        story.rest();
        assertThat(story.hasAnnotation("kopf.zalando.org/upd")).isFalse();
        assertThat(story.hasAnnotation("kopf.zalando.org/fld.spec.field.done")).isTrue();
        story.pass(Duration.ofSeconds(20));
        assertThat(story.calls).containsExactly("open");
    }

    @Test
    @Tag("C36")
    void recordsOfHandlersOfBothReasonsGetTheNewPurpose() {
        story.start(builder -> builder.onField(
                        "kex",
                        "fld",
                        h -> h.field("spec.field"),
                        failing(new TemporaryException("later", Duration.ofSeconds(10))))
                .onDelete("kex", "del", failing(new TemporaryException("later", Duration.ofSeconds(10)))));
        story.server.create(Scenario.handled());
        story.rest();
        story.server.change("x", "spec.field", "b");
        story.rest();
        assertThat(story.at("/metadata/annotations/kopf.zalando.org~1fld.spec.field")
                        .asString())
                .contains("\"purpose\":\"update\"", "\"retries\":1");
        story.server.delete("x");
        story.rest();
        assertThat(story.at("/metadata/annotations/kopf.zalando.org~1fld.spec.field")
                        .asString())
                .contains("\"purpose\":\"delete\"", "\"retries\":1");
        story.pass(Duration.ofSeconds(25));
        assertThat(story.infos().stream().filter(line -> line.contains("superseded")))
                .containsExactly(
                        "info: Updating is superseded by deletion: 0 succeeded; 0 failed; 1 left to the moment.");
    }

    /** One function for everything, beside another one that waits. */
    private void startOneForAll() {
        Handler one = context -> {
            story.calls.add(context.reason() + " " + context.spec().getString("field", "") + " " + context.retry());
            return null;
        };
        Handler other = failing(new TemporaryException("later", Duration.ofHours(1)));
        story.start(builder -> builder.onCreate("kex", "one", one)
                .onUpdate("kex", "one", one)
                .onResume("kex", "one", one)
                .onDelete("kex", "one", one)
                .onCreate("kex", "other", other)
                .onUpdate("kex", "other", other)
                .onResume("kex", "other", other));
    }

    @ParameterizedTest
    @Tag("C36")
    @CsvSource({
        "create, DELETE, CREATE a 0",
        "edit, DELETE, UPDATE b 0",
        "resume, DELETE, RESUME a 0",
        "resume, b, RESUME a 0",
        "edit, a, UPDATE b 0",
    })
    void whatSucceededForOneReasonIsCalledForTheNextOneInAnotherProcess(String begin, String then, String first) {
        whatSucceededForOneReasonIsCalledForTheNextOne(begin, then, first, true);
    }

    @ParameterizedTest
    @Tag("C36")
    @CsvSource({
        "create, DELETE, CREATE a 0",
        "edit, DELETE, UPDATE b 0",
        "resume, DELETE, RESUME a 0",
        "resume, b, RESUME a 0",
    })
    void whatSucceededForOneReasonIsCalledForTheNextOneInTheSameProcess(String begin, String then, String first) {
        whatSucceededForOneReasonIsCalledForTheNextOne(begin, then, first, false);
    }

    private void whatSucceededForOneReasonIsCalledForTheNextOne(
            String begin, String then, String first, boolean restarts) {
        if (begin.equals("resume")) {
            story.server.create(Scenario.handled());
        }
        startOneForAll();
        if (!begin.equals("resume")) {
            story.server.create(begin.equals("create") ? Scenario.example() : Scenario.handled());
            story.rest();
        }
        if (begin.equals("edit")) {
            story.server.change("x", "spec.field", "b");
        }
        story.pass(Duration.ofSeconds(5));
        if (restarts) {
            story.kill();
        }
        if (then.equals("DELETE")) {
            story.server.delete("x");
        } else {
            story.server.change("x", "spec.field", then);
        }
        if (restarts) {
            startOneForAll();
        }
        story.pass(Duration.ofSeconds(5));
        String value = first.split(" ", -1)[1];
        String expected = switch (then) {
            case "DELETE" -> "DELETE " + value + " 0";
            case "a" -> "RESUME a 0";
            default -> "UPDATE " + then + " 0";
        };
        assertThat(story.calls).containsExactly(first, expected);
        assertThat(story.server.exists("x")).isEqualTo(!then.equals("DELETE"));
    }

    @Test
    @Tag("C36")
    void whatAResumeHandlerAloneHasDoneInAnUpdateIsNotDoneAgainWhenThatIsUndone() {
        story.server.create(Scenario.handled());
        story.start(builder -> builder.onResume("kex", "res", story.noting("resume"))
                .onResume("kex", "other", failing(new TemporaryException("later", Duration.ofHours(1)))));
        story.pass(Duration.ofSeconds(5));
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofSeconds(5));
        assertThat(story.calls).containsExactly("resume");
    }

    /**
     * One function with these declarations, those with an @ for a field, beside another one that waits. Everybody else
     * does what is told.
     */
    private void play(String declarations, String events, Handler handler) {
        Handler one = context -> {
            story.calls.add(context.reason() + " " + context.retry());
            return handler.handle(context);
        };
        Handler other = failing(new TemporaryException("later", Duration.ofHours(1)));
        UnaryOperator<OperatorBuilder> operator = builder -> {
            OperatorBuilder all = builder.onCreate("kex", "other", other)
                    .onUpdate("kex", "other", other)
                    .onResume("kex", "other", other)
                    .onDelete("kex", "other", other);
            for (String declaration : declarations.split(" ", -1)) {
                List<String> field = declaration.endsWith("@") ? List.of("spec", "field") : List.of();
                all = switch (declaration.replace("@", "")) {
                    case "create" -> all.onCreate("kex", "one", h -> h.field(field), one);
                    case "update" -> all.onUpdate("kex", "one", h -> h.field(field), one);
                    case "resume" -> all.onResume("kex", "one", h -> h.field(field), one);
                    case "delete" -> all.onDelete("kex", "one", h -> h.field(field), one);
                    default -> all.onField("kex", "one", h -> h.field(field), one);
                };
            }
            return all;
        };
        for (String event : events.split(", ", -1)) {
            String[] change = event.split("=", -1);
            switch (change[0]) {
                case "new" -> story.server.create(Scenario.example());
                case "handled" -> story.server.create(Scenario.handled());
                case "start" -> story.start(operator);
                case "kill" -> story.kill();
                case "delete" -> story.server.delete("x");
                default -> story.server.change("x", "spec." + change[0], change[1].isEmpty() ? null : change[1]);
            }
            if (!event.equals("field=c")) {
                story.pass(Duration.ofSeconds(5));
            }
        }
    }

    /** Only another declaration of the id asks for another call: as in Kopf, none follows otherwise. */
    @ParameterizedTest
    @Tag("C36")
    @CsvSource(
            delimiter = '|',
            value = {
                "create resume | handled, start, size=1 | RESUME 0",
                "create resume | handled, start, kill, size=1, start | RESUME 0",
                "create resume | handled, start, size=1, size= | RESUME 0",
                "create resume | handled, size=1, start, kill, size=, start | UPDATE 0",
                "create@ resume@ | handled, start, field=b | RESUME 0",
                "resume delete | handled, start, size=1 | RESUME 0",
                "resume delete | handled, start, size=1, delete | RESUME 0; DELETE 0",
                "resume@ field@ | handled, start, size=1 | RESUME 0",
                "resume@ field@ | handled, start, field=b | RESUME 0; UPDATE 0",
                "resume@ field@ | handled, start, kill, field=b, start | RESUME 0; UPDATE 0",
                "resume@ field@ | handled, start, field=b, kill, field=a, start | RESUME 0; UPDATE 0; RESUME 0",
                "resume@ field@ | handled, start, field=b, delete | RESUME 0; UPDATE 0; DELETE 0",
                "resume@ field@ | handled, start, size=1, field=c, delete | RESUME 0; DELETE 0",
                "resume@ field@ | handled, start, kill, field=c, delete, start | RESUME 0; DELETE 0",
                "field@ resume@ | handled, field=b, start, kill, delete, start | UPDATE 0; DELETE 0",
                "update@ resume@ | handled, start, size=1 | RESUME 0",
                "update@ resume@ | handled, start, field=b | RESUME 0; UPDATE 0",
                "update@ resume@ | handled, start, field=b, kill, field=a, start | RESUME 0; UPDATE 0; RESUME 0",
                "update resume | handled, start, size=1 | RESUME 0; UPDATE 0",
                "field@ create@ | new, start, delete | CREATE 0",
                "field@ create@ | new, start, kill, delete, start | CREATE 0",
                "create@ field@ | new, start, delete | CREATE 0",
                "update@ field@ | handled, start, field=b, delete | UPDATE 0",
                "field@ delete@ | handled, start, field=b, delete | UPDATE 0; DELETE 0",
                "delete@ field@ | handled, start, field=b, delete | UPDATE 0; DELETE 0",
                "create@ field@ delete@ | new, start, delete | CREATE 0; DELETE 0",
                "create delete | new, start, delete | CREATE 0; DELETE 0",
                "update delete | handled, start, size=1, delete | UPDATE 0; DELETE 0",
            })
    void whatSucceededCountsUnlessAnotherDeclarationOfTheIdIsCalledNow(
            String declarations, String events, String calls) {
        play(declarations, events, context -> null);
        assertThat(story.calls).containsExactly(calls.split("; ", -1));
    }

    @ParameterizedTest
    @Tag("C36")
    @CsvSource(
            delimiter = '|',
            value = {
                "create resume | handled, start, size=1 | RESUME 0; UPDATE 1",
                "create resume | handled, start, kill, size=1, start | RESUME 0; UPDATE 1",
                "resume delete | handled, start, size=1, size= | RESUME 0; RESUME 1",
                "resume@ field@ | handled, start, size=1 | RESUME 0; UPDATE 1",
                "resume@ field@ | handled, start, field=b | RESUME 0; UPDATE 0; UPDATE 1",
                "update@ resume@ | handled, start, size=1 | RESUME 0; UPDATE 1",
                "field@ create@ | new, start, delete | CREATE 0; DELETE 1",
                "field@ delete@ | handled, start, field=b, delete | UPDATE 0; DELETE 0; DELETE 1",
            })
    void attemptsAndDelaysCountUnlessAnotherDeclarationOfTheIdIsCalledNow(
            String declarations, String events, String calls) {
        play(declarations, events, context -> {
            if (context.retry() == 0) {
                throw new TemporaryException("later", Duration.ofSeconds(30));
            }
            return null;
        });
        String[] expected = calls.split("; ", -1);
        assertThat(story.calls).as("before the delay").containsExactly(Arrays.copyOf(expected, expected.length - 1));
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).containsExactly(expected);
    }

    /** Two handlers of everything. The first one writes down why it was called, and fails as often as that. */
    private void startWriting(int failures, Duration consistencyTimeout) {
        Handler writing = context -> {
            story.calls.add("h " + context.reason() + " " + context.retry());
            if (story.calls.size() > 20) {
                throw new PermanentException("called for ever");
            }
            context.patch().annotation("example.com/last", context.reason().toString());
            if (context.retry() < failures) {
                throw new TemporaryException("later", Duration.ofSeconds(10));
            }
            return null;
        };
        Handler other = context -> {
            story.calls.add("g " + context.reason() + " " + context.retry());
            return null;
        };
        story.start(builder -> builder.settings(s -> s.persistence().consistencyTimeout(consistencyTimeout))
                .onCreate("kex", "h", writing)
                .onUpdate("kex", "h", writing)
                .onResume("kex", "h", writing)
                .onCreate("kex", "g", other)
                .onUpdate("kex", "g", other)
                .onResume("kex", "g", other));
    }

    private static ObjectNode handledWithReason(String handled, String now) {
        String annotations =
                handled.isEmpty() ? "" : ",\"metadata\":{\"annotations\":{\"example.com/last\":\"" + handled + "\"}}";
        ObjectNode object = Scenario.annotated(
                Scenario.example(), Scenario.LAST_HANDLED, "{\"spec\":{\"field\":\"a\"}" + annotations + "}\n");
        return now.isEmpty() ? object : Scenario.annotated(object, "example.com/last", now);
    }

    /** What the last of them has written is an update of its own, as ever. */
    @ParameterizedTest
    @Tag("C36")
    @CsvSource({
        "UPDATE, UPDATE, 0, h RESUME 0; g UPDATE 0",
        "'', '', 0, h RESUME 0; g UPDATE 0",
        "UPDATE, UPDATE, 2, h RESUME 0; g UPDATE 0; h UPDATE 1; h RESUME 2; h UPDATE 0",
    })
    void whatAHandlerHasWrittenItselfBetweenStartAndUpdateDoesNotLetItBeginAfresh(
            String handled, String now, int failures, String calls) {
        story.server.create(handledWithReason(handled, now));
        startWriting(failures, Duration.ofSeconds(5));
        story.pass(Duration.ofMinutes(2));
        assertThat(story.calls).containsExactly(calls.split("; ", -1));
    }

    /** Nobody knows then what is the operator's own. */
    @Test
    @Tag("C36")
    void whoWritesTheReasonOfItsCallIsNotCalledForEverWithoutAConsistencyTimeout() {
        story.server.create(handledWithReason("UPDATE", "UPDATE"));
        startWriting(2, Duration.ZERO);
        story.pass(Duration.ofMinutes(2));
        assertThat(story.calls).contains("g UPDATE 0").hasSizeLessThan(10);
    }

    @Test
    @Tag("C36")
    void whatAHandlerHasWrittenItselfInAProcessThatWasKilledLetsItBeginAfreshOnce() {
        ObjectNode object = Scenario.annotated(
                handledWithReason("UPDATE", "RESUME"),
                "kopf.zalando.org/h",
                "{\"started\":\"2019-12-31T23:59:59.000000+00:00\",\"stopped\":\"2019-12-31T23:59:59.000000+00:00\","
                        + "\"purpose\":\"resume\",\"retries\":1,\"success\":true,\"failure\":false}");
        story.server.create(object);
        startWriting(0, Duration.ofSeconds(5));
        story.pass(Duration.ofMinutes(2));
        assertThat(story.calls).containsExactly("h UPDATE 0", "g RESUME 0");
    }

    @Test
    @Tag("C36")
    void aDeletionDoesNotWaitForTheAttemptThatItsFunctionWasToMakeOfAnUpdate() {
        Handler handler = context -> {
            story.calls.add(context.reason() + " " + context.retry());
            if (context.reason() != Reason.DELETE) {
                throw new TemporaryException("later", Duration.ofHours(1));
            }
            return null;
        };
        story.start(builder -> builder.onUpdate("kex", "one", handler).onDelete("kex", "one", handler));
        story.server.create(Scenario.handled());
        story.rest();
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofSeconds(5));
        story.server.delete("x");
        story.pass(Duration.ofSeconds(5));
        assertThat(story.calls).containsExactly("UPDATE 0", "DELETE 0");
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("D25")
    void onlyRecordsThatHaveChangedAreWritten() {
        story.start(builder -> builder.onCreate(
                        "kex", "often", failing(new TemporaryException("later", Duration.ofSeconds(10))))
                .onCreate("kex", "seldom", failing(new TemporaryException("later", Duration.ofMinutes(10)))));
        create();
        story.pass(Duration.ofSeconds(35));
        List<String> written = story.server.patches().stream()
                .map(patch -> patch.body().at("/metadata/annotations"))
                .filter(annotations -> annotations.has("kopf.zalando.org/often"))
                .map(annotations -> String.join(" ", annotations.propertyNames()))
                .toList();
        assertThat(written).hasSize(4).first().asString().contains("often", "seldom");
        assertThat(written.subList(1, 4)).allMatch("kopf.zalando.org/often"::equals);
    }

    @Test
    @Tag("D21")
    void aTouchOfKopfIsRemovedWithTheNextPatchAndNoneIsMade() {
        story.start(builder ->
                builder.onUpdate("kex", "upd", failing(new TemporaryException("later", Duration.ofSeconds(10)))));
        var object = Scenario.annotated(Scenario.handled(), "kopf.zalando.org/touch-dummy", "2020-01-01T00:00:00");
        object.withObject("/status/kopf").put("dummy", "2020-01-01T00:00:00");
        story.server.create(object);
        story.rest();
        story.server.change("x", "spec.field", "b");
        story.pass(Duration.ofSeconds(25));
        assertThat(story.hasAnnotation("kopf.zalando.org/touch-dummy")).isFalse();
        assertThat(story.server.patches()).hasSizeGreaterThan(2);
        assertThat(story.server.patches())
                .filteredOn(patch -> patch.body().toString().contains("touch-dummy"))
                .singleElement()
                .satisfies(patch -> assertThat(patch.body()
                                .at("/metadata/annotations/kopf.zalando.org~1touch-dummy")
                                .isNull())
                        .isTrue());
        assertThat(story.server.patches().getFirst().body().toString()).contains("touch-dummy");
    }

    @Test
    @Tag("C36")
    void handlersOfBothReasonsGoOnWithTheirProgress() {
        Handler field = context -> {
            story.calls.add("field " + context.reason() + " " + context.retry());
            if (context.retry() < 2) {
                throw new TemporaryException("later", Duration.ofSeconds(10));
            }
            return null;
        };
        story.start(builder -> builder.onField("kex", "fld", h -> h.field("spec.field"), field)
                .onDelete("kex", "del", story.noting("delete")));
        story.server.create(Scenario.handled());
        story.rest();
        story.server.change("x", "spec.field", "b");
        story.rest();
        story.server.delete("x");
        story.pass(Duration.ofMinutes(1));
        assertThat(story.calls).containsExactly("field UPDATE 0", "delete", "field DELETE 1", "field DELETE 2");
        assertThat(story.server.exists("x")).isFalse();
    }

    @Test
    @Tag("L14")
    void patchesOfFailedHandlersAreAppliedAllTheSame() {
        List<RuntimeException> failures =
                List.of(new TemporaryException("t"), new PermanentException("p"), new IllegalStateException("a"));
        story.start(builder -> {
            for (int i = 0; i < failures.size(); i++) {
                builder.onCreate("kex", "fail" + i, patching("c" + i, failures.get(i)));
            }
            return builder.onEvent("kex", "ev", patching("event", failures.get(2)))
                    .onCreate("kex", "ig", h -> h.errors(ErrorsMode.IGNORED), patching("ignored", failures.get(2)));
        });
        create();
        story.rest();
        assertThat(story.at("/status")).isEqualTo(Scenario.json("{'event':1,'c0':1,'c1':1,'c2':1,'ignored':1}"));
    }

    private static Handler patching(String key, RuntimeException failure) {
        return (HandlerContext context) -> {
            context.patch().status().set(key, 1);
            throw failure;
        };
    }

    @Test
    @Tag("L14")
    void neverAgainIsAPermanentErrorWithALabel() {
        story.start(creating(h -> h.labels("!failed"), context -> {
            context.patch().label("failed", "yes");
            throw new PermanentException("never again");
        }));
        create();
        story.pass(Duration.ofMinutes(10));
        story.server.change("x", "spec.field", "b");
        story.rest();
        assertThat(story.calls).hasSize(1);
        assertThat(story.at("/metadata/labels/failed").asString()).isEqualTo("yes");
    }
}
