package dev.kopf4j.engine.cycle;

import static dev.kopf4j.engine.simulation.Scenario.annotated;
import static dev.kopf4j.engine.simulation.Scenario.example;
import static dev.kopf4j.engine.simulation.Scenario.handled;
import static dev.kopf4j.engine.simulation.Scenario.json;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Handler;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.Reason;
import dev.kopf4j.Resource;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.cycle.HandlerOutlook.Occasion;
import dev.kopf4j.engine.cycle.HandlerOutlook.Verdict;
import dev.kopf4j.engine.cycle.Outlooks.Circumstances;
import dev.kopf4j.engine.cycle.Outlooks.ObjectOutlook;
import dev.kopf4j.engine.cycle.Outlooks.ObjectOutlook.FinalizerOutlook;
import dev.kopf4j.engine.registration.RegistryBuilder;
import dev.kopf4j.engine.simulation.Scenario;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.node.ObjectNode;

/** Tests {@link Outlooks}: one verdict for each of the situations that an object can be in. */
class OutlooksTest {
    private static final String PREFIX = "kopf.zalando.org/";
    private static final Resource KEX = new Resource(
            "kopf.dev",
            "v1",
            new Resource.Names("kopfexamples", "KopfExample", "kopfexample", Set.of("kex"), Set.of()),
            Set.of("status"),
            true,
            true,
            Set.of("list", "watch", "patch"));
    private static final Circumstances RUNNING = Circumstances.running(Scenario.START);
    private static final Circumstances STARTING = Circumstances.start(Scenario.START);

    private static OperatorBuilder all(OperatorBuilder builder) {
        return builder.onCreate("kex", "cre", options -> options.retries(3), context -> null)
                .onUpdate("kex", "upd", context -> null)
                .onField("kex", "fld", options -> options.field("spec.field"), context -> null)
                .onUpdate("kex", "big", options -> options.labels("size=big"), context -> null)
                .onUpdate("kex", "cond", options -> options.when(context -> true), context -> null)
                .onResume("kex", "res", context -> null)
                .onDelete("kex", "del", context -> null)
                .onEvent("kex", "ev", context -> null)
                .onDaemon("kex", "dae", context -> null);
    }

    private static ObjectOutlook outlook(
            UnaryOperator<OperatorBuilder> handlers, ObjectNode body, Circumstances circumstances) {
        OperatorPlan plan = OperatorPlan.of(handlers.apply(Operator.builder()));
        return new Outlooks(plan.settings(), RegistryBuilder.build(plan.registrations())).of(KEX, body, circumstances);
    }

    private static Verdict verdict(ObjectOutlook outlook, String id) {
        return outlook.handlers().stream()
                .filter(handler -> handler.id().equals(id))
                .findFirst()
                .orElseThrow()
                .verdict();
    }

    private static Verdict verdict(String id, ObjectNode body, Circumstances circumstances) {
        return verdict(outlook(OutlooksTest::all, body, circumstances), id);
    }

    private static ObjectNode progress(ObjectNode body, String id, String record) {
        return annotated(body, PREFIX + id, record.replace('\'', '"'));
    }

    private static ObjectNode finalized(ObjectNode body) {
        body.withArray("/metadata/finalizers").add(Scenario.FINALIZER);
        return body;
    }

    private static ObjectNode deleted(ObjectNode body) {
        body.withObject("/metadata").put("deletionTimestamp", "2020-01-01T00:00:00Z");
        return body;
    }

    @Test
    @Tag("Q03")
    void aNewObjectIsCreated() {
        ObjectOutlook outlook = outlook(OutlooksTest::all, example(), RUNNING);
        assertThat(outlook.reason()).isEqualTo(Reason.CREATE);
        assertThat(outlook.finalizer()).isEqualTo(FinalizerOutlook.ADD);
        assertThat(verdict(outlook, "cre")).isInstanceOfSatisfying(HandlerOutlook.WouldRun.class, run -> {
            assertThat(run.occasion()).isEqualTo(Occasion.CHANGE);
            assertThat(run.attempt()).isEqualTo(1);
            assertThat(run.attemptsMax()).isEqualTo(3);
        });
        assertThat(verdict(outlook, "fld/spec.field")).isInstanceOf(HandlerOutlook.WouldRun.class);
        assertThat(verdict(outlook, "upd")).isInstanceOf(HandlerOutlook.WrongCause.class);
        assertThat(verdict(outlook, "res")).isInstanceOf(HandlerOutlook.WrongCause.class);
        assertThat(verdict(outlook, "dae")).isInstanceOf(HandlerOutlook.Depends.class);
    }

    @ParameterizedTest
    @Tag("Q03")
    @CsvSource({
        "update, true, DELETE, WouldRun",
        "update, false, DELETE, WouldRun",
        "delete, true, DELETE, Done",
        "delete, false, DELETE, Waits",
        "update, true, RESUME, WouldRun",
        "resume, true, RESUME, Done",
    })
    void whatAnIdHasDoneForAnotherReasonDoesNotCountIfItHasSeveralDeclarations(
            String purpose, boolean success, Reason reason, String verdict) {
        Handler one = _ -> null;
        UnaryOperator<OperatorBuilder> handlers = builder ->
                builder.onResume("kex", "one", one).onUpdate("kex", "one", one).onDelete("kex", "one", one);
        ObjectNode body = progress(
                finalized(handled()),
                "one",
                "{'purpose':'" + purpose + "','success':" + success + ",'retries':1,'delayed':'2120-01-01T00:00:00Z'}");
        ObjectOutlook outlook = outlook(handlers, reason == Reason.DELETE ? deleted(body) : body, STARTING);
        assertThat(outlook.reason()).isEqualTo(reason);
        assertThat(outlook.handlers())
                .filteredOn(each -> !(each.verdict() instanceof HandlerOutlook.WrongCause))
                .extracting(each -> each.verdict().getClass().getSimpleName())
                .containsExactly(verdict);
    }

    @Test
    @Tag("Q03")
    void aRetryThatWaitsForAChangeIsTold() {
        ObjectNode body = annotated(handled(), PREFIX + "retry", "t1 cre");
        body.withObject("/spec").put("field", "changed");
        ObjectOutlook outlook = outlook(OutlooksTest::all, body, RUNNING);
        assertThat(outlook.reason()).isEqualTo(Reason.UPDATE);
        assertThat(verdict(outlook, "upd")).isInstanceOf(HandlerOutlook.WouldRun.class);
        assertThat(verdict(outlook, "cre")).isInstanceOf(HandlerOutlook.Depends.class);
        assertThat(verdict(outlook, "res")).isInstanceOf(HandlerOutlook.Depends.class);
        assertThat(verdict(outlook, "big")).isInstanceOf(HandlerOutlook.Mismatch.class);
    }

    @Test
    @Tag("Q03")
    void anUpdateIsToldWithTheFiltersThatKeepItFromOthers() {
        ObjectNode body = handled();
        body.withObject("/metadata/labels").put("size", "small");
        body.withObject("/spec").put("field", "b");
        ObjectOutlook outlook = outlook(OutlooksTest::all, body, RUNNING);
        assertThat(outlook.reason()).isEqualTo(Reason.UPDATE);
        assertThat(verdict(outlook, "upd")).isInstanceOf(HandlerOutlook.WouldRun.class);
        assertThat(verdict(outlook, "big"))
                .isInstanceOfSatisfying(
                        HandlerOutlook.Mismatch.class,
                        found -> assertThat(found.mismatch().describe(true))
                                .isEqualTo("the filter on the label, size=big, does not match: it is \"small\""));
        assertThat(verdict(outlook, "cond")).isEqualTo(new HandlerOutlook.Depends("a filter in code"));
        assertThat(verdict(outlook, "cre"))
                .isInstanceOfSatisfying(
                        HandlerOutlook.WrongCause.class,
                        wrong -> assertThat(wrong.actual()).isEqualTo(Reason.UPDATE));
    }

    @Test
    @Tag("Q03")
    void recordsTellOfSuccessesWaitsAndFailures() {
        ObjectNode body = example();
        progress(
                body,
                "cre",
                "{'started':'2019-12-31T23:00:00Z','delayed':'2020-01-01T00:05:00Z','purpose':'create','retries':1,"
                        + "'success':false,'failure':false,'message':'no disk'}");
        progress(
                body,
                "fld.spec.field",
                "{'started':'2019-12-31T23:00:00Z','stopped':'2019-12-31T23:01:00Z','purpose':'create','retries':1,"
                        + "'success':true,'failure':false}");
        assertThat(verdict("cre", body, RUNNING))
                .isEqualTo(new HandlerOutlook.Waits(Scenario.START.plus(Duration.ofMinutes(5)), 2, 3, "no disk"));
        assertThat(verdict("fld/spec.field", body, RUNNING))
                .isEqualTo(new HandlerOutlook.Done(Scenario.START.minus(Duration.ofMinutes(59))));
        progress(
                body,
                "cre",
                "{'started':'2019-12-31T23:00:00Z','stopped':'2019-12-31T23:01:00Z','purpose':'create','retries':1,"
                        + "'success':false,'failure':true,'message':'no disk'}");
        assertThat(verdict("cre", body, RUNNING))
                .isEqualTo(new HandlerOutlook.Failed("2019-12-31T23:01:00.000000+00:00", "no disk"));
        progress(
                body,
                "cre",
                "{'started':'2019-12-31T23:00:00Z','purpose':'create','retries':3,'success':false,'failure':false}");
        assertThat(verdict("cre", body, RUNNING))
                .as("its limits are reached: it fails without another call")
                .isEqualTo(new HandlerOutlook.GivenUp(Scenario.START, "Handler 'cre' has exceeded 3 retries."));
    }

    @ParameterizedTest(name = "{0}, {1} of {2} attempts: {3}")
    @Tag("Q03")
    @CsvSource(
            delimiter = '|',
            value = {
                "2019-12-31T23:20:00Z | 1 | 3 | Waits[until=2020-01-01T00:10:00Z, attempt=2, attemptsMax=3, message=no disk]",
                "2019-12-31T23:20:00Z | 3 | 3 | GivenUp[due=2020-01-01T00:10:00Z, why=Handler 'cre' has exceeded 3 retries.]",
                "2019-12-31T23:20:00Z | 4 | 2 | GivenUp[due=2020-01-01T00:10:00Z, why=Handler 'cre' has exceeded 4 retries.]",
                "2019-12-31T23:10:00Z | 1 | 3 | GivenUp[due=2020-01-01T00:10:00Z, why=Handler 'cre' has timed out after 1:00:00.]",
            })
    void limitsThatAreReachedWhileAHandlerWaitsMakeAnEndOfIt(String started, int retries, int limit, String expected) {
        ObjectNode body = example();
        String record = "{'started':'" + started + "','delayed':'2020-01-01T00:10:00Z','purpose':'create','retries':"
                + retries + ",'success':false,'failure':false,'message':'no disk'";
        UnaryOperator<OperatorBuilder> limited = builder -> builder.onCreate(
                "kex", "cre", options -> options.retries(limit).timeout(Duration.ofHours(1)), context -> null);
        progress(body, "cre", record + "}");
        assertThat(verdict(outlook(limited, body, STARTING), "cre")).hasToString(expected);
        progress(body, "cre", record + ",'subrefs':['cre/step']}");
        progress(body, "cre.step", "{'purpose':'create','intent':true}");
        assertThat(verdict(outlook(limited, body, STARTING), "cre"))
                .as("somebody has to ask for a retry, with which the limits begin anew")
                .isInstanceOf(HandlerOutlook.Waits.class);
    }

    @ParameterizedTest
    @Tag("Q03")
    @CsvSource(
            delimiter = '|',
            value = {
                "100  | waits until 2020-01-01T00:01:40Z (100 seconds from now), attempt 2: in doubt",
                "3153600000 | has stopped until somebody asks (`kopf4j retry`), attempt 2: in doubt"
            })
    void whatWaitsForSomebodyToAskHasNoDate(long seconds, String words) {
        Instant now = Instant.parse("2020-01-01T00:00:00Z");
        assertThat(OutlookWords.words(
                        new HandlerOutlook.Waits(now.plusSeconds(seconds), 2, null, "in doubt"), true, now))
                .isEqualTo(words);
    }

    @Test
    @Tag("Q03")
    void aWaitOfAClockThatWasAheadIsToldAsItIsKept() {
        ObjectNode body = example();
        progress(
                body,
                "cre",
                "{'started':'2020-03-01T00:00:00Z','delayed':'2020-03-01T00:05:00Z','purpose':'create','retries':1,"
                        + "'success':false,'failure':false,'message':'no disk'}");
        assertThat(verdict("cre", body, RUNNING))
                .isEqualTo(new HandlerOutlook.Waits(Scenario.START.plus(Duration.ofMinutes(5)), 2, 3, "no disk"));
    }

    @Test
    @Tag("Q03")
    void aFinalizerStaysWhereNoChangesAreHandled() {
        UnaryOperator<OperatorBuilder> events =
                builder -> builder.onEvent("kex", "ev", context -> null).onIndex("kex", "idx", context -> null);
        assertThat(outlook(events, handled(), STARTING).finalizer()).isEqualTo(FinalizerOutlook.NONE);
        for (ObjectNode body : List.of(finalized(handled()), deleted(finalized(handled())))) {
            ObjectOutlook outlook = outlook(events, body, STARTING);
            assertThat(outlook.finalizer()).isEqualTo(FinalizerOutlook.STAYS);
            assertThat(OutlookWords.finalizer(outlook))
                    .hasValueSatisfying(
                            words -> assertThat(words).contains("cannot be deleted", "kopf4j uninstall --orphan"));
        }
        assertThat(outlook(
                                builder -> events.apply(builder)
                                        .onDelete("kex", "del", options -> options.optional(), context -> null),
                                finalized(handled()),
                                STARTING)
                        .finalizer())
                .isEqualTo(FinalizerOutlook.REMOVE);
    }

    @Test
    @Tag("Q03")
    void anObjectAtRestWaitsForTheStart() {
        assertThat(verdict("res", finalized(handled()), STARTING))
                .isInstanceOfSatisfying(
                        HandlerOutlook.WouldRun.class,
                        run -> assertThat(run.occasion()).isEqualTo(Occasion.START));
        assertThat(verdict("res", finalized(handled()), RUNNING)).isInstanceOf(HandlerOutlook.Depends.class);
        assertThat(verdict("dae", finalized(handled()), STARTING)).isInstanceOf(HandlerOutlook.WouldRun.class);
        assertThat(verdict("upd", finalized(handled()), STARTING)).isInstanceOf(HandlerOutlook.WrongCause.class);
    }

    @Test
    @Tag("Q03")
    void aDeletionIsHandledWhileTheFinalizerIsThereAndThenOthersHoldIt() {
        ObjectNode body = deleted(finalized(handled()));
        assertThat(verdict("del", body, RUNNING)).isInstanceOf(HandlerOutlook.WouldRun.class);
        assertThat(verdict("dae", body, RUNNING)).isInstanceOf(HandlerOutlook.WrongCause.class);
        ObjectNode released = deleted(handled());
        released.withArray("/metadata/finalizers").add("example.com/other");
        assertThat(verdict("del", released, RUNNING))
                .isEqualTo(new HandlerOutlook.DeletionHeld(List.of("example.com/other")));
    }

    @Test
    @Tag("Q15")
    void stepsThatNobodyTakesBackAreToldWhenTheFinalizerGoes() {
        ObjectNode body = finalized(handled());
        annotated(body, PREFIX + "undo-step.cre.db", "{\"id\":\"cre/db\",\"name\":\"db\",\"order\":1}");
        annotated(
                body,
                PREFIX + "undo-step.cre.user.a",
                "{\"id\":\"cre/user/a\",\"name\":\"user\",\"key\":\"a\",\"order\":2}");
        ObjectOutlook outlook = outlook(builder -> builder.onCreate("kex", "cre", context -> null), body, STARTING);
        assertThat(outlook.undoables()).containsExactly("cre/user", "cre/db");
        assertThat(OutlookWords.finalizer(outlook))
                .contains("the operator's finalizer is not needed, and is removed first, though nobody has taken back"
                        + " what these steps have made: cre/user, cre/db");
        assertThat(OutlookWords.finalizer(outlook(OutlooksTest::all, body, STARTING)))
                .isEmpty();
    }

    @Test
    @Tag("Q03")
    void pausesScopesAndRightsComeFirst() {
        ObjectNode paused = annotated(example(), PREFIX + "paused", "true");
        assertThat(verdict("cre", paused, RUNNING)).isInstanceOf(HandlerOutlook.Paused.class);
        assertThat(verdict("cre", deleted(finalized(paused)), RUNNING)).isInstanceOf(HandlerOutlook.WrongCause.class);
        assertThat(verdict("del", annotated(example(), PREFIX + "paused", "true"), RUNNING))
                .as("its deletion goes on")
                .isInstanceOf(HandlerOutlook.WrongCause.class);
        assertThat(verdict("del", annotated(example(), PREFIX + "paused", "all"), RUNNING))
                .isInstanceOf(HandlerOutlook.Paused.class);
        assertThat(verdict("cre", example(), RUNNING.unwatched("namespace other")))
                .isEqualTo(new HandlerOutlook.NotWatched("namespace other"));
        ObjectOutlook unwatched = outlook(
                OutlooksTest::all,
                annotated(example(), PREFIX + "retry", "t1 *"),
                RUNNING.unwatched("namespace other"));
        assertThat(OutlookWords.state(unwatched, true)).isEqualTo("this operator does not watch it.");
        assertThat(unwatched.finalizer()).isEqualTo(FinalizerOutlook.NONE);
        assertThat(unwatched.retry()).isNull();
        assertThat(verdict("cre", example(), RUNNING.missingRight("list kopfexamples")))
                .isEqualTo(new HandlerOutlook.RightMissing("list kopfexamples"));
        ObjectOutlook admission = outlook(
                builder -> builder.onValidate("kex", "val", context -> null),
                example(),
                RUNNING.missingRight("list kopfexamples"));
        assertThat(verdict(admission, "val"))
                .as("it is asked, whatever the operator may do")
                .isInstanceOf(HandlerOutlook.Depends.class);
    }

    @Test
    @Tag("Q03")
    void aRetryThatWasAskedForIsFollowed() {
        ObjectNode body = annotated(finalized(handled()), PREFIX + "retry", "t1 upd");
        ObjectOutlook outlook = outlook(OutlooksTest::all, body, RUNNING);
        assertThat(verdict(outlook, "upd"))
                .isInstanceOfSatisfying(
                        HandlerOutlook.WouldRun.class,
                        run -> assertThat(run.occasion()).isEqualTo(Occasion.RETRY));
        assertThat(verdict(outlook, "big")).isNotInstanceOf(HandlerOutlook.WouldRun.class);
    }

    @Test
    @Tag("Q03")
    void anObjectWhoseCreationIsMadeAgainMayHaveToBeResumed() {
        ObjectNode body = annotated(finalized(handled()), PREFIX + "retry", "t1 cre");
        ObjectOutlook outlook = outlook(OutlooksTest::all, body, RUNNING);
        assertThat(outlook.reason()).isEqualTo(Reason.CREATE);
        assertThat(verdict(outlook, "cre")).isInstanceOf(HandlerOutlook.WouldRun.class);
        assertThat(verdict(outlook, "res")).isInstanceOf(HandlerOutlook.Depends.class);
    }

    @Test
    @Tag("Q03")
    void aStateThatCannotBeStoredIsRefused() {
        ObjectNode body = example();
        body.withObject("/spec").put("field", "x".repeat(300_000));
        assertThat(verdict("cre", body, RUNNING)).isInstanceOf(HandlerOutlook.Refused.class);
    }

    @Test
    @Tag("Q03")
    void anOptionalDeletionHandlerDependsOnWhatElseHoldsTheObject() {
        UnaryOperator<OperatorBuilder> handlers =
                builder -> builder.onDaemon("kex", "dae", options -> options.labels("size=big"), context -> null)
                        .onDelete("kex", "opt", options -> options.optional(), context -> null)
                        .onDelete("kex", "cond", options -> options.optional().when(each -> true), context -> null);
        ObjectOutlook outlook = outlook(handlers, deleted(finalized(handled())), RUNNING);
        assertThat(verdict(outlook, "opt"))
                .isEqualTo(new HandlerOutlook.Depends(
                        "what else holds the object: a daemon, a child, or a handler with a filter in code"));
        assertThat(verdict(outlook, "cond")).isEqualTo(new HandlerOutlook.Depends("a filter in code"));
    }

    @ParameterizedTest(name = "{0} with {1}: {2}")
    @Tag("Q03")
    @CsvSource({
        "a, upd, may-run",
        "a, cond, may-run",
        "a, big, filter-mismatch",
        "a, del, wrong-cause",
        "changed, cre, may-run",
        "changed, big, filter-mismatch",
        "changed, del, wrong-cause",
    })
    void aRetryOfWhatHasFailedIsForThoseThatAreCalledAgain(String field, String id, String expected) {
        ObjectNode body = finalized(handled());
        body.withObject("/spec").put("field", field);
        assertThat(OutlookWords.word(verdict(id, annotated(body, PREFIX + "retry", "t1"), RUNNING)))
                .isEqualTo(expected);
    }

    @Test
    @Tag("Q03")
    void nobodyHandlesTheCreationWhereNoHandlerIsForChanges() {
        UnaryOperator<OperatorBuilder> events = builder -> builder.onEvent("kex", "ev", context -> null);
        assertThat(OutlookWords.state(outlook(events, example(), RUNNING), true))
                .isEqualTo("no handler of this operator is for changes of it.");
        UnaryOperator<OperatorBuilder> timer = builder ->
                builder.onTimer("kex", "tim", options -> options.interval(Duration.ofMinutes(1)), context -> null);
        assertThat(OutlookWords.state(outlook(timer, example(), RUNNING), true))
                .isEqualTo("no handler of this operator is for changes of it; timers, daemons and children follow it as"
                        + " it is.");
        assertThat(OutlookWords.state(outlook(OutlooksTest::all, example(), RUNNING), true))
                .isEqualTo("it was not handled before: its creation is to be handled.");
    }

    @ParameterizedTest(name = "{0}: {2}")
    @Tag("Q03")
    @CsvSource(
            delimiter = '|',
            value = {
                "a   | would-run, no, no, would-run, no, no, no                  | other x",
                "a b | refused, refused, refused, refused, no, no, no            | ''",
                "a c | may-run, no, may-run, would-run, no, no, no               | other x",
                "e   | no, no, no, would-run, would-run, no, no                  | ev other",
                "e f | no, no, no, would-run, refused, refused, refused          | other",
                "e g | no, no, no, would-run, may-run, no, may-run               | ev other",
            })
    void anObjectForWhichTwoFunctionsOfOneIdAreMeantIsNotHandled(String labels, String verdicts, String called) {
        Set<String> calls = new TreeSet<>();
        UnaryOperator<OperatorBuilder> handlers = builder -> builder.onCreate(
                        "kex", "x", options -> options.labels("a"), context -> calls.add("x"))
                .onCreate("kex", "x", options -> options.labels("b"), context -> calls.add("x"))
                .onCreate("kex", "x", options -> options.labels("c").when(each -> false), context -> calls.add("x"))
                .onCreate("kex", "other", context -> calls.add("other"))
                .onEvent("kex", "ev", options -> options.labels("e"), context -> calls.add("ev"))
                .onEvent("kex", "ev", options -> options.labels("f"), context -> calls.add("ev"))
                .onEvent("kex", "ev", options -> options.labels("g").when(each -> false), context -> calls.add("ev"));
        ObjectNode body = example();
        for (String label : labels.split(" ", -1)) {
            body.withObject("/metadata/labels").put(label, "");
        }
        assertThat(outlook(handlers, body, STARTING).handlers())
                .extracting(each -> OutlookWords.word(each.verdict()).replace("filter-mismatch", "no"))
                .containsExactly(verdicts.split(", ", -1));
        try (Scenario story = new Scenario()) {
            story.server.create(body);
            story.start(handlers).pass(Duration.ofMinutes(5));
        }
        assertThat(String.join(" ", calls)).isEqualTo(called);
    }

    /** A handler may have written that itself. */
    @Test
    @Tag("Q03")
    void whatAnIdHasDoneForAnUpdateMayCountForTheStartOfAnOperatorThatRuns() {
        Handler one = _ -> null;
        UnaryOperator<OperatorBuilder> handlers =
                builder -> builder.onUpdate("kex", "one", one).onResume("kex", "one", one);
        ObjectNode body = progress(handled(), "one", "{'purpose':'update','success':true,'retries':1}");
        assertThat(outlook(handlers, body, STARTING).handlers().getLast().verdict())
                .isInstanceOf(HandlerOutlook.WouldRun.class);
        assertThat(outlook(handlers, body, RUNNING).handlers().getLast().verdict())
                .isInstanceOf(HandlerOutlook.Depends.class);
    }

    @Test
    @Tag("Q03")
    void theBodyIsNotChanged() {
        ObjectNode body = annotated(finalized(handled()), PREFIX + "retry", "t1 *");
        ObjectNode before = body.deepCopy();
        var _ = outlook(OutlooksTest::all, body, STARTING);
        assertThat(body).isEqualTo(before);
        assertThat(json("{}")).isNotNull();
    }
}
