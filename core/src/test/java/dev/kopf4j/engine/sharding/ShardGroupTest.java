package dev.kopf4j.engine.sharding;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.kopf4j.Index;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.SettingException;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.pausing.ShardSet;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.node.ObjectNode;

/** Several replicas share the objects, by shards. Tests {@link ShardGroup}, and the hand-over of objects. */
class ShardGroupTest {
    private static final int SHARDS = 16;
    private static final int OBJECTS = 30;

    private final SimulatedPlatform world = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final TinyCluster cluster = new TinyCluster()
            .serving("kopf.dev", "kopfexamples", "KopfExample", true)
            .serving("coordination.k8s.io", "leases", "Lease", true);
    private final Map<String, SimulatedPlatform> machines = new TreeMap<>();
    /** By the object, the replicas whose handlers were called, in that order. */
    private final Map<String, List<String>> calls = new TreeMap<>();

    @AutoClose
    private final LoggerCapture log = new LoggerCapture("kopf4j.sharding");

    private OperatorHandle start(String name) {
        return start(
                name,
                SHARDS,
                builder -> builder.onCreate("kopfexamples", "cre", context -> {
                            called(name, context.name());
                            return null;
                        })
                        .onUpdate("kopfexamples", "upd", context -> {
                            called(name, context.name());
                            return null;
                        }));
    }

    private OperatorHandle start(String name, int shards, UnaryOperator<OperatorBuilder> handlers) {
        return startWith(
                name,
                settings -> {
                    settings.sharding().shards(shards);
                    settings.leaderElection().identity(name);
                },
                handlers);
    }

    private OperatorHandle startWith(
            String name, Consumer<OperatorSettings> settings, UnaryOperator<OperatorBuilder> handlers) {
        return startIn(OperatorBuilder::clusterwide, name, settings, handlers);
    }

    private OperatorHandle startIn(
            UnaryOperator<OperatorBuilder> place,
            String name,
            Consumer<OperatorSettings> settings,
            UnaryOperator<OperatorBuilder> handlers) {
        SimulatedPlatform machine = world.machine(name);
        machines.put(name, machine);
        OperatorHandle operator = SimulatedOperator.start(
                machine,
                cluster.transport(name, machine),
                builder -> handlers.apply(place.apply(builder).settings(settings)));
        pass(5);
        return operator;
    }

    private void called(String replica, String object) {
        calls.computeIfAbsent(object, _ -> new ArrayList<>()).add(replica);
    }

    private SimulatedPlatform machine(String name) {
        return Objects.requireNonNull(machines.get(name));
    }

    private void kill(String name) {
        machine(name).kill();
    }

    private void pass(double seconds) {
        world.runFor(Duration.ofMillis((long) (seconds * 1000)));
    }

    private void create() {
        for (int i = 0; i < OBJECTS; i++) {
            cluster.put("kopfexamples", "ns", "x" + i, "{'spec':{'field':0}}");
        }
        pass(2);
    }

    private void change(int value) {
        for (int i = 0; i < OBJECTS; i++) {
            cluster.patch("kopfexamples", "ns", "x" + i, "{'spec':{'field':" + value + "}}");
        }
        pass(2);
    }

    private ShardAssignment assignment() {
        return ShardAssignment.parse(cluster.get("leases", "default", "kopf4j")
                .at("/metadata/annotations")
                .path(GroupLeases.ASSIGNMENT)
                .asString(""));
    }

    private Set<String> callers() {
        Set<String> all = new TreeSet<>();
        calls.values().forEach(all::addAll);
        return all;
    }

    @Test
    void allReplicasActEachOnItsPart() {
        start("one");
        start("two");
        start("three");
        create();

        assertThat(calls).as("each object, once").hasSize(OBJECTS);
        assertThat(calls.values()).allMatch(callers -> callers.size() == 1);
        assertThat(callers()).containsExactly("one", "three", "two");
        assertThat(assignment().isSettled()).isTrue();
        assertThat(log.lines(Level.INFO)).anyMatch(line -> line.startsWith("info: Serving the shards "));
    }

    @Test
    void whoJoinsTakesItsPartAndNoMore() {
        start("one");
        create();
        ShardAssignment alone = assignment();
        start("two");
        ShardAssignment both = assignment();
        calls.clear();
        change(1);

        String one = alone.holders().iterator().next();
        assertThat(both.heldBy(one).cardinality()).isEqualTo(SHARDS / 2);
        assertThat(both.isSettled()).isTrue();
        assertThat(calls).hasSize(OBJECTS);
        assertThat(calls.values()).allMatch(callers -> callers.size() == 1);
        assertThat(callers()).containsExactly("one", "two");
        assertThat(calls.keySet())
                .allMatch(object -> calls.getOrDefault(object, List.of()).contains("one")
                        == both.heldBy(one).get(ShardSet.shardOf("uid-" + object, SHARDS)));
    }

    @Test
    void whoIsKilledIsReplacedWhenItsLeaseIsOver() {
        start("one");
        start("two");
        start("three");
        create();
        pass(60);
        kill("two");
        for (int i = 0; i < OBJECTS; i++) {
            cluster.patch("kopfexamples", "ns", "x" + i, "{'spec':{'field':1}}");
        }
        calls.clear();
        pass(16);

        assertThat(calls).as("all were handled within the lease and a second").hasSize(OBJECTS);
        assertThat(callers()).containsExactly("one", "three");
        assertThat(assignment().isSettled()).isTrue();
    }

    @Test
    void whoStopsHandsOverAtOnce() {
        OperatorHandle one = start("one");
        start("two");
        create();
        pass(60);
        one.stop();
        pass(1);
        calls.clear();
        change(1);

        assertThat(calls).hasSize(OBJECTS);
        assertThat(callers()).containsExactly("two");
        assertThat(assignment().isSettled()).isTrue();
    }

    @Test
    void theLastOneFreesTheGroupsLease() {
        OperatorHandle one = start("one");
        one.stop();
        pass(3);

        assertThat(cluster.get("leases", "default", "kopf4j")
                        .at("/spec/holderIdentity")
                        .asString("?"))
                .isEmpty();
        start("two");
        create();
        assertThat(callers()).as("nobody has to wait").containsExactly("two");
    }

    /**
     * Work for an object is not cut off by a new replica, and nobody else begins with the object before it has ended.
     */
    @Test
    void aCallEndsBeforeItsObjectIsHandedOver() {
        Map<String, List<String>> course = new TreeMap<>();
        UnaryOperator<OperatorBuilder> slow =
                builder -> builder.settings(settings -> settings.queueing().exitTimeout(Duration.ofSeconds(30)))
                        .onUpdate("kopfexamples", "upd", context -> {
                            course.computeIfAbsent(context.name(), _ -> new ArrayList<>())
                                    .add("begins");
                            machine("one").sleep(Duration.ofSeconds(20));
                            course.computeIfAbsent(context.name(), _ -> new ArrayList<>())
                                    .add("ends");
                            return null;
                        });
        create();
        start("zero").stop();
        pass(1);
        start("one", SHARDS, slow);
        for (int i = 0; i < OBJECTS; i++) {
            cluster.patch("kopfexamples", "ns", "x" + i, "{'spec':{'field':1}}");
        }
        pass(2);
        start(
                "two",
                SHARDS,
                builder -> builder.onUpdate("kopfexamples", "upd", context -> {
                    course.computeIfAbsent(context.name(), _ -> new ArrayList<>())
                            .add("by two");
                    return null;
                }));
        assertThat(assignment().isSettled()).as("while the calls run").isFalse();
        change(2);
        pass(60);

        assertThat(assignment().isSettled()).isTrue();
        assertThat(course.values()).allMatch(each -> each.subList(0, 2).equals(List.of("begins", "ends")));
        assertThat(course.values()).anyMatch(each -> each.equals(List.of("begins", "ends", "by two")));
    }

    /** Each object has its daemon once: it ends here before it begins there. */
    @Test
    void daemonsGoWithTheirObjects() {
        List<String> wrong = new ArrayList<>();
        Map<String, String> running = new TreeMap<>();
        for (String name : List.of("one", "two")) {
            UnaryOperator<OperatorBuilder> daemons = builder -> builder.onDaemon("kopfexamples", "watch", context -> {
                String other = running.putIfAbsent(context.name(), name);
                if (other != null) {
                    wrong.add(context.name() + " has daemons of " + other + " and " + name);
                }
                try {
                    context.stopped().await();
                } finally {
                    running.remove(context.name(), name);
                }
                return null;
            });
            if (name.equals("one")) {
                create();
            }
            start(name, SHARDS, daemons);
        }
        pass(60);

        assertThat(wrong).isEmpty();
        assertThat(running).hasSize(OBJECTS);
        assertThat(Set.copyOf(running.values())).containsExactlyInAnyOrder("one", "two");
    }

    @Test
    void indicesHaveAllObjectsOnEachReplica() {
        Map<String, Integer> known = new TreeMap<>();
        for (String name : List.of("one", "two")) {
            start(
                    name,
                    SHARDS,
                    builder -> builder.onIndex(
                                    "kopfexamples", "names", context -> Map.of(context.name(), context.name()))
                            .onUpdate("kopfexamples", "upd", context -> {
                                called(name, context.name());
                                Index<String, String> names = context.index("names");
                                known.put(name, names.size());
                                return null;
                            })
                            .onCreate("kopfexamples", "cre", context -> null));
        }
        create();
        change(1);

        assertThat(known).isEqualTo(Map.of("one", OBJECTS, "two", OBJECTS));
        assertThat(calls.values()).allMatch(callers -> callers.size() == 1);

        kill("two");
        pass(20);
        cluster.delete("kopfexamples", "ns", "x7");
        calls.clear();
        change2To9();
        assertThat(calls).as("objects of the other, too").hasSize(OBJECTS - 1);
        assertThat(known.get("one")).as("without the one that was deleted").isEqualTo(OBJECTS - 1);
    }

    private void change2To9() {
        for (int i = 0; i < OBJECTS; i++) {
            if (i != 7) {
                cluster.patch("kopfexamples", "ns", "x" + i, "{'spec':{'field':9}}");
            }
        }
        pass(2);
    }

    /** What a replica has taken over is resumed there, as by an operator that has just started. */
    @Test
    void objectsAreResumedWhereTheyCome() {
        Map<String, List<String>> resumed = new TreeMap<>();
        for (String name : List.of("one", "two")) {
            start(
                    name,
                    SHARDS,
                    builder -> builder.onCreate("kopfexamples", "cre", context -> null)
                            .onResume("kopfexamples", "res", context -> {
                                resumed.computeIfAbsent(name, _ -> new ArrayList<>())
                                        .add(context.name());
                                return null;
                            }));
            if (name.equals("one")) {
                create();
            }
        }
        pass(10);
        assertThat(resumed.getOrDefault("one", List.of())).isEmpty();
        Set<String> moved = new TreeSet<>(resumed.get("two"));
        assertThat(resumed.get("two")).as("once each").hasSameSizeAs(moved).isNotEmpty();

        kill("two");
        pass(20);
        assertThat(resumed.get("one")).as("back again").containsExactlyInAnyOrderElementsOf(moved);
    }

    @Test
    void aLeaderIsWaitedForAndTheOtherWayRound() {
        UnaryOperator<OperatorBuilder> leading = builder -> builder.onCreate("kopfexamples", "cre", context -> {
                    called("leader", context.name());
                    return null;
                })
                .onUpdate("kopfexamples", "upd", context -> {
                    called("leader", context.name());
                    return null;
                });
        Consumer<OperatorSettings> elect =
                settings -> settings.leaderElection().enabled(true).identity("leader");
        OperatorHandle leader = startWith("leader", elect, leading);
        OperatorHandle one = start("one");
        OperatorHandle two = start("two");
        create();
        assertThat(callers()).containsExactly("leader");
        assertThat(log.lines(Level.INFO)).anyMatch(line -> line.contains("is held by leader_"));

        leader.stop();
        pass(5);
        calls.clear();
        change(1);
        assertThat(callers()).as("shards").containsExactly("one", "two");
        assertThat(calls).hasSize(OBJECTS);

        startWith("leader2", elect, leading);
        pass(60);
        calls.clear();
        change(2);
        assertThat(callers()).as("still shards").containsExactly("one", "two");

        one.stop();
        two.stop();
        pass(10);
        calls.clear();
        change(3);
        assertThat(callers()).as("the next leader").containsExactly("leader");
        assertThat(calls).hasSize(OBJECTS);
    }

    @Test
    void aDamagedAssignmentIsMadeAnew() {
        start("one");
        start("two");
        create();
        cluster.patch(
                "leases", "default", "kopf4j", "{'metadata':{'annotations':{'kopf4j.dev/shard-assignment':'{'}}}");
        calls.clear();
        pass(40);
        change(1);

        assertThat(assignment().isSettled()).isTrue();
        assertThat(calls).hasSize(OBJECTS);
        assertThat(calls.values()).allMatch(callers -> callers.size() == 1);
        assertThat(callers()).containsExactly("one", "two");
        assertThat(log.lines(Level.WARN)).anyMatch(line -> line.contains("cannot be read, and is made anew"));
    }

    /** In a rolling update and in a roll-back: old and new replicas must not overwrite each other's in turns. */
    @Test
    void anAssignmentOfALaterFormatIsLeftAloneUntilNobodyRenewsIt() {
        start("one");
        start("two");
        create();
        cluster.patch(
                "leases",
                "default",
                "kopf4j",
                "{'metadata':{'annotations':{'kopf4j.dev/shard-assignment':'{\\\"format\\\":2}'}}}");
        calls.clear();
        pass(20);
        change(1);
        assertThat(cluster.get("leases", "default", "kopf4j")
                        .at("/metadata/annotations")
                        .path(GroupLeases.ASSIGNMENT)
                        .asString(""))
                .isEqualTo("{\"format\":2}");
        assertThat(calls).isEmpty();
        assertThat(log.lines(Level.INFO)).anyMatch(line -> line.contains("replicas of a newer kopf4j"));

        pass(100);
        assertThat(assignment().isSettled()).isTrue();
        assertThat(calls).hasSize(OBJECTS);
        assertThat(calls.values()).allMatch(callers -> callers.size() == 1);
    }

    /** A replica in a crash loop leaves members behind that seem to be alive, some of them with the lowest id. */
    @Test
    void whoComesAndDiesDoesNotKeepOthersFromTakingOver() {
        start("a");
        pass(20);
        Collection<String> dead = assignment().holders();
        start("b");
        pass(20);
        kill("a");
        for (int i = 0; i < 4; i++) {
            start("c" + i);
            kill("c" + i);
        }
        assertThat(assignment().holders())
                .as("20 s after the end of the first")
                .isNotEmpty()
                .doesNotContainAnyElementsOf(dead);
        kill("b");
    }

    @Test
    void whoseLeaseIsDeletedJoinsAnew() {
        start("one");
        start("two");
        create();
        for (String member : List.copyOf(assignment().holders())) {
            cluster.delete("leases", "default", "kopf4j-" + member);
        }
        pass(40);
        calls.clear();
        change(1);

        assertThat(assignment().isSettled()).isTrue();
        assertThat(calls).hasSize(OBJECTS);
        assertThat(callers()).containsExactly("one", "two");
        assertThat(log.lines(Level.WARN)).anyMatch(line -> line.contains("Leaving the group of 'default/kopf4j'"));
    }

    /** By the default name of the lease, say: half of the objects of either would never be handled. */
    @ParameterizedTest
    @ValueSource(strings = {"kinds", "prefix", "namespaces"})
    void membersOfAnotherOperatorAreTold(String what) {
        cluster.serving("", "configmaps", "ConfigMap", true);
        start("one");
        startIn(
                builder -> what.equals("namespaces") ? builder.namespaces("ns") : builder.clusterwide(),
                "two",
                settings -> {
                    settings.sharding().shards(SHARDS);
                    settings.leaderElection().identity("two");
                    if (what.equals("prefix")) {
                        settings.persistence().prefix("example.com");
                    }
                },
                builder ->
                        builder.onCreate(what.equals("kinds") ? "configmaps" : "kopfexamples", "cre", context -> null));
        pass(60);

        String difference = switch (what) {
            case "kinds" -> "this replica handles configmaps, and 'one_";
            case "prefix" -> "this replica has the prefix example.com (persistence.prefix), and 'one_";
            default -> "this replica works in the namespaces ns, and 'one_";
        };
        assertThat(log.lines(Level.WARN))
                .filteredOn(line -> line.startsWith("warn: K4-031"))
                .as("one told by each, once")
                .hasSize(2)
                .allMatch(line -> line.endsWith("`--set operator.name=...`."))
                .anyMatch(line -> line.contains(difference));
        assertThat(troubles())
                .anyMatch(line -> line.startsWith("the group 'default/kopf4j' has members of different operators"));
    }

    /** So it is while a version with one kind more is rolled out. */
    @Test
    void membersWithMoreKindsAreOfTheSameOperator() {
        cluster.serving("", "configmaps", "ConfigMap", true);
        start("one");
        start(
                "two",
                SHARDS,
                builder -> builder.onCreate("kopfexamples", "cre", context -> null)
                        .onCreate("configmaps", "cre", context -> null));
        pass(60);

        assertThat(log.lines(Level.WARN)).noneMatch(line -> line.contains("K4-031"));
        assertThat(troubles()).isEmpty();
    }

    /** As {@code doctor} tells them. */
    private List<String> troubles() {
        OperatorSettings settings = new OperatorSettings();
        settings.sharding().shards(SHARDS);
        KubernetesApi api = new KubernetesApi(world, cluster.transport("doctor", world), NetworkSettings.DEFAULTS);
        List<String> found = new ArrayList<>();
        world.spawn("doctor", () -> {
            try {
                Objects.requireNonNull(ShardGroupReport.read(api, settings))
                        .troubles(world.now())
                        .forEach(trouble -> found.add(trouble.problem()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        pass(1);
        return found;
    }

    /** Numbers of different divisions must not be mixed up. */
    @Test
    void theNumberOfShardsStaysAsLongAsSomebodyHasOne() {
        OperatorHandle one = start("one");
        UnaryOperator<OperatorBuilder> handlers = builder -> builder.onUpdate("kopfexamples", "upd", context -> {
            called("two", context.name());
            return null;
        });
        OperatorHandle two = start("two", 8, handlers);
        create();
        assertThat(assignment().count()).isEqualTo(SHARDS);
        assertThat(assignment().isSettled()).isTrue();
        assertThat(log.lines(Level.WARN)).anyMatch(line -> line.contains("The group has 16 shards, and keeps them"));

        one.stop();
        two.stop();
        pass(5);
        start("three", 8, handlers);
        assertThat(assignment().count()).isEqualTo(8);
    }

    @Test
    void refusesSettingsThatMakeNoSense() {
        assertThatThrownBy(() -> failed(settings -> settings.leaderElection().enabled(true)))
                .isInstanceOf(OperatorException.class)
                .hasMessageContaining("exclude each other");
        assertThatThrownBy(() -> failed(settings -> settings.sharding().shards(1025)))
                .isInstanceOf(SettingException.class)
                .hasMessageContaining("must be a whole number from 1 to " + ShardGroup.SHARDS_MAX);
        assertThatThrownBy(() -> failed(settings -> settings.leaderElection().leaseName("x".repeat(64))))
                .isInstanceOf(OperatorException.class)
                .hasMessageContaining("it may have 63 characters, but has 64");
    }

    private void failed(Consumer<OperatorSettings> change) throws InterruptedException {
        OperatorHandle operator = startWith(
                "failing",
                settings -> {
                    settings.sharding().shards(SHARDS);
                    change.accept(settings);
                },
                builder -> builder.onCreate("kopfexamples", "cre", context -> null));
        assertThat(operator.hasEnded()).isTrue();
        operator.join();
    }

    /** A roll-out would end the replicas that are members. */
    @Test
    void whoMayNotReadTheLeasesIsNotReady() {
        start("one");
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(String client, TransportRequest request, Deadline deadline) {
                return client.equals("two") && request.path().contains("leases")
                        ? TinyCluster.status(403, "Forbidden", "no")
                        : null;
            }
        });
        OperatorHandle two = start("two");
        assertThat(two.state().isWell(Duration.ofHours(1))).isFalse();
        assertThat(two.state().troubles())
                .singleElement()
                .asString()
                .startsWith("the leases of the shard group 'default/kopf4j' cannot be read or written: ");
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(String client, TransportRequest request, Deadline deadline)
                    throws IOException {
                if (client.equals("two") && request.path().contains("leases")) {
                    throw new IOException("cut off");
                }
                return null;
            }
        });
        pass(20);
        assertThat(two.state().troubles()).as("no right is known to be missing").isEmpty();
        cluster.faults(TinyCluster.Faults.NONE);
        pass(10);
        assertThat(two.state().isWell(Duration.ofHours(1))).isTrue();
    }

    /** Without shards nobody asks for a lease. */
    @Test
    void costsNothingUnlessItIsWanted() {
        startWith("alone", settings -> {}, builder -> builder.onCreate("kopfexamples", "cre", context -> null));
        create();
        assertThat(cluster.requests()).noneMatch(request -> request.path().contains("leases"));
        ObjectNode none = cluster.find("leases", "default", "kopf4j");
        assertThat(none).isNull();
    }

    /** A member at rest renews its lease, and asks for nothing else but now and then. */
    @Test
    void membersAtRestAskForLittle() {
        start("one");
        start("two");
        create();
        pass(60);
        int before = cluster.requests().size();
        pass(600);
        int perMember = (cluster.requests().size() - before) / 2;
        assertThat(perMember)
                .as("requests in ten minutes, of which 300 are renewals")
                .isBetween(250, 480);
    }

    /** The objects that stay have waited for the only worker of their namespace. */
    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2, 3, 4, 5})
    void theOthersOfANamespaceGoOnWhenTheWorkForOneThatGoesIsInterrupted(int first) {
        Set<String> handled = new TreeSet<>();
        create();
        start("zero").stop();
        pass(1);
        startWith(
                "one",
                settings -> {
                    settings.sharding().shards(SHARDS);
                    settings.leaderElection().identity("one");
                    settings.queueing().workerLimitPerNamespace(1);
                },
                builder -> builder.onUpdate("kopfexamples", "upd", context -> {
                    if (context.name().equals("x" + first)) {
                        machine("one").sleep(Duration.ofSeconds(60));
                    }
                    handled.add(context.name());
                    return null;
                }));
        cluster.patch("kopfexamples", "ns", "x" + first, "{'spec':{'field':1}}");
        pass(1);
        change(1);
        start(
                "two",
                SHARDS,
                builder -> builder.onUpdate("kopfexamples", "upd", context -> handled.add(context.name())));
        pass(90);
        assertThat(handled).hasSize(OBJECTS);
    }
}
