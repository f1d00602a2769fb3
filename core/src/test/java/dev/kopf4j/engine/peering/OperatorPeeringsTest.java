package dev.kopf4j.engine.peering;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.PermanentException;
import dev.kopf4j.TemporaryException;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.pausing.PauseReasons;
import dev.kopf4j.engine.simulation.DriftingPlatform;
import dev.kopf4j.engine.simulation.DriftingPlatform.Suspension;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Operators that make way for each other by Kopf's peering objects. Tests {@link OperatorPeerings},
 * {@link PeeringMembership} and {@link PauseReasons}.
 */
class OperatorPeeringsTest {
    private final SimulatedPlatform world = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final TinyCluster cluster = new TinyCluster()
            .serving("kopf.dev", "kopfexamples", "KopfExample", true)
            .serving("kopf.dev", "clusterkopfpeerings", "ClusterKopfPeering", false)
            .serving("kopf.dev", "kopfpeerings", "KopfPeering", true);
    private final List<String> calls = new ArrayList<>();

    @AutoClose
    private final LoggerCapture log = new LoggerCapture("kopf4j.peering");

    private OperatorHandle start(String name, UnaryOperator<OperatorBuilder> options) {
        return start(name, world.machine(name), options);
    }

    private OperatorHandle start(String name, Platform machine, UnaryOperator<OperatorBuilder> options) {
        OperatorHandle operator = SimulatedOperator.start(
                machine,
                cluster.transport(name, machine),
                builder -> options.apply(
                                builder.settings(settings -> settings.peering().identity(name)))
                        .onCreate("kopfexamples", "cre", context -> {
                            calls.add(name + ":" + context.name());
                            return null;
                        }));
        world.runFor(Duration.ofSeconds(3));
        return operator;
    }

    private OperatorHandle clusterwide(String name, long priority) {
        return start(
                name,
                builder -> builder.clusterwide()
                        .settings(settings -> settings.peering().priority(priority)));
    }

    private void pass(long seconds) {
        world.runFor(Duration.ofSeconds(seconds));
    }

    private void create(String name) {
        cluster.put("kopfexamples", "ns", name, "{'spec':{}}");
        pass(3);
    }

    private void peering() {
        cluster.put("clusterkopfpeerings", null, "default", "{}");
    }

    private JsonNode status() {
        return cluster.get("clusterkopfpeerings", null, "default").path("status");
    }

    /** What a Python operator would write. */
    private void pythonPeer(long priority, int lifetime) {
        pythonPeer(String.valueOf(priority), lifetime);
    }

    private void pythonPeer(String priority, int lifetime) {
        cluster.patch(
                "clusterkopfpeerings",
                null,
                "default",
                "{'status':{'python':{'priority':" + priority + ",'lifetime':" + lifetime + ",'lastseen':'"
                        + world.now().atOffset(java.time.ZoneOffset.UTC).toLocalDateTime() + "+00:00','extra':1}}}");
        pass(3);
    }

    @Test
    @Tag("H07")
    void whoWaitsForAMandatoryPeeringObjectSaysSoAndWhatToDo() {
        try (LoggerCapture all = new LoggerCapture("kopf4j")) {
            start(
                    "me",
                    builder -> builder.clusterwide()
                            .settings(settings ->
                                    settings.peering().name("example").mandatory(true)));
            pass(600);
            assertThat(all.lines(Level.WARN))
                    .containsExactly(
                            "warn: K4-005: The operator is paused: the peering is mandatory, but the peering object 'example'"
                                    + " cluster-wide does not exist. Create it (deploy/peering.yaml has one), or run the operator"
                                    + " with --standalone, or with another --peering.");
            // The first list may have been read before, or not.
            assertThat(all.lines(Level.INFO))
                    .anyMatch(
                            line -> line.matches("info: The operator is ready, but does not act yet: the peering object"
                                    + " 'example' cluster-wide (was not seen yet|does not exist)\\."));
            cluster.put("clusterkopfpeerings", null, "example", "{}");
            pass(5);
            assertThat(all.lines(Level.INFO).getLast())
                    .isEqualTo("info: The peering object 'example' cluster-wide exists now.");
            cluster.delete("clusterkopfpeerings", null, "example");
            pass(600);
            assertThat(all.lines(Level.WARN)).hasSize(2);
            create("x");
            assertThat(calls).as("after the peering object has gone").isEmpty();
        }
    }

    @Test
    @Tag("H02")
    void operatorsGiveSignsOfLifeAndRemoveThemAtTheEnd() {
        peering();
        OperatorHandle operator = clusterwide("me", 7);
        assertThat(status().path("me"))
                .hasToString("{\"priority\":7,\"lifetime\":60,\"lastseen\":\"2020-01-01T00:00:00+00:00\"}");
        pass(600);
        List<JsonNode> signs =
                cluster.changesBy("me").stream().map(TinyCluster.Request::body).toList();
        assertThat(signs)
                .hasSizeBetween(600 / 55, 600 / 50 + 2)
                .allMatch(sign -> sign.at("/status/me").isObject());
        assertThat(cluster.changesBy("me"))
                .allMatch(request -> request.path().equals("/apis/kopf.dev/v1/clusterkopfpeerings/default"));
        operator.stop();
        pass(10);
        assertThat(status()).isEmpty();
        assertThat(world.describeTasks()).isEmpty();
    }

    /** Operators in Python take microseconds since 1970 as their priorities; Python's numbers have no limit. */
    @ParameterizedTest
    @CsvSource({
        "1763800000000001, 1763800000000000, false",
        "1763800000000000, 1763800000000001, true",
        "99999999999999999999, 1763800000000001, false",
        "-99999999999999999999, 0, true"
    })
    @Tag("H04")
    void prioritiesHave64Bits(String python, long own, boolean acts) {
        peering();
        pythonPeer(python, 1000);
        clusterwide("me", own);
        create("a");
        assertThat(calls).isEqualTo(acts ? List.of("me:a") : List.of());
        assertThat(status().path("me").path("priority").asLong()).isEqualTo(own);
    }

    @ParameterizedTest
    @CsvSource({"2, 1", "3, 1", "12, 2"})
    @Tag("H02")
    void shortLivesAreRenewedInTime(int lifetime, int atLeastEvery) {
        peering();
        start(
                "me",
                builder -> builder.clusterwide()
                        .settings(settings -> settings.peering().lifetime(Duration.ofSeconds(lifetime))));
        int before = cluster.changesBy("me").size();
        pass(60);
        assertThat(cluster.changesBy("me").size() - before)
                .isGreaterThanOrEqualTo(60 / (atLeastEvery * 4))
                .isLessThan(61);
    }

    @Test
    @Tag("H03")
    void deadPeersAreRemovedByWhoeverSeesThem() {
        cluster.put(
                "clusterkopfpeerings",
                null,
                "default",
                "{'status':{'old':{'priority':100,'lifetime':10,'lastseen':'2019-12-31T23:59:00+00:00'},"
                        + "'naive':{'priority':100,'lastseen':'2019-12-31T23:58:00.123456'}}}");
        clusterwide("me", 0);
        assertThat(status().propertyNames()).containsExactly("me");
        create("x");
        assertThat(calls).containsExactly("me:x");
    }

    /** Nobody knows when it was given: its time counts from when it is seen, and only once. */
    @ParameterizedTest
    @Tag("H03")
    @ValueSource(strings = {"'soon'", "'20191231T235930Z'", "'2019-12-31'", "1577836800"})
    void aSignWithATimeThatCannotBeReadDoesNotLiveForEver(String time) {
        cluster.put(
                "clusterkopfpeerings",
                null,
                "default",
                "{'status':{'odd':{'priority':100,'lifetime':60,'lastseen':" + time + "}}}");
        clusterwide("me", 0);
        create("x");
        pass(30);
        assertThat(calls).as("it may live").isEmpty();
        pass(40);
        assertThat(calls).containsExactly("me:x");
        assertThat(status().propertyNames()).containsExactly("me");
    }

    /** Its life would be beyond the calendar, or its last sign. */
    @ParameterizedTest
    @Tag("H03")
    @ValueSource(strings = {"'lifetime':-99999999999999999", "'lastseen':'+999999999-12-31T23:59:59Z'"})
    void recordsBeyondTheCalendarKeepNobodyFromLookingForPeers(String record) {
        cluster.put("clusterkopfpeerings", null, "default", "{'status':{'odd':{'priority':-1," + record + "}}}");
        clusterwide("me", 0);
        create("x");
        pythonPeer(100, 60);
        create("y");
        assertThat(calls).as("the last one is left to the peer").containsExactly("me:x");
    }

    /** In the minute between, others would take over. */
    @Test
    @Tag("H02")
    void whoFindsItsOwnRecordRemovedGivesASignAtOnce() {
        peering();
        clusterwide("me", 7);
        pass(5);
        cluster.patch("clusterkopfpeerings", null, "default", "{'status':{'me':null}}");
        world.runFor(Duration.ofMillis(100));
        assertThat(status().path("me").path("lastseen").asString()).isEqualTo("2020-01-01T00:00:08+00:00");
        cluster.patch("clusterkopfpeerings", null, "default", "{'status':{'me':null}}");
        pass(1);
        assertThat(status().has("me")).as("not again and again").isFalse();
        pass(2);
        assertThat(status().has("me")).isTrue();
    }

    /** Who is ahead by more than the lifetime takes others for dead, and removes what they sign. */
    @Test
    @Tag("H02")
    void whoseRecordIsRemovedEachTimeSignsLessOftenAndTellsOfIt() {
        peering();
        clusterwide("me", 7);
        start(
                "ahead",
                new DriftingPlatform(world.machine("ahead"), 1, Duration.ofMinutes(2), new Suspension(world)),
                OperatorBuilder::clusterwide);
        int before = cluster.changesBy("me").size();
        pass(600);
        assertThat(cluster.changesBy("me").size() - before).isLessThan(20);
        assertThat(log.lines(Level.WARN))
                .singleElement()
                .asString()
                .startsWith("warn: The record of this operator in the peering 'default' cluster-wide is removed");
    }

    @Test
    @Tag("H02")
    void whoseRecordIsLeftAloneAgainRepeatsItAsSoonAsBefore() {
        peering();
        clusterwide("me", 7);
        for (int i = 0; i < 3; i++) {
            pass(10);
            removeSign();
        }
        removeSign();
        pass(6);
        assertThat(status().has("me")).as("after the fourth time").isFalse();
        pass(2);
        assertThat(status().has("me")).isTrue();
        pass(120);
        removeSign();
        removeSign();
        pass(2);
        assertThat(status().has("me")).isTrue();
    }

    private void removeSign() {
        cluster.patch("clusterkopfpeerings", null, "default", "{'status':{'me':null}}");
        world.runFor(Duration.ofMillis(100));
    }

    /** The lid of the laptop is closed for longer than the operator is believed in, and its monotonic clock stands. */
    @Test
    @Tag("H02")
    void whoWakesUpWithItsMachineGivesASignBeforeOthersActForLong() {
        peering();
        clusterwide("cluster", 0);
        Suspension lid = new Suspension(world);
        start(
                "laptop",
                new DriftingPlatform(world.machine("laptop"), 1, Duration.ZERO, lid),
                builder -> builder.clusterwide()
                        .settings(settings -> settings.peering().priority(666)));
        lid.sleep(Duration.ofSeconds(90));
        pass(80);
        create("x");
        assertThat(calls).as("while the lid is closed").containsExactly("cluster:x");
        assertThat(status().has("laptop")).isFalse();
        pass(9);
        assertThat(status().has("laptop")).isTrue();
        create("y");
        assertThat(calls).as("after it").containsExactly("cluster:x", "laptop:y");
    }

    @Test
    @Tag("H02")
    void aSignOfLifeThatCouldNotBeGivenIsRepeatedSoon() {
        peering();
        clusterwide("me", 0);
        List<Instant> signs = new ArrayList<>();
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(String client, TransportRequest request, Deadline deadline) {
                if (request.method().equals("PATCH") && request.path().contains("peerings")) {
                    signs.add(world.now());
                    return signs.size() <= 3 ? TinyCluster.status(503, "ServiceUnavailable", "not now") : null;
                }
                return null;
            }
        });
        pass(62);
        assertThat(signs).hasSize(4);
        assertThat(Duration.between(signs.getFirst(), signs.getLast())).isLessThan(Duration.ofSeconds(10));
    }

    @Test
    @Tag("H04")
    @Tag("H06")
    @Tag("B23")
    void peersOfHigherPriorityPauseTheOperatorUntilTheirTimeIsOver() {
        peering();
        clusterwide("me", 0);
        create("a");
        pythonPeer(1, 30);
        create("b");
        assertThat(calls).containsExactly("me:a");
        pass(20);
        assertThat(calls).containsExactly("me:a");
        pass(10);
        assertThat(calls).containsExactly("me:a", "me:b");
        assertThat(status().propertyNames()).containsExactly("me");
        assertThat(log.lines(Level.INFO))
                .contains("info: Pausing operations in favour of [<Peer python: priority=1, lifetime=30,"
                        + " lastseen='2020-01-01T00:00:06+00:00'>] in the peering object 'default' cluster-wide.")
                .contains("info: Resuming operations after the pause. Conflicting operators are gone from the peering"
                        + " object 'default' cluster-wide.");
    }

    /** Of fifty namespaces, people see which one stands still. */
    @Test
    void whoIsPausedInOneNamespaceSaysInWhich() {
        cluster.put(
                "kopfpeerings",
                "one",
                "default",
                "{'status':{'python':{'priority':1,'lifetime':60,'lastseen':'2020-01-01T00:00:00+00:00'}}}");
        cluster.put("kopfpeerings", "two", "default", "{}");
        try (LoggerCapture all = new LoggerCapture("kopf4j.operator")) {
            OperatorHandle operator = start("me", builder -> builder.namespaces("one", "two"));
            assertThat(operator.state().pauses())
                    .singleElement()
                    .asString()
                    .startsWith("operators with a higher priority in the peering object 'default' in 'one': [<Peer");
            assertThat(all.lines(Level.INFO))
                    .anyMatch(line -> line.startsWith("info: The operator is ready, but does not act everywhere yet: "))
                    .anyMatch(line -> line.contains("'default' in 'one'"));
        }
    }

    /** A developer's operator has handled a later change than the one with which a handler has failed, or none. */
    @ParameterizedTest(name = "others have handled the object meanwhile: {0}")
    @ValueSource(booleans = {true, false})
    void aRetryLeavesAloneWhatOthersHavePutRightMeanwhile(boolean others) {
        peering();
        start(
                "me",
                builder -> builder.clusterwide().onUpdate("kopfexamples", "upd", context -> {
                    calls.add("me:" + context.spec().getInt("k", 0));
                    throw new PermanentException("not this one");
                }));
        create("x");
        cluster.patch("kopfexamples", "ns", "x", "{'spec':{'k':1}}");
        pass(3);
        pythonPeer(1, 30);
        if (others) {
            String handled = cluster.get("kopfexamples", "ns", "x")
                    .path("metadata")
                    .path("annotations")
                    .path("kopf.zalando.org/last-handled-configuration")
                    .asString();
            cluster.patch(
                    "kopfexamples",
                    "ns",
                    "x",
                    "{'spec':{'k':2},'metadata':{'annotations':{'kopf.zalando.org/last-handled-configuration':'"
                            + handled.strip().replace("\"k\":1", "\"k\":2").replace("\"", "\\\"") + "'}}}");
        }
        pass(40);
        cluster.patch("kopfexamples", "ns", "x", "{'metadata':{'annotations':{'kopf.zalando.org/retry':'now'}}}");
        pass(5);
        assertThat(calls).isEqualTo(others ? List.of("me:x", "me:1") : List.of("me:x", "me:1", "me:1"));
    }

    /** It has succeeded in the state in which the handler has failed before: the object looks as it did. */
    @Test
    void aRetryLeavesAloneWhatOthersHavePutRightInTheSameState() throws InterruptedException {
        peering();
        start(
                "me",
                builder -> builder.clusterwide().onUpdate("kopfexamples", "upd", context -> {
                    calls.add("me:" + context.spec().getInt("k", 0));
                    throw new PermanentException("not this one");
                }));
        create("x");
        cluster.patch("kopfexamples", "ns", "x", "{'spec':{'k':1}}");
        pass(3);
        OperatorHandle developer = start(
                "dev",
                builder -> builder.clusterwide()
                        .settings(settings -> settings.peering().priority(666))
                        .onUpdate("kopfexamples", "upd", context -> {
                            calls.add("dev:" + context.spec().getInt("k", 0));
                            return null;
                        }));
        pass(10);
        retry("one upd");
        developer.stop();
        pass(120);
        retry("two");
        assertThat(calls).containsExactly("me:x", "me:1", "dev:1");
    }

    /** What the retry itself has changed of the last-handled state is no sign that others have handled the object. */
    @Test
    void aPauseInTheMidstOfARetryLosesNoFailureOfOthers() {
        peering();
        boolean[] retried = {false};
        start(
                "me",
                builder -> builder.clusterwide()
                        .onUpdate("kopfexamples", "a", context -> {
                            calls.add("a");
                            if (retried[0]) {
                                throw new TemporaryException("later", Duration.ofMinutes(5));
                            }
                            throw new PermanentException("not this one");
                        })
                        .onUpdate("kopfexamples", "b", context -> {
                            calls.add("b");
                            throw new PermanentException("not this one");
                        }));
        create("x");
        cluster.patch("kopfexamples", "ns", "x", "{'spec':{'k':1}}");
        pass(3);
        retried[0] = true;
        retry("one a");
        pythonPeer(1, 30);
        pass(60);
        retried[0] = false;
        pass(300);
        assertThat(calls).as("before the other retry").containsExactly("me:x", "a", "b", "a", "a");
        calls.clear();
        retry("two");
        assertThat(calls).containsExactlyInAnyOrder("a", "b");
    }

    private void retry(String request) {
        cluster.patch(
                "kopfexamples", "ns", "x", "{'metadata':{'annotations':{'kopf.zalando.org/retry':'" + request + "'}}}");
        pass(10);
    }

    @Test
    @Tag("B23")
    void pausingClosesTheStreamsAndResumingListsAnew() {
        peering();
        clusterwide("me", 0);
        pythonPeer(1, 30);
        int listed = lists();
        cluster.put("kopfexamples", "ns", "gone", "{'spec':{}}");
        cluster.put("kopfexamples", "ns", "there", "{'spec':{}}");
        cluster.delete("kopfexamples", "ns", "gone");
        cluster.endWatches();
        pass(10);
        assertThat(lists()).isEqualTo(listed);
        pass(30);
        assertThat(lists()).isEqualTo(listed + 1);
        assertThat(calls).containsExactly("me:there");
    }

    private int lists() {
        return cluster.lists("kopfexamples");
    }

    @Test
    @Tag("H04")
    void peersOfLowerPriorityDoNotMatter() {
        peering();
        clusterwide("me", 10);
        pythonPeer(9, 60);
        create("x");
        assertThat(calls).containsExactly("me:x");
    }

    @Test
    @Tag("H05")
    void peersOfTheSamePriorityPauseEachOther() {
        peering();
        OperatorHandle first = clusterwide("first", 5);
        OperatorHandle second = clusterwide("second", 5);
        create("x");
        assertThat(calls).isEmpty();
        assertThat(log.lines(Level.WARN))
                .anyMatch(
                        line -> line.startsWith(
                                "warn: K4-006: Possibly conflicting operators with the same priority: [<Peer second: priority=5,"))
                .anyMatch(line ->
                        line.startsWith("warn: Pausing all operators, including self: [<Peer first: priority=5,"));
        first.stop();
        pass(10);
        assertThat(calls).containsExactly("second:x");
        second.stop();
        pass(10);
        assertThat(world.describeTasks()).isEmpty();
    }

    @Test
    @Tag("H04")
    void operatorsTakeTurnsByTheirPriorities() {
        peering();
        clusterwide("low", 1);
        OperatorHandle high = clusterwide("high", 2);
        create("a");
        high.stop();
        pass(10);
        create("b");
        clusterwide("high", 2);
        create("c");
        assertThat(calls).containsExactly("high:a", "low:b", "high:c");
    }

    @Test
    @Tag("H06")
    void killedOperatorsAreMissedAfterTheirLifetime() {
        peering();
        clusterwide("low", 1);
        SimulatedPlatform machine = world.machine("high");
        SimulatedOperator.start(
                machine,
                cluster.transport("high", machine),
                builder -> builder.clusterwide()
                        .settings(
                                settings -> settings.peering().identity("high").priority(2))
                        .onEvent("kopfexamples", "eve", context -> null));
        pass(100);
        machine.kill();
        create("x");
        assertThat(calls).isEmpty();
        pass(60);
        assertThat(calls).containsExactly("low:x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"kopf.dev", "zalando.org", "both"})
    @Tag("H01")
    void allApiGroupsAreUsed(String groups) {
        if (!groups.equals("kopf.dev")) {
            cluster.serving("zalando.org", "clusterkopfpeerings", "ClusterKopfPeering", false);
            cluster.ofGroup("zalando.org").put("clusterkopfpeerings", null, "default", "{}");
        }
        if (!groups.equals("zalando.org")) {
            peering();
        }
        clusterwide("me", 0);
        assertThat(cluster.changesBy("me").stream()
                        .map(TinyCluster.Request::path)
                        .distinct()
                        .sorted()
                        .toList())
                .containsExactlyElementsOf(
                        groups.equals("both")
                                ? List.of(
                                        "/apis/kopf.dev/v1/clusterkopfpeerings/default",
                                        "/apis/zalando.org/v1/clusterkopfpeerings/default")
                                : groups.equals("kopf.dev")
                                        ? List.of("/apis/kopf.dev/v1/clusterkopfpeerings/default")
                                        : List.of(
                                                "/apis/kopf.dev/v1/clusterkopfpeerings/default",
                                                "/apis/zalando.org/v1/clusterkopfpeerings/default"));
    }

    @Test
    @Tag("H01")
    @Tag("L64")
    void namespacesHavePeeringsOfTheirOwn() {
        cluster.put("kopfpeerings", "a", "default", "{}");
        cluster.put("kopfpeerings", "b", "default", "{}");
        start("me", builder -> builder.namespaces("a", "b"));
        cluster.patch(
                "kopfpeerings",
                "a",
                "default",
                "{'status':{'other':{'priority':1,'lastseen':'2020-01-01T00:00:03+00:00'}}}");
        pass(3);
        cluster.put("kopfexamples", "a", "xa", "{'spec':{}}");
        cluster.put("kopfexamples", "b", "xb", "{'spec':{}}");
        pass(3);
        assertThat(calls).containsExactly("me:xb");
        pass(70);
        assertThat(calls).containsExactly("me:xb", "me:xa");
    }

    @Test
    @Tag("H07")
    @Tag("L64")
    void onlyNamespacesWithoutTheirPeeringObjectArePausedIfItIsMandatory() {
        cluster.put("kopfpeerings", "b", "mine", "{}");
        cluster.put("kopfexamples", "a", "xa", "{'spec':{}}");
        cluster.put("kopfexamples", "b", "xb", "{'spec':{}}");
        start(
                "me",
                builder -> builder.namespaces("a", "b")
                        .settings(settings -> settings.peering().name("mine").mandatory(true)));
        assertThat(calls).containsExactly("me:xb");
        cluster.put("kopfpeerings", "a", "mine", "{}");
        pass(3);
        assertThat(calls).containsExactly("me:xb", "me:xa");
    }

    @Test
    @Tag("H07")
    void withoutPeeringObjectsOperatorsActUnlessThePeeringIsMandatory() {
        create("x");
        OperatorHandle operator = clusterwide("me", 0);
        assertThat(calls).containsExactly("me:x");
        operator.stop();
        pass(10);
        start(
                "must",
                builder -> builder.clusterwide()
                        .settings(settings -> settings.peering().mandatory(true)));
        create("y");
        assertThat(calls).containsExactly("me:x");
        peering();
        pass(3);
        assertThat(calls).containsExactly("me:x", "must:y");
    }

    private OperatorHandle mandatory(String name, long priority) {
        return start(
                name,
                builder -> builder.clusterwide()
                        .settings(settings -> settings.peering().mandatory(true).priority(priority)));
    }

    /** Signs were given to the object that is gone: those that resume at once would both act. */
    @ParameterizedTest
    @ValueSource(ints = {0, 3})
    @Tag("H07")
    void whoeverSeesThePeeringObjectMadeAnewGivesASignBeforeActing(int after) {
        peering();
        mandatory("low", 5);
        mandatory("high", 10);
        pass(100);
        cluster.delete("clusterkopfpeerings", null, "default");
        pass(after);
        peering();
        for (int i = 0; i < 20; i++) {
            cluster.put("kopfexamples", "ns", "x" + i, "{'spec':{}}");
            world.runFor(Duration.ofMillis(200));
        }
        pass(10);
        assertThat(status().propertyNames()).containsExactlyInAnyOrder("low", "high");
        assertThat(calls).hasSize(20).doesNotHaveDuplicates().allMatch(call -> call.startsWith("high:"));
    }

    /** Nobody else would pause for it. */
    @Test
    @Tag("H07")
    void whoeverCannotSignAPeeringObjectThatWasMadeAnewDoesNotActIfItIsMandatory() {
        peering();
        mandatory("me", 5);
        cluster.delete("clusterkopfpeerings", null, "default");
        pass(3);
        boolean[] refusing = {true};
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(String client, TransportRequest request, Deadline deadline) {
                return refusing[0]
                                && request.method().equals("PATCH")
                                && request.path().contains("peerings")
                        ? TinyCluster.status(503, "ServiceUnavailable", "not now")
                        : null;
            }
        });
        // As of a backup: signs of the past say nothing.
        cluster.put(
                "clusterkopfpeerings",
                null,
                "default",
                "{'status':{'me':{'priority':5,'lifetime':60,'lastseen':'2020-01-01T00:00:00+00:00'}}}");
        create("x");
        pass(30);
        assertThat(calls).isEmpty();
        refusing[0] = false;
        pass(10);
        assertThat(calls).containsExactly("me:x");
    }

    /** Of one API server that has not heard of the new role yet. */
    @ParameterizedTest
    @CsvSource({"1, 0", "1000, 1"})
    @Tag("H07")
    void refusalsOfAMomentAreNoReasonToActBesideAPeerAndThoseThatLastAre(int refusals, int expected) {
        peering();
        pythonPeer(1000, 600);
        int[] left = {refusals};
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(String client, TransportRequest request, Deadline deadline) {
                return request.method().equals("GET") && request.path().contains("peerings") && left[0]-- > 0
                        ? TinyCluster.status(403, "Forbidden", "not yet")
                        : null;
            }
        });
        clusterwide("me", 0);
        assertThat(left[0]).isLessThan(refusals);
        create("x");
        pass(10);
        assertThat(calls).hasSize(expected);
        assertThat(log.lines(Level.WARN).stream().filter(line -> line.contains("K4-005")))
                .hasSize(expected);
    }

    @Test
    @Tag("H07")
    void whoActsWithoutThePeeringObjectSignsItAsSoonAsItExists() {
        clusterwide("me", 0);
        pass(10);
        peering();
        pass(3);
        assertThat(status().propertyNames()).containsExactly("me");
        create("x");
        assertThat(calls).containsExactly("me:x");
    }

    @Test
    @Tag("H07")
    void operatorsPauseWithoutTheDefinitionIfThePeeringIsMandatory() {
        cluster.stopServing("clusterkopfpeerings");
        create("x");
        start(
                "must",
                builder -> builder.clusterwide()
                        .settings(settings -> settings.peering().mandatory(true)));
        String told = "warn: K4-005: The operator is paused: the peering is mandatory, but its CRD is missing.";
        assertThat(log.lines(Level.WARN)).containsExactly(told);
        cluster.put("customresourcedefinitions", null, "kopfexamples.kopf.dev", "{'spec':{'group':'kopf.dev'}}");
        pass(600);
        assertThat(calls).isEmpty();
        assertThat(log.lines(Level.WARN)).as("once").containsExactly(told);
        cluster.serving("kopf.dev", "clusterkopfpeerings", "ClusterKopfPeering", false);
        peering();
        cluster.put(
                "customresourcedefinitions",
                null,
                "clusterkopfpeerings.kopf.dev",
                "{'spec':{'group':'kopf.dev','names':{'plural':'clusterkopfpeerings','kind':'ClusterKopfPeering'},"
                        + "'versions':[{'name':'v1','served':true}]}}");
        pass(10);
        assertThat(calls).containsExactly("must:x");
        pythonPeer(1, 60);
        create("y");
        assertThat(calls).containsExactly("must:x");
    }

    /** Looks at everything come again and again as long as a handler is for what is not served. */
    private void startLooking(boolean mandatory) {
        start(
                "me",
                builder -> builder.clusterwide()
                        .settings(settings -> settings.peering().mandatory(mandatory))
                        .onEvent("ghosts", "ghost", context -> null));
    }

    /** As a server that has just started tells, until it has read the definitions. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("H07")
    void aPeeringIsNotLeftAsDiscoveryDoesNotTellOfItForAMoment(boolean mandatory) {
        peering();
        pythonPeer(100, 3600);
        startLooking(mandatory);
        create("x");
        cluster.stopServing("clusterkopfpeerings");
        pass(20);
        cluster.serving("kopf.dev", "clusterkopfpeerings", "ClusterKopfPeering", false);
        pass(600);
        assertThat(calls).isEmpty();
        assertThat(cluster.changesBy("me"))
                .isNotEmpty()
                .allMatch(request -> request.body().path("status").path("me").isObject());
        assertThat(log.lines(Level.WARN)).isEmpty();
    }

    @Test
    @Tag("H07")
    void whoLeavesAPeeringThatIsNotServedAnyMoreSaysSo() {
        peering();
        pythonPeer(100, 3600);
        startLooking(false);
        create("x");
        cluster.stopServing("clusterkopfpeerings");
        pass(90);
        assertThat(calls).containsExactly("me:x");
        assertThat(log.lines(Level.WARN))
                .filteredOn(line -> line.contains("is left"))
                .containsExactly("warn: The peering 'default' cluster-wide is left, as the cluster does not serve"
                        + " clusterkopfpeerings.v1.kopf.dev any more: nobody pauses the operator there until they are served"
                        + " again.");
        cluster.serving("kopf.dev", "clusterkopfpeerings", "ClusterKopfPeering", false);
        pass(600);
        create("y");
        assertThat(calls).as("paused again").containsExactly("me:x");
    }

    @Test
    @Tag("H07")
    void standaloneOperatorsTakeNoPart() {
        peering();
        pythonPeer(100, 60);
        start(
                "me",
                builder -> builder.clusterwide()
                        .settings(settings -> settings.peering().standalone(true)));
        create("x");
        assertThat(calls).containsExactly("me:x");
        assertThat(status().has("me")).isFalse();
        assertThat(cluster.requests())
                .noneMatch(request ->
                        request.client().equals("me") && request.path().contains("peering"));
    }

    @Test
    @Tag("H07")
    void otherPeeringObjectsDoNotMatter() {
        cluster.put(
                "clusterkopfpeerings",
                null,
                "other",
                "{'status':{'p':{'priority':100,'lastseen':'2020-01-01T00:00:00Z'}}}");
        peering();
        clusterwide("me", 0);
        create("x");
        assertThat(calls).containsExactly("me:x");
    }

    @Test
    @Tag("H08")
    void stealthyOperatorsLogNothingOfTheirLife() {
        peering();
        OperatorHandle loud = clusterwide("loud", 0);
        assertThat(log.lines(Level.DEBUG)).contains("debug: Keep-alive in 'default' cluster-wide: ok.");
        loud.stop();
        pass(10);
        log.clear();
        start(
                "me",
                builder -> builder.clusterwide()
                        .settings(settings -> settings.peering().stealth(true)));
        assertThat(status().has("me")).isTrue();
        assertThat(log.lines(Level.DEBUG)).noneMatch(line -> line.contains("Keep-alive"));
    }

    @Test
    @Tag("B23")
    void nothingOfTheBacklogIsProcessedWhilePaused() {
        peering();
        SimulatedPlatform machine = world.machine("me");
        SimulatedOperator.start(
                machine,
                cluster.transport("me", machine),
                builder -> builder.clusterwide()
                        .settings(settings -> settings.peering().identity("me"))
                        .settings(settings -> settings.queueing().workerLimit(1))
                        .onCreate("kopfexamples", "cre", h -> h.retries(2), context -> {
                            calls.add("begin " + context.name());
                            machine.sleep(Duration.ofSeconds(context.name().equals("a") ? 1 : 0));
                            calls.add("end " + context.name());
                            if (context.name().equals("retried") && context.retry() == 0) {
                                throw new dev.kopf4j.TemporaryException("later", Duration.ofSeconds(20));
                            }
                            return null;
                        }));
        create("retried");
        pass(3);
        for (String name : List.of("a", "b", "c")) {
            cluster.put("kopfexamples", "ns", name, "{'spec':{}}");
        }
        world.runFor(Duration.ofMillis(200));
        pythonPeer(1, 60);
        assertThat(calls).containsExactly("begin retried", "end retried", "begin a", "end a");
        pass(50);
        assertThat(calls).hasSize(4);
        pass(20);
        assertThat(calls).hasSize(10).contains("end b", "end c").endsWith("end retried");
    }

    @Test
    @Tag("B23")
    void longCallsAreInterruptedByAPauseAndRepeatedAfterIt() {
        peering();
        SimulatedPlatform machine = world.machine("me");
        SimulatedOperator.start(
                machine,
                cluster.transport("me", machine),
                builder -> builder.clusterwide()
                        .settings(settings -> settings.peering().identity("me"))
                        .onCreate("kopfexamples", "cre", context -> {
                            calls.add("begin");
                            machine.sleep(Duration.ofSeconds(20));
                            calls.add("end");
                            return null;
                        }));
        pass(3);
        create("x");
        pythonPeer(1, 60);
        pass(30);
        assertThat(calls).containsExactly("begin");
        pass(60);
        assertThat(calls).containsExactly("begin", "begin", "end");
    }

    @Test
    @Tag("B23")
    void objectsAreNotResumedAgainAfterAPause() {
        peering();
        cluster.put(
                "kopfexamples",
                "ns",
                "x",
                "{'spec':{'field':'a'},'metadata':{'annotations':{'" + Scenario.LAST_HANDLED
                        + "':'{\\u0022spec\\u0022:{\\u0022field\\u0022:\\u0022a\\u0022}}\\n'}}}");
        SimulatedPlatform machine = world.machine("me");
        SimulatedOperator.start(
                machine,
                cluster.transport("me", machine),
                builder -> builder.clusterwide()
                        .settings(settings -> settings.peering().identity("me"))
                        .onResume("kopfexamples", "res", context -> calls.add("resumed"))
                        .onUpdate("kopfexamples", "upd", context -> calls.add("updated")));
        pass(3);
        pythonPeer(1, 30);
        pass(60);
        assertThat(calls).containsExactly("resumed");
        cluster.patch("kopfexamples", "ns", "x", "{'spec':{'field':'b'}}");
        pass(3);
        assertThat(calls).containsExactly("resumed", "updated");
    }

    @Test
    @Tag("H04")
    void nonsenseInPeeringObjectsIsTolerated() {
        ObjectNode status = Json.object();
        status.put("a", 1)
                .putNull("b")
                .putObject("c")
                .put("priority", "high")
                .put("lifetime", "long")
                .put("lastseen", "soon");
        cluster.put(
                "clusterkopfpeerings",
                null,
                "default",
                "{'status':" + Json.text(status).replace('"', '\'') + "}");
        clusterwide("me", 5);
        create("x");
        assertThat(calls).containsExactly("me:x");
    }

    /** One of several replicas of an operator. */
    private OperatorHandle replica(String name, long priority) {
        return start(
                name,
                builder -> builder.clusterwide().settings(settings -> {
                    settings.peering().identity(null).priority(priority);
                    settings.leaderElection().enabled(true).leaseNamespace("ns").identity(name);
                }));
    }

    @Test
    void replicasThatElectALeaderDoNotPauseForEachOther() {
        cluster.serving("coordination.k8s.io", "leases", "Lease", true);
        peering();
        OperatorHandle one = replica("one", 0);
        replica("two", 0);
        pass(70);
        create("x");
        assertThat(calls).containsExactly("one:x");
        assertThat(status()).hasSize(1);

        one.stop();
        pass(30);
        create("y");
        assertThat(calls).containsExactly("one:x", "two:y");

        clusterwide("stronger", 100);
        pass(5);
        create("z");
        assertThat(calls).containsExactly("one:x", "two:y", "stronger:z");
    }
}
