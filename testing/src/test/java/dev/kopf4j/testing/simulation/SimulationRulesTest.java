package dev.kopf4j.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.DiffBaseStorage;
import dev.kopf4j.Handler;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.OnTimer;
import dev.kopf4j.OnUpdate;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.Patch;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.testing.FailingTests;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What breaks the rules that are checked in each simulation. */
@Tag("N04")
class SimulationRulesTest {
    private static final String DEPLOYMENT = """
            apiVersion: apps/v1
            kind: Deployment
            metadata: {name: x}
            spec:
              replicas: 1
              selector: {matchLabels: {a: b}}
              template: {metadata: {labels: {a: b}}, spec: {containers: [{name: c, image: i}]}}
            """;

    /** Remembers by names which objects were handled, and so takes the next object of a name for the one before. */
    private static final class ByName implements DiffBaseStorage.Custom {
        private final Map<Object, Map<String, Object>> handled = new ConcurrentHashMap<>();

        private static Object name(Map<String, Object> body) {
            return body.get("metadata") instanceof Map<?, ?> metadata ? String.valueOf(metadata.get("name")) : "";
        }

        @Override
        public @Nullable Map<String, Object> fetch(Map<String, Object> body) {
            return handled.get(name(body));
        }

        @Override
        public Map<String, ? extends @Nullable Object> store(Map<String, Object> essence, Map<String, Object> body) {
            handled.put(name(body), essence);
            return Map.of();
        }
    }

    static class Answering {
        @OnTimer(value = "configmaps", interval = "60s")
        void look(Patch patch, InstantSource clock) {
            patch.annotation("looked", clock.instant().toString());
        }

        @OnUpdate("configmaps")
        String first() {
            return "updated";
        }

        @OnUpdate("configmaps")
        String second() {
            return "updated";
        }

        @OnUpdate("configmaps")
        String third() {
            return "updated";
        }

        @OnUpdate("configmaps")
        String fourth() {
            return "updated";
        }
    }

    @Disabled("run by the tests below")
    static class Failing {
        /** Two operators for the same objects: one calls a handler whose success the other one has recorded. */
        private static Simulation twice(Simulation simulation, String prefix) {
            return Parents.create(simulation)
                    .operator(() -> Parents.clusterwide()
                            .settings(settings -> settings.persistence().prefix(prefix))
                            .onCreate("configmaps", "first", context -> "done")
                            .onCreate("configmaps", "second", context -> "done"));
        }

        @Simulated(replicas = 2, seeds = 100, shrink = false)
        void byTheUsualPrefix(Simulation simulation) {
            twice(simulation, "kopf.zalando.org");
        }

        @Simulated(replicas = 2, seeds = 100, shrink = false)
        void byAPrefixOfItsOwn(Simulation simulation) {
            twice(simulation, "operators.example.com");
        }

        /** Writes nothing, so that no request has anything checked. */
        @Simulated(
                seeds = 1,
                shrink = false,
                faults = {})
        void mailsAgainAndAgain(Simulation simulation) {
            FakeService service = new FakeService();
            Parents.create(simulation)
                    .operator(() -> Parents.clusterwide()
                            .onTimer("configmaps", "mail", h -> h.interval(Duration.ofSeconds(30)), context -> {
                                service.call("mail " + context.uid());
                                return null;
                            }))
                    .always(
                            "nobody gets two mails",
                            world -> assertThat(service.effects())
                                    .allSatisfy(
                                            (mail, count) -> assertThat(count).isLessThan(2)));
        }

        /** The mail is taken back at once, before anything else happens in the cluster. */
        @Simulated(
                seeds = 1,
                shrink = false,
                faults = {})
        void makesWhatIsForbiddenForAMoment(Simulation simulation) {
            FakeService service = new FakeService();
            FakeHttp http = new FakeHttp(request -> {
                if (request.method().equals("PUT")) {
                    service.ensure(request.path());
                } else {
                    service.remove(request.path());
                }
                return FakeHttp.Answer.of(200, "");
            });
            Parents.create(simulation)
                    .operator(() -> Parents.clusterwide().onEvent("configmaps", "event", context -> {
                        http.send("PUT", "/forbidden", "");
                        http.send("DELETE", "/forbidden", "");
                        return null;
                    }))
                    .always(
                            "nothing is there",
                            world -> assertThat(service.existing()).isEmpty());
        }

        /** What it waits for never comes. */
        @Simulated(
                seeds = 1,
                shrink = false,
                faults = {})
        void waitsForWhatNeverComes(Simulation simulation) {
            simulation
                    .setup("create", world -> world.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}"))
                    .operator(() -> Parents.clusterwide()
                            .onCreate("configmaps", "wait", context -> {
                                FakeHttp http = new FakeHttp(request -> FakeHttp.Answer.of(404, ""));
                                while (http.latency(Duration.ofMinutes(1))
                                                .send("GET", "/", "")
                                                .status()
                                        != 200) {}
                                return null;
                            })
                            .onUpdate("configmaps", "update", context -> null));
        }

        @Simulated(
                seeds = 3,
                shrink = false,
                faults = {})
        void losesCreations(Simulation simulation) {
            ByName store = new ByName();
            simulation
                    .setup("create", world -> world.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}"))
                    .setup("look", world -> world.client().configMaps().list())
                    .step("replace", world -> {
                        world.client().configMaps().withName("x").delete();
                        world.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}");
                    })
                    .operator(() -> creating(store));
        }

        private static OperatorBuilder creating(DiffBaseStorage store) {
            return Parents.clusterwide()
                    .settings(settings -> settings.persistence().diffBaseStorage(store))
                    .onCreate("configmaps", "create", context -> "created");
        }

        @Simulated(
                seeds = 3,
                shrink = false,
                faults = {})
        void leavesAtTheSecondAttempt(Simulation simulation) {
            leave(simulation, 1);
        }

        @Simulated(
                seeds = 1,
                shrink = false,
                faults = {})
        void neverLeaves(Simulation simulation) {
            leave(simulation, Integer.MAX_VALUE);
        }

        private static void leave(Simulation simulation, int failures) {
            simulation
                    .setup("create", world -> world.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}"))
                    .step(
                            "delete",
                            world -> world.client().configMaps().withName("x").delete())
                    .operator(() -> Parents.clusterwide().onDelete("configmaps", "leave", context -> {
                        if (context.retry() < failures) {
                            throw new TemporaryException("not yet", Duration.ofHours(2));
                        }
                        return "left";
                    }));
        }

        /** What is changed concerns one handler, and not the other one, for its filters. */
        private static void update(Simulation simulation, Consumer<OnUpdate.Options> filters) {
            simulation
                    .setup("create", world -> world.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}"))
                    .step(
                            "change",
                            world -> world.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: x},"
                                    + " data: {n: '" + world.random().nextInt() + "'}}"))
                    .operator(() -> Parents.clusterwide()
                            .onCreate("configmaps", "create", context -> "created")
                            .onField("configmaps", "other", field -> field.field("data.n"), context -> "changed")
                            .onUpdate("configmaps", "chosen", filters, context -> "updated"));
        }

        private static Simulation seeing(Simulation simulation, String resource) {
            return simulation.operator(() -> Parents.clusterwide()
                    .onCreate(resource, "create", context -> "created")
                    .onUpdate(resource, "update", context -> "updated"));
        }

        @Simulated(seeds = 20, shrink = false)
        void isScaled(Simulation simulation) {
            seeing(simulation, "deployments")
                    .setup("create", world -> world.apply(DEPLOYMENT))
                    .step(
                            "scale",
                            world -> world.client()
                                    .apps()
                                    .deployments()
                                    .withName("x")
                                    .scale(world.random().nextInt(2, 9)));
        }

        @Simulated(seeds = 20, shrink = false)
        void isTriedOut(Simulation simulation) {
            seeing(simulation, "configmaps")
                    .setup("create", world -> world.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}"))
                    .step(
                            "try out",
                            world -> world.client()
                                    .resource(new ConfigMapBuilder(world.client()
                                                    .configMaps()
                                                    .withName("x")
                                                    .require())
                                            .addToData("n", world.random().nextInt() + "")
                                            .build())
                                    .dryRun()
                                    .update());
        }

        private static Simulation three(Simulation simulation, Supplier<OperatorBuilder> operator) {
            return simulation
                    .setup("create", world -> {
                        for (int i = 0; i < 3; i++) {
                            world.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: x" + i + "}}");
                        }
                    })
                    .operator(operator);
        }

        private static void count(HandlerContext context) {
            Mistakes.client(context)
                    .configMaps()
                    .inNamespace("default")
                    .withName(context.name())
                    .edit(map -> new ConfigMapBuilder(map)
                            .addToData("n", map.getMetadata().getResourceVersion())
                            .build());
        }

        /** Its changes are answered by a cycle for each handler. */
        private static OperatorBuilder answering(OperatorBuilder builder) {
            for (int i = 0; i < 3; i++) {
                builder.onUpdate("configmaps", "update" + i, context -> "updated");
            }
            return builder;
        }

        @Simulated(
                seeds = 1,
                shrink = false,
                faults = {})
        void timersPatch(Simulation simulation) {
            three(
                    simulation,
                    () -> answering(Parents.clusterwide())
                            .onTimer("configmaps", "look", timer -> timer.interval(Duration.ofMinutes(1)), context -> {
                                context.patch()
                                        .annotation(
                                                "looked",
                                                context.clock().instant().toString());
                                return null;
                            }));
        }

        @Simulated(
                seeds = 1,
                shrink = false,
                faults = {})
        void timersWriteMuch(Simulation simulation) {
            three(
                    simulation,
                    () -> Parents.clusterwide()
                            .onTimer("configmaps", "look", timer -> timer.interval(Duration.ofSeconds(9)), context -> {
                                for (int i = 0; i < 9; i++) {
                                    count(context);
                                }
                                return null;
                            }));
        }

        @Simulated(
                seeds = 1,
                shrink = false,
                faults = {})
        void daemonsWrite(Simulation simulation) {
            three(
                    simulation,
                    () -> answering(Parents.clusterwide()).onDaemon("configmaps", "watch", context -> {
                        while (!context.stopped().await(Duration.ofSeconds(20))) {
                            count(context);
                        }
                        return null;
                    }));
        }

        @Simulated(
                seeds = 1,
                shrink = false,
                faults = {})
        void daemonsNeverWait(Simulation simulation) {
            three(
                    simulation,
                    () -> Parents.clusterwide().onDaemon("configmaps", "watch", context -> {
                        while (!context.stopped().isSet()) {
                            count(context);
                        }
                        return null;
                    }));
        }

        @Simulated(
                seeds = 1,
                shrink = false,
                faults = {})
        void answersToItselfBesideATimer(Simulation simulation) {
            three(
                    simulation,
                    () -> Parents.clusterwide()
                            .onTimer("configmaps", "look", timer -> timer.interval(Duration.ofSeconds(9)), context -> {
                                context.patch()
                                        .annotation(
                                                "looked",
                                                context.clock().instant().toString());
                                return null;
                            })
                            .onUpdate("configmaps", "update", context -> {
                                count(context);
                                return null;
                            }));
        }

        @Simulated(
                seeds = 1,
                shrink = false,
                faults = {})
        void timersOfAClassPatch(Simulation simulation) {
            three(
                    simulation,
                    () -> Parents.clusterwide()
                            .settings(settings -> settings.execution().lifecycle(HandlerLifecycle.ONE_BY_ONE))
                            .handlers(new Answering()));
        }

        @Simulated(
                replay = {
                    "0ms step 'create' 0 #1",
                    "5000ms fault 'kill' 0 #1",
                    "5000ms fault 'kill' 0 #1",
                    "5000ms fault 'kill' 0 #1"
                })
        void daemonsNeverWaitAfterKills(Simulation simulation) {
            simulation
                    .step("create", world -> world.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}"))
                    .operator(() -> Parents.clusterwide().onDaemon("configmaps", "watch", context -> {
                        while (!context.stopped().isSet()) {
                            count(context);
                        }
                        return null;
                    }));
        }

        /** The timer writes nothing, and excuses nothing. */
        @Simulated(
                seeds = 1,
                shrink = false,
                faults = {})
        void answersToItselfBesideAFrequentTimer(Simulation simulation) {
            simulation
                    .setup("create", world -> world.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}"))
                    .step(
                            "change",
                            world -> world.apply(
                                    "{apiVersion: v1, kind: ConfigMap, metadata: {name: x}, data: {n: '1'}}"))
                    .operator(() -> {
                        OperatorBuilder builder = Parents.clusterwide()
                                .onTimer(
                                        "configmaps",
                                        "look",
                                        timer -> timer.interval(Duration.ofSeconds(1)),
                                        context -> null)
                                .onUpdate("configmaps", "update", context -> {
                                    count(context);
                                    return null;
                                });
                        for (int i = 0; i < 9; i++) {
                            builder.onEvent("configmaps", "event" + i, context -> null);
                        }
                        return builder;
                    });
        }

        /** What is recorded of their steps is written by tasks of the operator. */
        @Simulated(
                seeds = 1,
                shrink = false,
                faults = {})
        void timersMakeSteps(Simulation simulation) {
            three(
                    simulation,
                    () -> answering(Parents.clusterwide())
                            .onTimer("configmaps", "look", timer -> timer.interval(Duration.ofMinutes(3)), context -> {
                                context.steps().run("first", () -> "1");
                                var _ = context.stopped().await(Duration.ofSeconds(100));
                                context.steps().run("second", () -> "2");
                                return null;
                            }));
        }

        /** The daemon has written long before. */
        @Simulated(
                seeds = 1,
                shrink = false,
                faults = {})
        void waitsByRetryingAfterADaemon(Simulation simulation) {
            three(
                    simulation,
                    () -> Parents.clusterwide()
                            .onDaemon("configmaps", "mark", context -> {
                                count(context);
                                return null;
                            })
                            .onCreate("configmaps", "wait", context -> {
                                throw new TemporaryException("not yet", Duration.ofSeconds(30));
                            }));
        }

        /** What is recorded of its steps is taken away after an attempt that makes none. */
        @Simulated(
                seeds = 1,
                shrink = false,
                faults = {})
        void timersRememberSteps(Simulation simulation) {
            retries(simulation, context -> {
                context.steps().run("first", () -> "1");
                if (context.retry() == 0) {
                    throw new TemporaryException("not yet", Duration.ofSeconds(100));
                }
                return null;
            });
        }

        /** What is recorded of its steps is written after each attempt. */
        @Simulated(
                seeds = 1,
                shrink = false,
                faults = {})
        void timersRetrySteps(Simulation simulation) {
            retries(
                    simulation,
                    context -> context.steps().run("first", () -> {
                        if (context.retry() < 2) {
                            throw new TemporaryException("not yet", Duration.ofSeconds(100));
                        }
                        return "1";
                    }));
        }

        private static void retries(Simulation simulation, Handler handler) {
            three(
                    simulation,
                    () -> Parents.clusterwide()
                            .onTimer("configmaps", "look", timer -> timer.interval(Duration.ofMinutes(1)), handler));
        }

        @Simulated(
                seeds = 3,
                shrink = false,
                faults = {})
        void updatesOfALabel(Simulation simulation) {
            update(simulation, options -> options.labels("chosen=yes"));
        }

        @Simulated(
                seeds = 3,
                shrink = false,
                faults = {})
        void updatesOfAnAnnotation(Simulation simulation) {
            update(simulation, options -> options.annotations("chosen=yes"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"byTheUsualPrefix", "byAPrefixOfItsOwn"})
    void aRecordedSuccessIsFoundUnderThePrefixOfTheOperator(String test) {
        assertThat(FailingTests.report(Failing.class, test))
                .contains("breaks the rule 'no success that was recorded is repeated'");
    }

    @Test
    void aCreationThatNobodyWasCalledForIsFound() {
        assertThat(FailingTests.report(Failing.class, "losesCreations"))
                .contains("breaks the rule 'each handler has finally seen the final state'")
                .contains("'create' was not called for the creation of x");
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            mailsAgainAndAgain             | nobody gets two mails
            makesWhatIsForbiddenForAMoment | nothing is there
            waitsForWhatNeverComes         | each handler has finally seen the final state
            """)
    void whatServicesAndCallsDoIsSeenWithoutAnyWrite(String test, String rule) {
        assertThat(FailingTests.report(Failing.class, test)).contains("breaks the rule '" + rule + "'");
    }

    /** And not the handler that cannot be called meanwhile. */
    @Test
    void aCallThatNeverEndsIsToldByItsName() {
        assertThat(FailingTests.report(Failing.class, "waitsForWhatNeverComes"))
                .containsPattern("'wait' of default/x has run since [0-9.]+ s, and does not end");
    }

    @Test
    void retriesOfHandlersAreWaitedFor() {
        assertThat(FailingTests.report(Failing.class, "leavesAtTheSecondAttempt"))
                .isEmpty();
    }

    @Test
    void aHandlerThatFailsForEverIsNotWaitedForForEver() {
        assertThat(FailingTests.report(Failing.class, "neverLeaves"))
                .contains("breaks the rule 'no finalizer of the operator is left on an object that is being deleted'");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "timersPatch",
                "timersOfAClassPatch",
                "timersWriteMuch",
                "timersMakeSteps",
                "timersRememberSteps",
                "timersRetrySteps",
                "daemonsWrite"
            })
    void timersAndDaemonsMayWrite(String test) {
        assertThat(FailingTests.report(Failing.class, test)).isEmpty();
    }

    private static final String NOT_AT_REST = "breaks the rule 'nothing is written when nothing happens any more'";
    private static final String MEANT_SO =
            "If this is what a timer or a daemon is for, give @Simulated without = Rule.NO_WRITES_AT_REST";

    @Test
    void daemonsThatNeverWaitAreFound() {
        assertThat(FailingTests.report(Failing.class, "daemonsNeverWait")).contains(NOT_AT_REST, MEANT_SO);
    }

    /** The calls of killed operators are over: one daemon runs. */
    @Test
    void daemonsThatNeverWaitAreFoundAsSoonAfterKills() {
        assertThat(FailingTests.report(Failing.class, "daemonsNeverWaitAfterKills"))
                .contains(NOT_AT_REST)
                .contains(" 601 writes within a minute");
    }

    @Test
    void whatNeverEndsIsFoundBesideTimers() {
        assertThat(FailingTests.report(Failing.class, "answersToItselfBesideATimer"))
                .contains(NOT_AT_REST)
                .doesNotContain(MEANT_SO);
        assertThat(FailingTests.report(Failing.class, "answersToItselfBesideAFrequentTimer"))
                .contains(NOT_AT_REST)
                .contains(" writes in 180 s in which nothing has happened")
                .doesNotContain(MEANT_SO);
    }

    @Test
    void aDaemonThatHasWrittenBeforeIsNotBlamed() {
        assertThat(FailingTests.report(Failing.class, "waitsByRetryingAfterADaemon"))
                .contains(NOT_AT_REST)
                .contains("It is still trying wait@default/x")
                .doesNotContain(MEANT_SO);
    }

    @ParameterizedTest
    @ValueSource(strings = {"isScaled", "isTriedOut"})
    void whatIsNoStateOfTheObjectNeedNotBeSeen(String test) {
        assertThat(FailingTests.report(Failing.class, test)).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"updatesOfALabel", "updatesOfAnAnnotation"})
    void aHandlerWithFiltersNeedNotSeeTheFinalState(String test) {
        assertThat(FailingTests.report(Failing.class, test)).isEmpty();
    }
}
