package dev.kopf4j.engine.sharding;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.client.transport.Transport.RequestTimeoutException;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.pausing.ShardSet;
import dev.kopf4j.engine.simulation.DriftingPlatform;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/**
 * Goal: no two replicas ever act on one object at the same time, nothing is lost, and no recorded success is repeated,
 * whatever clocks show, requests suffer and processes go through. Method: replicas that share ten objects live in
 * simulated time, by many seeds: they are killed, suspended, cut off, stopped and started. Each write and each call
 * must begin while the group's lease says that the replica has the shard of the object. Tests {@link ShardGroup}.
 */
class ShardGroupChaosTest {
    private static final long SEEDS = Long.getLong("kopf4j.sharding.seeds", 8);
    private static final int SHARDS = 8;
    private static final int OBJECTS = 10;
    private static final Duration LEASE = Duration.ofSeconds(15);
    private static final int REPLICAS = 4;
    private static final Pattern OBJECT = Pattern.compile("/kopfexamples/(?<name>[^/?]+)");

    @Test
    void noObjectIsActedOnByTwoReplicasAtOnce() {
        long first = Long.getLong("kopf4j.sharding.first", 1);
        List<String> violations = new ArrayList<>();
        int writes = 0;
        int calls = 0;
        int moves = 0;
        int expelled = 0;
        for (long seed = first; seed < first + SEEDS; seed++) {
            World world = new World(seed);
            world.live();
            violations.addAll(world.violations);
            writes += world.writes;
            calls += world.calls;
            moves += world.moves;
            expelled += world.expelled;
        }
        assertThat(violations).as("by their seeds").isEmpty();
        assertThat(writes).as("writes").isGreaterThan((int) SEEDS * 50);
        assertThat(calls).as("calls").isGreaterThan((int) SEEDS * 500);
        assertThat(moves).as("objects that another replica acts on").isGreaterThan((int) SEEDS * 10);
        assertThat(expelled).as("members that were expelled").isGreaterThan((int) SEEDS);
    }

    /** A call that has begun. */
    private record Call(Replica replica, @Nullable String member, String handler) {}

    private static final class World {
        final List<String> violations = new ArrayList<>();
        int writes;
        int calls;
        int moves;
        int expelled;

        private Duration longestUnserved = Duration.ZERO;
        private final long seed;
        private final SimulatedPlatform platform;
        private final TinyCluster cluster = new TinyCluster()
                .serving("kopf.dev", "kopfexamples", "KopfExample", true)
                .serving("coordination.k8s.io", "leases", "Lease", true);
        private final List<Replica> replicas = new ArrayList<>();
        private final Map<String, String> actors = new HashMap<>();
        private final Map<String, String> members = new HashMap<>();
        private final Map<String, Call> running = new HashMap<>();
        private int faultPercent;
        private int starts;

        World(long seed) {
            this.seed = seed;
            this.platform = new SimulatedPlatform(seed, Instant.parse("2026-01-01T00:00:00Z"));
            for (int i = 0; i < REPLICAS; i++) {
                replicas.add(new Replica(this));
            }
        }

        void live() {
            for (int object = 0; object < OBJECTS; object++) {
                cluster.put("kopfexamples", "ns", "x" + object, "{'spec':{'field':0}}");
            }
            for (int step = 0; step < 60 && violations.isEmpty(); step++) {
                platform.runFor(Duration.ofMillis(random().nextInt(8000)));
                cluster.patch("kopfexamples", "ns", "x" + random().nextInt(OBJECTS), "{'spec':{'field':" + step + "}}");
                act(replicas.get(random().nextInt(REPLICAS)));
            }
            if (violations.isEmpty()) {
                settle();
            }
            replicas.forEach(Replica::kill);
            platform.end();
        }

        private void settle() {
            faultPercent = 0;
            replicas.forEach(replica -> replica.cutOff = false);
            // Requests that are on their way take up to twice 20 s, suspensions a minute.
            checkThatAllIsServedWithin(Duration.ofSeconds(100));
            // Once more: an operator may still be about to give up its start.
            for (int time = 0; time < 2; time++) {
                replicas.forEach(replica -> {
                    replica.cutOff = false;
                    replica.restartIfDead();
                });
                platform.runFor(Duration.ofMinutes(2));
            }
            for (int object = 0; object < OBJECTS; object++) {
                ObjectNode found = cluster.get("kopfexamples", "ns", "x" + object);
                String handled = found.at("/metadata/annotations")
                        .path("kopf.zalando.org/last-handled-configuration")
                        .asString("");
                if (!handled.contains("\"field\":" + found.at("/spec/field").asInt(-1) + "}")) {
                    violate("the last change of x" + object + " is not handled: " + found);
                }
            }
            ShardAssignment last = assignment();
            if (last.isSettled() && last.holders().size() == REPLICAS) {
                replicas.get(random().nextInt(REPLICAS)).kill();
                checkThatAllIsServedWithin(
                        LEASE.plusSeconds(1).multipliedBy(100).dividedBy(95));
            } else {
                violate("the shards are not shared in the end: " + last);
            }
        }

        /** Each shard comes into the hands of a replica that acts. */
        private void checkThatAllIsServedWithin(Duration time) {
            Duration unserved = Duration.ZERO;
            while (replicas.stream().anyMatch(Replica::acts) && !isServed()) {
                platform.runFor(Duration.ofMillis(100));
                unserved = unserved.plusMillis(100);
                if (unserved.compareTo(time) > 0) {
                    violate("a shard is served by nobody for " + time + ": " + assignment());
                    return;
                }
            }
            longestUnserved = unserved.compareTo(longestUnserved) > 0 ? unserved : longestUnserved;
        }

        private boolean isServed() {
            ShardAssignment now = assignment();
            Set<@Nullable String> acting = new HashSet<>();
            replicas.stream().filter(Replica::acts).forEach(replica -> acting.add(replica.member()));
            return IntStream.range(0, SHARDS)
                    .mapToObj(now::holder)
                    .allMatch(holder -> holder != null && acting.contains(holder));
        }

        RandomGenerator random() {
            return platform.random();
        }

        private void act(Replica replica) {
            switch (random().nextInt(12)) {
                case 0 -> replica.kill();
                case 1 -> replica.stop();
                case 2, 3 -> replica.cutOff = !replica.cutOff;
                case 4 -> faultPercent = random().nextInt(60);
                case 5 -> faultPercent = 0;
                case 6 -> replica.suspend(Duration.ofSeconds(random().nextInt(1, 60)));
                case 7 -> cluster.endWatches();
                case 8 -> deleteLease(replica.member());
                default -> replica.restartIfDead();
            }
        }

        /** Somebody does so by hand. */
        private void deleteLease(@Nullable String member) {
            if (member != null) {
                cluster.delete("leases", "default", "kopf4j-" + member);
            }
        }

        private void violate(String what) {
            violations.add("seed " + seed + " at " + platform.now() + ": " + what);
        }

        private ShardAssignment assignment() {
            ObjectNode lease = cluster.find("leases", "default", "kopf4j");
            String text = lease == null
                    ? ""
                    : lease.at("/metadata/annotations")
                            .path(GroupLeases.ASSIGNMENT)
                            .asString("");
            return text.isEmpty() ? ShardAssignment.free(SHARDS) : ShardAssignment.parse(text);
        }

        /** Which member has the shard of the object; null if none has. */
        private @Nullable String holder(String object) {
            int shard = ShardSet.shardOf("uid-" + object, SHARDS);
            ShardAssignment now = assignment();
            return now.holders().stream()
                    .filter(member -> now.heldBy(member).get(shard))
                    .findFirst()
                    .orElse(null);
        }

        private void memberJoined(String lease, String client) {
            members.put(lease.replace("kopf4j-", ""), client);
        }

        private void begins(String client, String object, String what) {
            String holder = holder(object);
            String actor = holder == null ? "nobody" : members.getOrDefault(holder, holder);
            if (!actor.equals(client)) {
                violate(client + " " + what + " of " + object + ", but " + actor + " has its shard");
            }
            if (!client.equals(actors.put(object, client))) {
                moves++;
            }
        }

        void writeBegins(Replica replica, TransportRequest request) {
            Matcher object = OBJECT.matcher(request.path());
            if (request.method().equals("PATCH") && object.find()) {
                writes++;
                begins(replica.name(), object.group("name"), "writes the state");
            }
        }

        @Nullable Object call(Replica replica, String handler, HandlerContext context, Duration time)
                throws InterruptedException {
            calls++;
            String object = context.name();
            begins(replica.name(), object, "calls the handler '" + handler + "'");
            boolean handled = cluster.get("kopfexamples", "ns", object)
                    .at("/metadata/annotations")
                    .has("kopf.zalando.org/last-handled-configuration");
            if (handler.equals("cre") && handled) {
                violate(replica.name() + " creates " + object + " again, though its success is recorded");
            }
            Call before = running.get(object);
            if (before != null
                    && before.replica() != replica
                    && before.replica().isAtWorkAs(before.member())) {
                violate(replica.name() + " calls '" + handler + "' of " + object + " while " + before + " runs");
            }
            Call own = new Call(replica, replica.member(), handler);
            running.put(object, own);
            try {
                replica.sleep(time);
            } finally {
                running.remove(object, own);
            }
            return null;
        }
    }

    private static final class Replica {
        boolean cutOff;
        private final World world;
        private boolean dead;
        private String name = "";
        private @Nullable SimulatedPlatform machine;
        private DriftingPlatform.@Nullable Suspension suspension;
        private @Nullable OperatorHandle operator;

        Replica(World world) {
            this.world = world;
            start();
        }

        String name() {
            return name;
        }

        private RandomGenerator random() {
            return world.random();
        }

        private void start() {
            name = "replica-" + world.starts++;
            SimulatedPlatform own = world.platform.machine(name);
            double speed = 0.95 + random().nextDouble() / 10;
            DriftingPlatform.Suspension pauses = new DriftingPlatform.Suspension(own);
            Duration skew = Duration.ofSeconds(random().nextInt(-5000, 5000));
            DriftingPlatform drifting = new DriftingPlatform(own, speed, skew, pauses);
            dead = false;
            machine = own;
            suspension = pauses;
            String incarnation = name;
            operator = SimulatedOperator.start(
                    drifting,
                    new Network(this, incarnation, own, world.cluster.transport(name, own), pauses),
                    builder -> builder.clusterwide()
                            .settings(settings -> {
                                settings.sharding().shards(SHARDS);
                                settings.leaderElection().identity(incarnation);
                            })
                            .onCreate("kopfexamples", "cre", context -> call("cre", context, 0))
                            .onUpdate("kopfexamples", "first", context -> call("first", context, 3000))
                            .onUpdate("kopfexamples", "upd", context -> {
                                call("upd", context, 0);
                                return context.retry();
                            })
                            .onTimer(
                                    "kopfexamples",
                                    "tim",
                                    h -> h.interval(Duration.ofSeconds(1)),
                                    context -> call("tim", context, 0)));
        }

        private @Nullable Object call(String handler, HandlerContext context, int most) throws InterruptedException {
            return world.call(this, handler, context, Duration.ofMillis(most == 0 ? 0 : random().nextInt(most)));
        }

        void sleep(Duration time) throws InterruptedException {
            if (!time.isZero()) {
                Objects.requireNonNull(machine).sleep(time);
                Objects.requireNonNull(suspension).pass();
            }
        }

        /** The member that it is, as far as the server knows. */
        @Nullable String member() {
            return world.members.entrySet().stream()
                    .filter(each -> each.getValue().equals(name)
                            && world.cluster.find("leases", "default", "kopf4j-" + each.getKey()) != null)
                    .map(Map.Entry::getKey)
                    .findFirst()
                    .orElse(null);
        }

        /** True unless it was killed, has ended or is suspended. */
        boolean acts() {
            return !dead
                    && operator != null
                    && !operator.hasEnded()
                    && !Objects.requireNonNull(suspension).isOn();
        }

        /** True if it was not killed or expelled since it was that member. */
        boolean isAtWorkAs(@Nullable String member) {
            return !dead && member != null && member.equals(member());
        }

        void kill() {
            if (machine != null) {
                machine.kill();
            }
            dead = true;
        }

        void suspend(Duration time) {
            if (suspension != null && random().nextBoolean()) {
                suspension.sleep(time);
            } else if (suspension != null) {
                suspension.begin(time);
            }
        }

        void stop() {
            if (operator != null && !dead) {
                operator.stop();
                world.platform.runFor(Duration.ofSeconds(30));
            }
            kill();
        }

        void restartIfDead() {
            if (dead || operator == null || operator.hasEnded()) {
                kill();
                start();
            }
        }
    }

    /** Requests take their time, get lost on the way there, or the answers do on the way back. */
    private record Network(
            Replica replica, String client, SimulatedPlatform own, Transport direct, DriftingPlatform.Suspension pauses)
            implements Transport {
        private RandomGenerator random() {
            return replica.world.random();
        }

        private void travel() throws IOException, InterruptedException {
            int slow = random().nextInt(100) < replica.world.faultPercent ? 20_000 : 100;
            own.sleep(Duration.ofMillis(random().nextInt(slow)));
            if (replica.cutOff || random().nextInt(200) < replica.world.faultPercent) {
                throw new IOException("connection reset");
            }
        }

        @Override
        public TransportResponse send(TransportRequest request, Deadline deadline)
                throws IOException, InterruptedException {
            replica.world.writeBegins(replica, request);
            boolean isLease = request.path().contains("/leases");
            try {
                travel();
                TransportResponse response = direct.send(request, deadline);
                if (isLease && request.method().equals("POST") && response.status() < 300) {
                    String text = new String(response.body(), StandardCharsets.UTF_8);
                    replica.world.memberJoined(text.replaceAll("(?s).*\"name\":\"([^\"]*)\".*", "$1"), client);
                } else if (isLease && request.method().equals("DELETE") && response.status() < 300) {
                    replica.world.expelled++;
                }
                travel();
                if (random().nextInt(300) < replica.world.faultPercent) {
                    throw new RequestTimeoutException("too late");
                }
                return response;
            } finally {
                pauses.pass();
            }
        }

        @Override
        public ResponseStream open(TransportRequest request, Deadline headersBy)
                throws IOException, InterruptedException {
            travel();
            return direct.open(request, headersBy);
        }

        @Override
        public void close() {
            direct.close();
        }
    }
}
