package dev.kopf4j.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.PermanentException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.testing.FailingTests;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import java.util.stream.IntStream;
import javax.management.JMException;
import javax.management.ObjectName;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SimulationTest {
    /** The replica that has the lease at first, under seed 1. */
    private static final int LEADING = 1;

    private static final Duration BUSY_LIMIT = Duration.ofSeconds(30);

    private static OperatorBuilder careful() {
        return Parents.clusterwide()
                .onCreate("configmaps", "create", h -> h.labels("role=parent"), context -> "created")
                .onUpdate("configmaps", "update", h -> h.labels("role=parent"), context -> "updated")
                .onDelete("configmaps", "delete", h -> h.labels("role=parent"), context -> null);
    }

    private static OperatorBuilder ofManyKinds() {
        return careful()
                .onUpdate("secrets", "secret", context -> "updated")
                .onUpdate("services", "service", context -> "updated")
                .onUpdate("pods", "pod", context -> "updated")
                .onUpdate("endpoints", "endpoints", context -> "updated");
    }

    private static List<String> history(long seed) {
        return history(seed, SimulationTest::careful, FaultKind.values());
    }

    private static List<String> history(long seed, Supplier<OperatorBuilder> operator, FaultKind... faults) {
        Simulation simulation = Parents.live(new Simulation());
        List<PlannedStep> plan =
                new PlanDraft(seed, List.of(faults)).plan(List.of(), List.of("create", "change", "delete"), 10);
        SimulationRun run = new SimulationRun(
                seed,
                plan,
                new SimulationSetup(() -> OperatorPlan.of(operator.get()), List.of(), 1, Set.of(), BUSY_LIMIT),
                simulation,
                false);
        assertThat(run.live()).as("seed %s", seed).isEmpty();
        return run.history();
    }

    @Test
    @Tag("N04")
    void theSameSeedGivesTheSameHistoryByteForByte() {
        for (long seed = 1; seed <= 10; seed++) {
            assertThat(history(seed)).as("seed %s", seed).isEqualTo(history(seed));
        }
        assertThat(history(1)).isNotEqualTo(history(2));
    }

    /**
     * What was achieved for an object is not found on another one that has its name by now: whether a finalizer has
     * held the object until its deletion was handled, or nothing has.
     */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void replacedObjectsHaveNothingOfThoseBefore(boolean held) {
        int replaced = 0;
        int afterTheirEnd = 0;
        for (long seed = 1; seed <= 40; seed++) {
            Simulation simulation = Parents.live(new Simulation())
                    .finallyHolds(
                            "each result is of its object",
                            world -> Parents.all(world.client())
                                    .forEach(parent -> assertThat(
                                                    parent.getMetadata().getAnnotations())
                                            .as(
                                                    "results of %s",
                                                    parent.getMetadata().getUid())
                                            .containsEntry(
                                                    "created-for",
                                                    parent.getMetadata().getUid())));
            List<PlannedStep> plan = new PlanDraft(seed, List.of(FaultKind.REPLACEMENT, FaultKind.KILL))
                    .plan(List.of(), List.of("create", "change", "delete"), 25);
            SimulationRun run = new SimulationRun(
                    seed,
                    plan,
                    new SimulationSetup(
                            () -> OperatorPlan.of((held ? careful() : Parents.clusterwide())
                                    .onCreate("configmaps", "tell", h -> h.labels("role=parent"), context -> {
                                        context.patch().annotation("created-for", context.uid());
                                        return null;
                                    })),
                            List.of(),
                            1,
                            Set.of(),
                            BUSY_LIMIT),
                    simulation,
                    true);
            assertThat(run.live()).as("seed %s", seed).isEmpty();
            replaced += count(run, "another object has the name");
            afterTheirEnd += count(run, "to create another one of the name");
        }
        assertThat(replaced).as("objects that were replaced").isGreaterThan(8);
        assertThat(afterTheirEnd)
                .as("of them, those whose deletion was handled before")
                .isBetween(held ? 9 : 0, held ? Integer.MAX_VALUE : 0);
    }

    private static int count(SimulationRun run, String words) {
        return (int) run.history().stream().filter(line -> line.contains(words)).count();
    }

    /** Each replica acts only while it has the lease, whatever happens to the lease and to the other one. */
    @Tag("N04")
    @Simulated(replicas = 2, seeds = 50)
    void twoReplicasShareALease(Simulation simulation) {
        Parents.live(simulation).operator(SimulationTest::elected);
    }

    private static OperatorBuilder elected() {
        return careful()
                .settings(settings -> settings.leaderElection()
                        .enabled(true)
                        .leaseName("operator")
                        .leaseNamespace("default"));
    }

    /** A replica that stands still, or reaches no server, for longer than its lease lasts. */
    @Tag("N04")
    @Simulated(
            replicas = 2,
            seeds = 20,
            faults = {FaultKind.SUSPENSION, FaultKind.CUT_OFF, FaultKind.KILL, FaultKind.LEASE})
    void whoStandsStillOrIsCutOffDoesNotActWithoutTheLease(Simulation simulation) {
        Parents.live(simulation).operator(SimulationTest::elected);
    }

    @Tag("N04")
    @Simulated(
            replicas = 3,
            seeds = 10,
            faults = {FaultKind.SUSPENSION, FaultKind.CUT_OFF, FaultKind.KILL, FaultKind.REFUSAL})
    void membersOfAGroupMayStandStillOrBeCutOff(Simulation simulation) {
        Parents.live(simulation)
                .operator(() -> careful().settings(settings -> {
                    settings.sharding().shards(16);
                    settings.leaderElection().leaseName("operator").leaseNamespace("default");
                }));
    }

    /**
     * A member that stood still for twenty seconds meets events of shards that others have by now. Its handlers are not
     * called, and nobody hears that they were: the calls would count as repeated.
     */
    @Simulated(
            replicas = 3,
            firstSeed = 295,
            replay = {
                "1805ms step 'delete' 0 #4707283925030763417",
                "0ms fault 'a replica is suspended' 7 #7263185951490714198",
                "11556ms step 'delete' 0 #-1487296692427759162",
                "8965ms step 'create' 0 #2644264731039216024",
                "0ms step 'create' 0 #4402693480937695096",
                "41ms fault 'a replica is cut off' 1 #6774616521818463840"
            })
    void noCallIsToldThatDoesNotBegin(Simulation simulation) {
        membersOfAGroupMayStandStillOrBeCutOff(simulation);
    }

    /** The leader stands still, or is cut off, for as long as the test goes on. */
    @ParameterizedTest
    @ValueSource(strings = {"a replica is suspended", "a replica is cut off"})
    void theOtherReplicaTakesOver(String fault) {
        List<PlannedStep> plan = new ArrayList<>();
        plan.add(new PlannedStep(1000, "create", false, 0, 0));
        for (int i = 0; i < 20; i++) {
            plan.add(new PlannedStep(500, fault, true, LEADING, 47));
            plan.add(new PlannedStep(5_000, "change", false, 0, i));
        }
        SimulationRun run = new SimulationRun(
                1,
                plan,
                new SimulationSetup(() -> OperatorPlan.of(elected()), List.of(), 2, Set.of(), BUSY_LIMIT),
                Parents.live(new Simulation()),
                false);
        assertThat(run.live()).isEmpty();
        List<Double> calls = run.history().stream()
                .filter(line -> line.contains("update begins"))
                .map(line -> Double.valueOf(line.strip().split(" ", 2)[0]))
                .toList();
        assertThat(calls)
                .as("none until its lease is over, and then those of the other one: %s", run.history())
                .noneMatch(each -> each > 2 && each < 10)
                .anyMatch(each -> each > 15 && each < 100);
    }

    @Disabled("run by the tests below")
    static class Failing {
        @Simulated(seeds = 3)
        void deletionsNeverEnd(Simulation simulation) {
            simulation
                    .setup("create", world -> world.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}"))
                    .setup("delete", world -> {
                        world.client().configMaps().withName("x").delete();
                    })
                    .operator(() -> Parents.clusterwide()
                            .onCreate("configmaps", "create", context -> null)
                            .onDelete("configmaps", "delete", h -> h.backoff(Duration.ofDays(1)), context -> {
                                throw new IllegalStateException("never");
                            }));
        }

        @Simulated(
                firstSeed = 5,
                replay = {"300ms step 'create' 0 #888791479691954772", "0ms fault 'kill after request' 3 #1"})
        void repeatsAPlan(Simulation simulation) {
            Parents.live(simulation)
                    .operator(SimulationTest::careful)
                    .finallyHolds(
                            "there is no parent",
                            world -> assertThat(Parents.all(world.client())).isEmpty());
        }
    }

    @Disabled("run by the test below")
    static class Growing {
        @Simulated(seeds = 5, steps = 20, faults = FaultKind.KILL)
        void makesAnotherOne(Simulation simulation) {
            simulation
                    .operator(SimulationTest::careful)
                    .step(
                            "create",
                            world -> world.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: m"
                                    + world.random().nextInt(1000) + "}}"))
                    .finallyHolds("there are few", world -> {
                        long count = world.client().configMaps().list().getItems().stream()
                                .filter(each -> each.getMetadata().getName().startsWith("m"))
                                .count();
                        assertThat(count).as("maps").isLessThan(2);
                    });
        }
    }

    /** What was found, and what the smaller plan shows: the same fact, by other numbers. */
    @Test
    @Tag("N04")
    void whatWasFoundIsPrintedBesideWhatTheFewestStepsShow() {
        String report = FailingTests.report(Growing.class, "makesAnotherOne");
        assertThat(report)
                .contains("breaks the rule 'there are few':\n  [maps] \n")
                .contains("The fewest steps that were found to show it (of ")
                .containsPattern("(?s)They break it so:\n  \\[maps] .*Expecting actual:\n *2L");
        assertThat(report.substring(0, report.indexOf("The fewest steps"))).doesNotContain("actual:\n    2L");
    }

    /** Its own label lands beside the user's changes; it is no change that anybody has to see. */
    @Tag("N04")
    @Simulated(seeds = 60)
    void whatTheOperatorWritesItselfNeedNotBeSeen(Simulation simulation) {
        Parents.live(simulation)
                .operator(() -> Parents.clusterwide()
                        .onCreate("configmaps", "create", context -> mark(context))
                        .onUpdate("configmaps", "update", context -> mark(context)));
    }

    private static @Nullable Object mark(HandlerContext context) {
        context.patch().label("size", context.body().getString("data.size", "none"));
        return null;
    }

    /** Tests that cannot show anything. */
    @Disabled("run by the tests below")
    static class Misused {
        @Simulated
        void hasNoSteps(Simulation simulation) {
            simulation.operator(SimulationTest::careful);
        }

        @Simulated(steps = 0)
        void takesNoSteps(Simulation simulation) {
            Parents.live(simulation).operator(SimulationTest::careful);
        }

        @Simulated(seeds = 3, steps = -1)
        void takesLessThanNoSteps(Simulation simulation) {
            Parents.live(simulation).setup("nothing", world -> {}).operator(SimulationTest::careful);
        }

        @Simulated(seeds = 1, replicas = 0)
        void hasNoReplicas(Simulation simulation) {
            Parents.live(simulation).operator(SimulationTest::careful);
        }

        @Simulated(seeds = 1, busy = "0s")
        void isNeverBusy(Simulation simulation) {
            Parents.live(simulation).operator(SimulationTest::careful);
        }

        @Simulated(seeds = 1, busy = "10")
        void isBusyForNoDuration(Simulation simulation) {
            Parents.live(simulation).operator(SimulationTest::careful);
        }

        @RepeatedTest(2)
        @Simulated(seeds = 1)
        void isRepeated(Simulation simulation) {
            Parents.live(simulation).operator(SimulationTest::careful);
        }

        @Simulated(seeds = 1)
        void takesMore(Simulation simulation, TestInfo info) {
            Parents.live(simulation).operator(SimulationTest::careful);
        }

        @Simulated(seeds = 5)
        void startsForEver(Simulation simulation) {
            Parents.live(simulation)
                    .operator(() -> careful().onStartup("connect", context -> {
                        throw new IllegalStateException("no database");
                    }));
        }

        /** The classic mistake: what it has created is there already when it starts again. */
        @Simulated(seeds = 10, faults = FaultKind.RESTART, shrink = false)
        void startsOnce(Simulation simulation) {
            AtomicBoolean created = new AtomicBoolean();
            Parents.live(simulation)
                    .operator(() -> careful().onStartup("connect", context -> {
                        if (created.getAndSet(true)) {
                            throw new IllegalStateException("it exists already");
                        }
                        return null;
                    }));
        }

        /** Its start-up handler has succeeded. */
        @Simulated(seeds = 1, without = Rule.NO_FAILURE, shrink = false)
        void neverLogsIn(Simulation simulation) {
            Parents.live(simulation)
                    .operator(() -> careful()
                            .onStartup("connect", context -> null)
                            .onLogin("login", context -> {
                                throw new PermanentException("no such account");
                            }));
        }

        @Simulated(seeds = 1)
        void looksAtAKindThatIsNotServed(Simulation simulation) {
            Parents.live(simulation)
                    .operator(SimulationTest::careful)
                    .always(
                            "no state is empty",
                            world -> assertThat(world.snapshots("ConfgMap", "parent-0"))
                                    .noneMatch(each -> each.toMap().isEmpty()));
        }

        @Simulated(seeds = 2)
        void looksAtAKindThatNoSeedServes(Simulation simulation) {
            looksAtAKindThatIsNotServed(simulation);
        }

        @Simulated(seeds = 2)
        void indexesOnly(Simulation simulation) {
            Parents.live(simulation)
                    .operator(() -> Parents.clusterwide()
                            .onIndex("configmaps", "by-name", context -> Map.of(context.name(), 1))
                            .onCreate("configmaps", "create", h -> h.labels("role=parnet"), context -> "created"));
        }

        @Simulated(seeds = 5)
        void handlesAnotherKind(Simulation simulation) {
            Parents.live(simulation)
                    .operator(() -> Parents.clusterwide().onCreate("configmapz", "create", context -> "created"))
                    .finallyHolds(
                            "each is handled",
                            world -> assertThat(Parents.all(world.client()))
                                    .noneMatch(parent ->
                                            parent.getMetadata().getName().isEmpty()));
        }

        static final AtomicBoolean OVER = new AtomicBoolean();

        @Simulated(seeds = 1, busy = "1s")
        void hearsNothing(Simulation simulation) {
            simulation
                    .setup("create", world -> world.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}"))
                    .operator(() -> Parents.clusterwide().onCreate("configmaps", "spin", context -> {
                        while (!OVER.get()) {
                            Thread.onSpinWait();
                        }
                        return null;
                    }));
        }

        @Simulated(firstSeed = 5, replay = "300ms step 'crate' 0 #888791479691954772")
        void repeatsAStepThatWasRenamed(Simulation simulation) {
            Parents.live(simulation).operator(SimulationTest::careful);
        }

        @Simulated(seeds = 3)
        void hasAStepThatThrows(Simulation simulation) {
            simulation.operator(SimulationTest::careful).step("lose", world -> {
                throw new IllegalArgumentException("no such thing");
            });
        }

        @Simulated(seeds = 1)
        void namesTwoStepsAlike(Simulation simulation) {
            simulation.step("one", world -> {}).setup("one", world -> {});
        }

        /** The handler goes another way when it is called again: what the check has thrown must not reach it. */
        @Simulated(
                seeds = 3,
                faults = {})
        void hasACheckThatThrows(Simulation simulation) {
            simulation
                    .setup("create", world -> world.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}"))
                    .operator(() -> Parents.clusterwide().onCreate("configmaps", "count", context -> {
                        KubernetesClient client = context.service(KubernetesClient.class);
                        var secret = client.secrets().inNamespace("default").withName("x");
                        if (secret.get() == null) {
                            client.resource(new SecretBuilder()
                                            .withNewMetadata()
                                            .withName("x")
                                            .withNamespace("default")
                                            .endMetadata()
                                            .addToStringData("n", "")
                                            .build())
                                    .create();
                        }
                        return secret.edit(each -> new SecretBuilder(each)
                                        .addToStringData("n", "7")
                                        .build())
                                .getMetadata()
                                .getUid();
                    }))
                    .always("the number is small", world -> {
                        Secret secret = world.client()
                                .secrets()
                                .inNamespace("default")
                                .withName("x")
                                .get();
                        if (secret != null) {
                            byte[] number =
                                    Base64.getDecoder().decode(secret.getData().get("n"));
                            assertThat(Integer.parseInt(new String(number, StandardCharsets.UTF_8)))
                                    .isLessThan(9);
                        }
                    });
        }

        @Simulated(seeds = 1)
        void sleeps(Simulation simulation) {
            simulation
                    .setup("create", world -> world.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}"))
                    .operator(() -> Parents.clusterwide().onCreate("configmaps", "nap", context -> {
                        Thread.sleep(1500);
                        return null;
                    }));
        }

        @Simulated(seeds = 1)
        void sleepsWhileTheTestReads(Simulation simulation) {
            simulation
                    .setup("create and read", world -> {
                        world.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}");
                        for (int i = 0; i < 10_000; i++) {
                            world.client().configMaps().list();
                        }
                    })
                    .operator(() -> Parents.clusterwide().onCreate("configmaps", "nap", context -> {
                        Thread.sleep(1500);
                        return null;
                    }));
        }

        @Simulated(seeds = 1, busy = "1s")
        void neverEnds(Simulation simulation) {
            simulation
                    .setup("create", world -> world.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}"))
                    .operator(() -> Parents.clusterwide().onCreate("configmaps", "spin", context -> {
                        while (!Thread.currentThread().isInterrupted()) {
                            Thread.onSpinWait();
                        }
                        return null;
                    }));
        }

        private static final AtomicBoolean INTERRUPTED = new AtomicBoolean();

        /** As JUnit interrupts a test whose time is over. */
        @Simulated(seeds = 1_000_000)
        void isInterrupted(Simulation simulation) {
            if (!INTERRUPTED.getAndSet(true)) {
                Thread.currentThread().interrupt();
            }
            Parents.live(simulation).operator(SimulationTest::careful);
        }

        private static int trials;

        /** The first trial finds it, and time is over in the next one. */
        @Simulated(seeds = 1, steps = 20)
        void isInterruptedWhileItIsMadeSmaller(Simulation simulation) {
            Parents.live(simulation).operator(SimulationTest::careful).finallyHolds("it is well", world -> {
                if (++trials % 2 == 0) {
                    Thread.currentThread().interrupt();
                }
                throw new AssertionError("it is not");
            });
        }

        @Simulated(replay = "300ms step 'create' 0 #888791479691954772")
        void isInterruptedWhileItIsRepeated(Simulation simulation) {
            Thread.currentThread().interrupt();
            Parents.live(simulation).operator(SimulationTest::careful);
        }

        @Simulated(seeds = 1)
        void waitsByRetrying(Simulation simulation) {
            simulation
                    .setup("create", world -> world.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}"))
                    .operator(() -> Parents.clusterwide().onCreate("configmaps", "wait", context -> {
                        throw new TemporaryException("the database is down", Duration.ofSeconds(30));
                    }));
        }
    }

    /** A rule is broken: what another check makes of that state says nothing of the test. */
    @Disabled("run by the test below")
    static class Broken {
        @Simulated(
                seeds = 1,
                faults = {})
        void andACheckThrows(Simulation simulation) {
            simulation
                    .setup("create", world -> world.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: x}}"))
                    .operator(SimulationTest::careful)
                    .always(
                            "nothing is there",
                            world -> assertThat(exists(world)).isFalse())
                    .always("all of it can be read", world -> {
                        if (exists(world)) {
                            throw new IllegalArgumentException("no such thing");
                        }
                    });
        }

        private static boolean exists(World world) {
            return world.client().configMaps().withName("x").get() != null;
        }
    }

    @Test
    @Tag("N04")
    void theBrokenRuleIsToldThoughAnotherCheckThrowsThen() {
        assertThat(FailingTests.report(Broken.class, "andACheckThrows"))
                .contains("breaks the rule 'nothing is there'")
                .doesNotContain("could not be run");
    }

    @ParameterizedTest
    @Tag("N04")
    @CsvSource(delimiter = '|', textBlock = """
            hasNoSteps | hasNoSteps declares no steps, so that nothing would happen
            takesNoSteps | takesNoSteps has steps = 0 of @Simulated, so that nothing would happen; 1 is the least
            takesLessThanNoSteps | takesLessThanNoSteps has steps = -1 of @Simulated
            hasNoReplicas | hasNoReplicas has no operator: replicas = 0 of @Simulated; 1 is the least
            isNeverBusy | isNeverBusy has busy = "0s" of @Simulated, so that each handler would take too long
            isBusyForNoDuration | isBusyForNoDuration has a busy of @Simulated that cannot be taken: not a duration: '10'
            isRepeated | isRepeated has @Simulated beside @RepeatedTest, @ParameterizedTest or the like
            takesMore | takesMore has @Simulated, so that it takes a Simulation, and nothing else
            startsForEver | the operator was never ready, so that no handler has seen anything: perhaps its @OnStartup handlers 'connect'
            startsOnce | the operator was ready before, but not since its last start, so that no handler has seen what came then
            neverLogsIn | the operator was never ready, so that no handler has seen anything: it has failed:
            looksAtAKindThatIsNotServed | could not be run, under the only seed: the cluster serves no kind 'ConfgMap', so that nothing of it is called 'parent-0'
            looksAtAKindThatNoSeedServes | could not be run, under any of the 2 seeds: the cluster serves no kind 'ConfgMap'
            indexesOnly | no handler was called under any of the 2 seeds of Misused.indexesOnly
            handlesAnotherKind | no handler was called under any of the 5 seeds of Misused.handlesAnotherKind
            repeatsAStepThatWasRenamed | there is no step 'crate'; there are 'create'
            hasAStepThatThrows | the step 'lose' of the test has thrown under seed 1
            hasACheckThatThrows | could not be run: the check 'the number is small' of the test has thrown under seed 1
            hasACheckThatThrows | java.lang.NumberFormatException
            namesTwoStepsAlike | there is a step 'one' already
            sleeps | could not be run: under seed 1 the simulated task
            sleeps | /nap@x' sleeps, and no time of the simulation passes
            sleepsWhileTheTestReads | could not be run: under seed 1 the simulated task
            sleepsWhileTheTestReads | /nap@x' sleeps,
            neverEnds | could not be run: under seed 1 the simulated task
            neverEnds | /spin@x' has been busy for 1s without waiting for anything: if this is no endless loop
            waitsByRetrying | It is still trying wait@default/x (attempt
            waitsByRetrying | asks for a retry: dev.kopf4j.TemporaryException: the database is down; if it is meant to wait so
            """)
    void misuseIsToldInWords(String test, String words) {
        assertThat(FailingTests.report(Misused.class, test))
                .contains(words)
                .doesNotContain("breaks the rule 'the simulation comes to its end'");
    }

    /** What is seen under one seed says little of a test that is made for more of them. */
    @Test
    @Tag("N04")
    void fewerSeedsOnDemandNeedNotShowAnything() {
        String before = System.getProperty("kopf4j.seeds");
        System.setProperty("kopf4j.seeds", "1");
        try {
            assertThat(FailingTests.report(Misused.class, "handlesAnotherKind")).isEmpty();
        } finally {
            if (before == null) {
                System.clearProperty("kopf4j.seeds");
            } else {
                System.setProperty("kopf4j.seeds", before);
            }
        }
    }

    /** A step that applies the definition need not be drawn, and another one may delete it. */
    @Test
    @Tag("N04")
    void aKindMayBeServedUnderSomeSeedsOnly() {
        assertThat(FailingTests.report(Defined.class)).isEmpty();
    }

    @Disabled("run by the test above")
    static class Defined {
        private static final String GADGETS = """
                {apiVersion: apiextensions.k8s.io/v1, kind: CustomResourceDefinition,
                 metadata: {name: gadgets.example.com},
                 spec: {group: example.com, scope: Namespaced,
                        names: {kind: Gadget, plural: gadgets, singular: gadget},
                        versions: [{name: v1, served: true, storage: true,
                                    schema: {openAPIV3Schema: {type: object}}}]}}
                """;

        @Simulated(
                seeds = 8,
                steps = 2,
                faults = {})
        void byAStep(Simulation simulation) {
            Parents.live(simulation)
                    .operator(SimulationTest::careful)
                    .step("define", world -> world.apply(GADGETS))
                    .finallyHolds(
                            "no state is empty",
                            world -> assertThat(world.snapshots("Gadget", "a"))
                                    .noneMatch(each -> each.toMap().isEmpty()));
        }
    }

    /** The same may be meant: then nothing has to be seen. A database that comes after hours is waited for. */
    @Test
    @Tag("N04")
    void anOperatorMayDoNothingOrBeginLate() {
        assertThat(FailingTests.report(Idle.class)).isEmpty();
    }

    @Disabled("run by the test above")
    static class Idle {
        @Simulated(seeds = 3, without = Rule.FINAL_STATE_SEEN)
        void handlesNothing(Simulation simulation) {
            Parents.live(simulation)
                    .operator(() -> Parents.clusterwide()
                            .onCreate("configmaps", "create", h -> h.labels("role=nobody"), context -> "created"));
        }

        @Simulated(seeds = 1)
        void looksAtAKindBeforeItIsServed(Simulation simulation) {
            Parents.live(simulation)
                    .setup("define", world -> world.apply("""
                            apiVersion: apiextensions.k8s.io/v1
                            kind: CustomResourceDefinition
                            metadata: {name: gadgets.example.com}
                            spec:
                              group: example.com
                              scope: Namespaced
                              names: {kind: Gadget, plural: gadgets}
                              versions:
                              - {name: v1, served: true, storage: true, schema: {openAPIV3Schema: {type: object}}}
                            """))
                    .operator(SimulationTest::careful)
                    .always(
                            "there is no gadget",
                            world -> assertThat(world.snapshots("Gadget", "x")).isEmpty());
        }

        @Simulated(seeds = 1)
        void hasNothingButAnIndex(Simulation simulation) {
            Parents.live(simulation)
                    .operator(() -> Parents.clusterwide()
                            .onIndex("configmaps", "by-name", context -> Map.of(context.name(), 1)));
        }

        @Simulated(seeds = 5)
        void beginsLate(Simulation simulation) {
            AtomicBoolean late = new AtomicBoolean();
            Parents.live(simulation)
                    .operator(() -> careful().onStartup("connect", context -> {
                        if (!late.getAndSet(true)) {
                            throw new TemporaryException("no database", Duration.ofHours(2));
                        }
                        return null;
                    }));
        }
    }

    /** What never ends keeps one thread of those that carry virtual threads; another one comes in its place. */
    @Test
    @Tag("N04")
    void aHandlerThatNeverEndsTakesNothingFromLaterTests() throws JMException {
        int before = carriers();
        try {
            assertThat(FailingTests.report(Misused.class, "hearsNothing")).contains("has been busy for 1s");
            assertThat(carriers()).isEqualTo(before + 1);
        } finally {
            Misused.OVER.set(true);
        }
    }

    private static int carriers() throws JMException {
        return (int) ManagementFactory.getPlatformMBeanServer()
                .getAttribute(new ObjectName("jdk.management:type=VirtualThreadScheduler"), "Parallelism");
    }

    /** Streams of several kinds end with each restart; none of this may depend on where objects are in memory. */
    @Test
    @Tag("N04")
    void aSeedGivesTheSameRunEachTime() {
        int restarts = 0;
        for (long seed = 1; seed <= 10; seed++) {
            List<String> first = history(seed, SimulationTest::ofManyKinds, FaultKind.RESTART);
            assertThat(first)
                    .as("seed %s", seed)
                    .isEqualTo(history(seed, SimulationTest::ofManyKinds, FaultKind.RESTART));
            restarts += first.stream().anyMatch(line -> line.contains("restart")) ? 1 : 0;
        }
        assertThat(restarts).as("seeds with restarts").isGreaterThan(3);
    }

    private static Simulation manyAtOnce(Simulation simulation) {
        IntStream.range(0, 5)
                .forEach(i -> simulation.setup(
                        "create " + i,
                        world -> world.apply("{apiVersion: v1, kind: ConfigMap, metadata: {name: x" + i + "}}")));
        return simulation.operator(() -> Parents.clusterwide().onCreate("configmaps", "come-and-go", context -> {
            var secret = context.service(KubernetesClient.class)
                    .secrets()
                    .inNamespace("default")
                    .resource(new SecretBuilder()
                            .withNewMetadata()
                            .withName(context.name())
                            .endMetadata()
                            .build());
            secret.serverSideApply();
            secret.delete();
            return null;
        }));
    }

    /** Nothing else happens while a check looks at several things. */
    @Tag("N04")
    @Simulated(
            seeds = 20,
            faults = {})
    void aCheckSeesOneMoment(Simulation simulation) {
        manyAtOnce(simulation).always("two lists are of one moment", world -> {
            String first = version(world);
            assertThat(version(world)).isEqualTo(first);
        });
    }

    private static String version(World world) {
        return world.client().configMaps().list().getMetadata().getResourceVersion();
    }

    /** What is there for a moment only is seen, though several tasks write at once. */
    @Tag("N04")
    @Simulated(
            seeds = 100,
            faults = {})
    void noMomentIsMissed(Simulation simulation) {
        Set<String> seen = new TreeSet<>();
        manyAtOnce(simulation)
                .always("look", world -> {
                    String version = version(world);
                    assertThat(version).isNotEmpty();
                    world.client()
                            .secrets()
                            .inNamespace("default")
                            .list()
                            .getItems()
                            .forEach(secret -> seen.add(secret.getMetadata().getName()));
                })
                .finallyHolds(
                        "each secret was seen",
                        world -> assertThat(seen).containsExactly("x0", "x1", "x2", "x3", "x4"));
    }

    /** Sets that are copied by Java's own ways have another order in each process. */
    @Test
    @Tag("N04")
    void aServiceTellsInTheOrderInWhichThingsHappened() {
        FakeService service = new FakeService();
        List<String> names = IntStream.range(0, 20).mapToObj(i -> "thing-" + i).toList();
        names.forEach(service::ensure);
        assertThat(List.copyOf(service.existing())).isEqualTo(names);
        assertThat(service.effects().keySet().stream().map(each -> each.replaceFirst("create ", "")))
                .containsExactlyElementsOf(names);
    }

    @Test
    @Tag("N04")
    void anInterruptEndsAllSeeds() {
        assertThat(FailingTests.report(Misused.class, "isInterrupted")).contains("the test was interrupted");
        boolean _ = Thread.interrupted();
    }

    @ParameterizedTest
    @Tag("N04")
    @CsvSource(delimiter = '|', textBlock = """
            isInterruptedWhileItIsRepeated    | the test was interrupted
            isInterruptedWhileItIsMadeSmaller | interrupted while seed 1, which breaks the rule 'it is well': it is not,
            isInterruptedWhileItIsMadeSmaller | was made smaller; -Dkopf4j.seed=1 repeats it
            """)
    void anInterruptBreaksNoRule(String test, String words) {
        assertThat(FailingTests.report(Misused.class, test))
                .contains(words)
                .doesNotContain("breaks the rule 'the simulation comes to its end'");
        boolean _ = Thread.interrupted();
    }

    /** The smaller plan shows what the whole one has shown: what sets the test up is part of each. */
    @Test
    @Tag("N04")
    void theFewestStepsShowTheSame() {
        Violation whole = new Violation("one each", "expected 1 of 3f2a-77, but there are 2");
        List<PlannedStep> plan = List.of("setup", "a", "b", "c", "d", "e").stream()
                .map(name -> new PlannedStep(10, name, false, 0, 1))
                .toList();
        List<PlannedStep> smallest = new Shrinking(
                        tried -> {
                            List<String> names =
                                    tried.stream().map(PlannedStep::what).toList();
                            if (!names.contains("setup")) {
                                return Optional.of(new Violation("one each", "there is no server"));
                            }
                            return names.contains("d")
                                    ? Optional.of(new Violation("one each", "expected 1 of 9b1c-12, but there are 7"))
                                    : Optional.of(new Violation("one each", "another thing"));
                        },
                        whole,
                        step -> step.what().equals("setup"))
                .smallest(plan);
        assertThat(smallest).extracting(PlannedStep::what).containsExactly("setup", "d");
    }

    /** Each trial is a whole run. */
    @Test
    @Tag("N04")
    void noPlanIsTriedTwice() {
        Violation violation = new Violation("one each", "there are 2");
        List<PlannedStep> plan = IntStream.range(0, 6)
                .mapToObj(i -> new PlannedStep(10, "step " + i, false, 0, i))
                .toList();
        List<List<PlannedStep>> tried = new ArrayList<>();
        List<PlannedStep> smallest = new Shrinking(
                        trial -> {
                            tried.add(trial);
                            return Optional.of(violation).filter(broken -> trial.size() == plan.size());
                        },
                        violation,
                        step -> false)
                .smallest(plan);
        assertThat(smallest)
                .extracting(PlannedStep::pauseMillis)
                .containsOnly(0)
                .hasSize(6);
        assertThat(tried).doesNotHaveDuplicates();
    }

    @Test
    @Tag("N04")
    void objectsThatAreHeldForeverAreFound() {
        assertThat(FailingTests.report(Failing.class, "deletionsNeverEnd"))
                .contains("breaks the rule 'no finalizer of the operator is left on an object that is being deleted'")
                .contains("x is held by kopf.zalando.org/KopfFinalizerMarker");
    }

    @Test
    @Tag("N04")
    void aPlanIsRepeatedAsItWasPrinted() {
        assertThat(FailingTests.report(Failing.class, "repeatsAPlan"))
                .contains("seed 5 of Failing.repeatsAPlan breaks the rule 'there is no parent'")
                .contains("  after 300 ms: create\n  at once: kill after request 3 from here\n")
                .contains("fault    kill after request");
    }
}
