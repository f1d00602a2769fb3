package dev.kopf4j.engine.sharding;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.pausing.PauseReasons;
import dev.kopf4j.engine.pausing.ShardsToActOn;
import dev.kopf4j.engine.simulation.DriftingPlatform;
import dev.kopf4j.engine.simulation.DriftingPlatform.Suspension;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.ForwardingPlatform;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a member of a group may do, and for how long: each promise by its own failure. In each moment, at most one
 * replica may act on an object, and who was refused something joins anew, as nothing is tried again. Tests
 * {@link ShardGroup}.
 */
class ShardFenceTest {
    private static final int SHARDS = 8;
    private static final String GROUP = "/leases/kopf4j";
    private static final List<String> OBJECTS =
            IntStream.range(0, 40).mapToObj(i -> "uid-x" + i).toList();

    private final SimulatedPlatform world = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final TinyCluster cluster = new TinyCluster().serving("coordination.k8s.io", "leases", "Lease", true);
    private final Map<String, Replica> replicas = new LinkedHashMap<>();

    @AutoClose
    private final LoggerCapture log = new LoggerCapture("kopf4j.sharding");

    /** A member without an operator: it has work to do as long as the test says so. */
    private final class Replica implements ShardsToActOn.HandOver {
        final Platform machine;
        final PauseReasons pauses;
        final ShardGroup group;
        boolean busy;
        /** Objects that it was not allowed to act on any more at the moment when it told that it begins nothing. */
        final Set<String> lostAtOnce = new TreeSet<>();

        private int restarts;
        private @Nullable ShardGroup begun;
        /** How many times it had been stopped or started when its fence was seen closed; -1 if it is open. */
        private int restartsWhenClosed;

        Replica(String name) throws InterruptedException {
            this(name, world.machine(name));
        }

        Replica(String name, Platform machine) throws InterruptedException {
            this.machine = machine;
            pauses = new PauseReasons(machine, this::happened);
            pauses.shards().handOver(this);
            pauses.listen(() -> restarts++);
            OperatorSettings settings = new OperatorSettings();
            settings.sharding().shards(SHARDS);
            settings.leaderElection().identity(name);
            KubernetesApi api = new KubernetesApi(machine, cluster.transport(name, machine), NetworkSettings.DEFAULTS);
            group = ShardGroup.of(machine, api, settings, List.of(), pauses);
            begun = group;
            group.begin();
        }

        /** As another task could ask the fence between two steps of the group's. */
        private void happened(OperatorStep step) {
            ShardGroup asked = begun;
            if (asked != null && step instanceof OperatorStep.ShardsServed && busy) {
                OBJECTS.stream()
                        .filter(object -> asked.until(object).hasPassed(machine))
                        .forEach(lostAtOnce::add);
            }
        }

        @Override
        public boolean giveUp() {
            return !busy;
        }

        @Override
        public void takeMore() {
            // There are no objects to look for.
        }

        boolean mayActOn(String object) {
            return !group.until(object).hasPassed(machine);
        }

        Set<String> objects() {
            Set<String> found = new TreeSet<>();
            OBJECTS.stream().filter(this::mayActOn).forEach(found::add);
            return found;
        }

        boolean isPaused() {
            return pauses.isPaused(null);
        }

        void end(boolean idle) {
            machine.spawn("end", () -> {
                try {
                    group.end(idle);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
        }

        /** Nothing is tried again that the fence has refused, unless all is begun anew. */
        private void checkThatItBeginsAnew() {
            if (group.until().hasPassed(machine)) {
                restartsWhenClosed = restarts;
            } else {
                assertThat(restarts)
                        .as("the fence opens again without a new beginning, at %s", world.now())
                        .isNotEqualTo(restartsWhenClosed);
                restartsWhenClosed = -1;
            }
        }
    }

    private Replica start(String name) throws InterruptedException {
        Replica replica = new Replica(name);
        replicas.put(name, replica);
        pass(8);
        return replica;
    }

    private void pass(double seconds) {
        for (int tenths = 0; tenths < seconds * 10; tenths++) {
            world.runFor(Duration.ofMillis(100));
            for (String object : OBJECTS) {
                assertThat(replicas.entrySet().stream()
                                .filter(each -> each.getValue().mayActOn(object))
                                .map(Map.Entry::getKey))
                        .as("who may act on %s, at %s", object, world.now())
                        .hasSizeLessThan(2);
            }
            replicas.values().forEach(Replica::checkThatItBeginsAnew);
        }
    }

    private ShardAssignment assignment() {
        return ShardAssignment.parse(cluster.get("leases", "default", "kopf4j")
                .at("/metadata/annotations")
                .path(GroupLeases.ASSIGNMENT)
                .asString(""));
    }

    private String onlyHolder() {
        assertThat(assignment().holders()).hasSize(1);
        return assignment().holders().iterator().next();
    }

    /** Those of members, in the order in which they have joined. */
    private List<String> leases() {
        return replicas.keySet().stream()
                .flatMap(name -> cluster.changesBy(name).stream())
                .filter(request -> request.method().equals("POST") && request.status() < 300)
                .map(request -> request.body().at("/metadata/name").asString())
                .filter(name -> name.startsWith("kopf4j-") && cluster.find("leases", "default", name) != null)
                .toList();
    }

    /** A client's requests do not arrive any more. */
    private void cutOff(String client) {
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(String from, TransportRequest request, Deadline deadline)
                    throws IOException {
                if (from.equals(client)) {
                    throw new IOException("no route to host");
                }
                return null;
            }
        });
    }

    /** A client may not do that any more; the rest goes on. */
    private void forbid(String client, String method, String path) {
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(String from, TransportRequest request, Deadline deadline) {
                return from.equals(client)
                                && request.method().equals(method)
                                && request.path().replaceFirst("\\?.*", "").endsWith(path)
                        ? forbidden()
                        : null;
            }
        });
    }

    private static TransportResponse forbidden() {
        return new TransportResponse(
                403,
                Map.of(),
                "{\"kind\":\"Status\",\"code\":403,\"reason\":\"Forbidden\"}".getBytes(StandardCharsets.UTF_8));
    }

    /** As by a Role that was written for leader election: it could renew a lease of its own, and act on nothing. */
    @Test
    void whoMayNotReadTheGroupDoesNotJoinIt() throws InterruptedException {
        Replica one = start("one");
        String holder = onlyHolder();
        forbid("two", "GET", "/leases");
        Replica two = start("two");
        pass(60);
        assertThat(onlyHolder()).isEqualTo(holder);
        assertThat(leases()).containsExactly("kopf4j-" + holder);
        assertThat(one.objects()).containsExactlyInAnyOrderElementsOf(OBJECTS);
        assertThat(two.pauses.reasons())
                .singleElement()
                .asString()
                .startsWith("this replica is no member of the group")
                .contains("HTTP 403");

        cluster.faults(TinyCluster.Faults.NONE);
        pass(20);
        assertThat(two.objects()).isNotEmpty();
    }

    /** As tools do that know labels of their own only: others find the leases by it. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2})
    void whoseLeaseLosesItsLabelPutsItBack(int members) throws InterruptedException {
        Replica one = start("one");
        Replica two = start("two");
        one.busy = true;
        two.busy = true;
        Set<String> ofOne = one.objects();
        for (String lease : leases().subList(0, members)) {
            cluster.patch("leases", "default", lease, "{'metadata':{'labels':null}}");
        }
        pass(30);
        assertThat(one.objects()).isEqualTo(ofOne);
        assertThat(two.objects()).isNotEmpty();
        one.busy = false;
        two.busy = false;
        pass(30);
        assertThat(assignment().isSettled()).isTrue();
        assertThat(assignment().holders()).hasSize(2);
        assertThat(one.objects()).isNotEmpty();
        assertThat(two.objects()).isNotEmpty();
    }

    /** It acts until then as it has agreed before: nobody knows which shards it has. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void whoCannotReadThatTheAssignmentIsLostIsWaitedFor(boolean deleted) throws InterruptedException {
        Replica one = start("one");
        Replica two = start("two");
        passUntilPut(GROUP);
        forbid("one", "GET", "/leases");
        if (deleted) {
            cluster.delete("leases", "default", "kopf4j");
        } else {
            cluster.patch(
                    "leases", "default", "kopf4j", "{'metadata':{'annotations':{'kopf4j.dev/shard-assignment':'{'}}}");
        }
        pass(10);
        assertThat(one.objects()).as("it has agreed not long ago").isNotEmpty();
        pass(60);
        assertThat(one.objects()).isEmpty();
        assertThat(two.objects()).containsExactlyInAnyOrderElementsOf(OBJECTS);
    }

    /** Somebody has made it by hand: nobody renews it. */
    @Test
    void aLeaseThatSaysThatItLastsForYearsDoesNot() throws InterruptedException {
        Replica one = start("one");
        cluster.put(
                "leases",
                "default",
                "kopf4j-foreign",
                "{'metadata':{'labels':{'kopf4j.dev/shards':'kopf4j'}},"
                        + "'spec':{'holderIdentity':'x','leaseDurationSeconds':2147483647}}");
        pass(60);
        assertThat(one.objects()).as("it could be a member").hasSizeLessThan(OBJECTS.size());
        world.runFor(Duration.ofHours(1));
        assertThat(one.objects()).containsExactlyInAnyOrderElementsOf(OBJECTS);
        assertThat(cluster.find("leases", "default", "kopf4j-foreign")).isNull();
    }

    /** It would not learn what it is to have. */
    @Test
    void whoCannotReadTheGroupAnyMoreLeavesItToTheOthers() throws InterruptedException {
        Replica one = start("one");
        Replica two = start("two");
        forbid("two", "GET", "/leases");
        pass(45);
        assertThat(one.objects()).containsExactlyInAnyOrderElementsOf(OBJECTS);
        assertThat(two.pauses.reasons()).singleElement().asString().contains("HTTP 403");
        assertThat(log.lines(Level.WARN)).anyMatch(line -> line.contains("could not be read or written for 15 s"));
        String holder = onlyHolder();
        pass(120);
        assertThat(onlyHolder()).isEqualTo(holder);

        cluster.faults(TinyCluster.Faults.NONE);
        pass(20);
        assertThat(two.objects()).isNotEmpty();
    }

    /** It could neither take nor give. */
    @Test
    void whoMayNotWriteTheGroupsLeaseAnyMoreLeavesItToTheOthers() throws InterruptedException {
        Replica one = start("one");
        Replica two = start("two");
        forbid("two", "PUT", GROUP);
        pass(60);
        assertThat(one.objects()).containsExactlyInAnyOrderElementsOf(OBJECTS);
        String holder = onlyHolder();
        for (int times = 0; times < 30; times++) {
            pass(5);
            assertThat(onlyHolder()).as("it does not join anew").isEqualTo(holder);
            assertThat(assignment().isSettled()).isTrue();
        }
        assertThat(two.objects()).isEmpty();

        cluster.faults(TinyCluster.Faults.NONE);
        pass(20);
        assertThat(two.objects()).isNotEmpty();
    }

    /** None of them can have acted before there was a lease of the group. */
    @Test
    void whoStartTogetherNeedNotWaitForEachOther() throws InterruptedException {
        for (String name : List.of("one", "two", "three")) {
            replicas.put(name, new Replica(name));
        }
        pass(6);
        assertThat(assignment().isSettled()).isTrue();
        assertThat(replicas.values()).noneMatch(replica -> replica.objects().isEmpty());
    }

    @Test
    void eachActsOnItsOwnObjectsAlone() throws InterruptedException {
        Replica one = start("one");
        assertThat(one.objects()).containsExactlyInAnyOrderElementsOf(OBJECTS);
        Replica two = start("two");

        assertThat(one.objects()).isNotEmpty();
        assertThat(two.objects()).isNotEmpty();
        Set<String> all = one.objects();
        all.addAll(two.objects());
        assertThat(all).containsExactlyInAnyOrderElementsOf(OBJECTS);
        assertThat(one.pauses.shards().now().numbers().cardinality()).isEqualTo(SHARDS / 2);
    }

    /** Others wait, and what is in progress may write to its end. */
    @Test
    void whatIsGivenUpStaysUntilItsWorkHasEnded() throws InterruptedException {
        Replica one = start("one");
        String holder = onlyHolder();
        one.busy = true;
        Replica two = start("two");
        pass(60);
        assertThat(one.pauses.shards().now().numbers().cardinality())
                .as("begins nothing for the others")
                .isEqualTo(SHARDS / 2);
        assertThat(onlyHolder()).isEqualTo(holder);
        assertThat(one.objects()).containsExactlyInAnyOrderElementsOf(OBJECTS);
        assertThat(two.objects()).isEmpty();

        assertThat(one.lostAtOnce)
                .as("a request in between would be refused, and its success lost")
                .isEmpty();

        one.busy = false;
        pass(8);
        assertThat(assignment().isSettled()).isTrue();
        assertThat(two.objects()).isNotEmpty().doesNotContainAnyElementsOf(one.objects());
    }

    /** It is cut off from the server: nobody acts before it has ended, and it ends by itself. */
    @Test
    void whoCannotRenewItsLeaseGivesAllUp() throws InterruptedException {
        Replica one = start("one");
        Replica two = start("two");
        assertThat(one.objects()).isNotEmpty();
        cutOff("one");
        pass(11);
        assertThat(one.isPaused()).isTrue();
        assertThat(one.pauses.shards().now().numbers().isEmpty()).isTrue();

        pass(2);
        assertThat(one.objects()).isEmpty();
        assertThat(two.objects()).as("not yet").hasSizeLessThan(OBJECTS.size());
        pass(10);
        assertThat(two.objects()).containsExactlyInAnyOrderElementsOf(OBJECTS);
    }

    /** Its monotonic clock stands still meanwhile: only its wall clock tells that others may act by now. */
    @Test
    void whoIsSuspendedWithItsMachineActsOnNothingBeforeItHasRenewedItsLease() throws InterruptedException {
        Suspension lid = new Suspension(world);
        Replica one = new Replica("one", new DriftingPlatform(world.machine("one"), 1, Duration.ZERO, lid));
        world.runFor(Duration.ofSeconds(8));
        Replica two = new Replica("two");
        world.runFor(Duration.ofSeconds(8));
        String object = one.objects().iterator().next();
        lid.sleep(Duration.ofSeconds(40));
        world.runFor(Duration.ofSeconds(40));
        assertThat(two.mayActOn(object)).isTrue();
        List<Boolean> answers = new ArrayList<>();
        var _ = one.machine.spawn("asking", () -> {
            try {
                answers.add(one.group.awaitCertainty() && one.mayActOn(object));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        world.runFor(Duration.ofMillis(100));
        assertThat(answers).containsExactly(false);
        world.runFor(Duration.ofSeconds(20));
        assertThat(one.objects()).as("as a new member").isNotEmpty();
    }

    /** Nothing was unreadable: people must not look for rights that lack. */
    @Test
    void whoStoodStillIsToldThatItWasTooLate() throws InterruptedException {
        Suspension stop = new Suspension(world);
        var _ = new Replica("one", new DriftingPlatform(world.machine("one"), 1, Duration.ZERO, stop));
        world.runFor(Duration.ofSeconds(8));
        stop.begin(Duration.ofSeconds(20));
        world.runFor(Duration.ofSeconds(30));
        assertThat(log.lines(Level.WARN))
                .anyMatch(line -> line.contains("could not be renewed in time"))
                .noneMatch(line -> line.contains("could not be read or written"));
    }

    /** An hour, as a time server says, or a machine that slept while the others did, too. */
    @Test
    void whoseWallClockIsSetForwardRenewsBothLeasesAndStaysWhatItIs() throws InterruptedException {
        AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
        Replica one = new Replica("one", new ForwardingPlatform(world.machine("one")) {
            @Override
            public Instant now() {
                return super.now().plus(ahead.get());
            }
        });
        world.runFor(Duration.ofSeconds(8));
        String holder = onlyHolder();
        ahead.set(Duration.ofHours(1));
        List<Boolean> answers = new ArrayList<>();
        var _ = one.machine.spawn("asking", () -> {
            try {
                answers.add(one.group.awaitCertainty() && one.mayActOn(OBJECTS.getFirst()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        world.runFor(Duration.ofMillis(100));
        assertThat(answers).containsExactly(true);
        assertThat(onlyHolder()).isEqualTo(holder);
        assertThat(one.isPaused()).isFalse();
    }

    /** The clock is set just before the end: nobody renews the leases any more. */
    @Test
    void nobodyWaitsForARenewalAfterTheEnd() throws InterruptedException {
        AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
        Replica one = new Replica("one", new ForwardingPlatform(world.machine("one")) {
            @Override
            public Instant now() {
                return super.now().plus(ahead.get());
            }
        });
        pass(8);
        assertThat(one.mayActOn(OBJECTS.getFirst())).isTrue();
        ahead.set(Duration.ofHours(1));
        one.end(false);
        List<String> told = new ArrayList<>();
        world.spawn("wait", () -> {
            try {
                boolean _ = one.group.awaitCertainty();
                told.add("may act: " + one.mayActOn(OBJECTS.getFirst()));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        world.runFor(Duration.ofSeconds(1));
        assertThat(told).containsExactly("may act: false");
    }

    /** Who cannot hear of it may go on as long as it could with the lease. */
    @Test
    void whoseLeaseWasDeletedByHandIsWaitedFor() throws InterruptedException {
        Replica one = start("one");
        String lease = leases().getFirst();
        Replica two = start("two");
        passUntilPut("/leases/" + lease);
        cutOff("one");
        cluster.delete("leases", "default", lease);
        pass(9);
        assertThat(one.objects()).as("it has renewed its lease in time").isNotEmpty();
        pass(14);
        assertThat(one.objects()).isEmpty();
        assertThat(two.objects()).containsExactlyInAnyOrderElementsOf(OBJECTS);
    }

    /** The last sign of life arrives when another one is about to take over. */
    @Test
    void whoRenewsItsLeaseAtTheLastMomentIsNotExpelled() throws InterruptedException {
        start("one");
        String lease = leases().getFirst();
        String holder = onlyHolder();
        start("two");
        Set<Instant> attempts = new TreeSet<>();
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(String client, TransportRequest request, Deadline deadline)
                    throws IOException {
                if (client.equals("two") && request.method().equals("DELETE") && attempts.isEmpty()) {
                    attempts.add(world.now());
                    cluster.patch("leases", "default", lease, "{'spec':{'renewTime':'" + world.now() + "'}}");
                }
                if (client.equals("one")) {
                    throw new IOException("no route to host");
                }
                return null;
            }
        });
        while (attempts.isEmpty()) {
            pass(0.1);
        }
        assertThat(leases()).contains(lease);
        pass(14);
        assertThat(assignment().holders()).as("a whole term later").contains(holder);
        pass(5);
        assertThat(leases()).doesNotContain(lease);
        assertThat(assignment().holders()).doesNotContain(holder);
    }

    /** Such as that of a proxy whose server is away: it knows nothing of leases. */
    @Test
    void whoseLeaseIsNotFoundBySomethingInBetweenKeepsItsShards() throws InterruptedException {
        Replica one = start("one");
        String lease = leases().getFirst();
        String holder = onlyHolder();
        List<String> answered = new ArrayList<>();
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(String client, TransportRequest request, Deadline deadline) {
                if (answered.isEmpty()
                        && request.method().equals("PUT")
                        && request.path().endsWith("/leases/" + lease)) {
                    answered.add(lease);
                    return new TransportResponse(404, Map.of(), "404 page not found".getBytes(StandardCharsets.UTF_8));
                }
                return null;
            }
        });
        while (answered.isEmpty()) {
            pass(0.1);
        }
        assertThat(one.objects()).containsExactlyInAnyOrderElementsOf(OBJECTS);
        pass(60);
        assertThat(onlyHolder()).isEqualTo(holder);
    }

    /** Its work goes on when it has to end: others wait for the end of its lease. */
    @Test
    void whoEndsInTheMidstOfWorkKeepsItsShards() throws InterruptedException {
        Replica one = start("one");
        String holder = onlyHolder();
        Replica two = start("two");
        one.end(false);
        pass(9);
        assertThat(one.objects()).isEmpty();
        assertThat(assignment().holders()).contains(holder);
        assertThat(two.objects()).hasSizeLessThan(OBJECTS.size());
        pass(8);
        assertThat(two.objects()).containsExactlyInAnyOrderElementsOf(OBJECTS);
    }

    /** Each PUT of a lease is refused for so long; the next one is answered late. */
    private void refuseAndDelay(String path, Duration refused, Duration late) {
        Instant end = world.now().plus(refused);
        List<String> delayed = new ArrayList<>();
        cluster.faults(new TinyCluster.Faults() {
            private boolean isMeant(TransportRequest request) {
                return request.method().equals("PUT") && request.path().endsWith(path);
            }

            @Override
            public @Nullable TransportResponse before(String client, TransportRequest request, Deadline deadline) {
                return isMeant(request) && world.now().isBefore(end) ? forbidden() : null;
            }

            @Override
            public void after(String client, TransportRequest request) throws InterruptedException {
                if (isMeant(request) && !world.now().isBefore(end) && delayed.isEmpty()) {
                    delayed.add(path);
                    Objects.requireNonNull(replicas.get(client)).machine.sleep(late);
                }
            }
        });
    }

    /** From the last renewal it may begin something for 12.5 s. */
    @Test
    void whoseRenewalIsAnsweredAfterItsTermJoinsAnew() throws InterruptedException {
        start("one");
        String lease = leases().getFirst();
        passUntilPut("/leases/" + lease);
        refuseAndDelay("/leases/" + lease, Duration.ofMillis(7600), Duration.ofSeconds(5));
        pass(40);
        assertThat(onlyHolder()).as("another member").isNotEqualTo(lease.replace("kopf4j-", ""));
    }

    /** From the last renewal of the group's lease a member may begin something for 37.5 s. */
    @Test
    void whoseRenewalOfTheGroupIsAnsweredAfterItsTermJoinsAnew() throws InterruptedException {
        Replica one = start("one");
        String holder = onlyHolder();
        passUntilPut(GROUP);
        refuseAndDelay(GROUP, Duration.ofMillis(35_100), Duration.ofSeconds(3));
        pass(90);
        assertThat(onlyHolder()).as("another member").isNotEqualTo(holder);
        assertThat(one.objects()).containsExactlyInAnyOrderElementsOf(OBJECTS);
    }

    private void passUntilPut(String path) {
        long before = puts(path);
        for (int tenths = 0; puts(path) == before; tenths++) {
            assertThat(tenths).as("tenths of seconds without a renewal").isLessThan(300);
            pass(0.1);
        }
    }

    private long puts(String path) {
        return cluster.requests().stream()
                .filter(request ->
                        request.method().equals("PUT") && request.path().endsWith(path))
                .count();
    }
}
