package dev.kopf4j.engine.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OperatorHandle;
import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.client.transport.Transport.RequestTimeoutException;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.leaderelection.Leadership.LeaderElector;
import dev.kopf4j.engine.simulation.DriftingPlatform;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/**
 * Goal: there are never two leaders at one instant, whatever clocks show, requests suffer and processes go through.
 * Method: three replicas live in simulated time, by many seeds; each write of a replica, and each call of a handler
 * must begin while the lease on the server is its own. Tests {@link LeaderElector}.
 */
class LeaderElectionChaosTest {
    private static final long SEEDS = Long.getLong("kopf4j.leading.seeds", 40);

    @Test
    void thereAreNeverTwoLeaders() {
        long first = Long.getLong("kopf4j.leading.first", 1);
        List<String> violations = new ArrayList<>();
        int writes = 0;
        int calls = 0;
        int leaders = 0;
        for (long seed = first; seed < first + SEEDS; seed++) {
            World world = new World(seed);
            world.live();
            violations.addAll(world.violations);
            writes += world.writes;
            calls += world.calls;
            leaders += world.leaders;
        }
        assertThat(violations).as("by their seeds").isEmpty();
        assertThat(writes).as("writes").isGreaterThan((int) SEEDS * 10);
        assertThat(calls).as("calls").isGreaterThan((int) SEEDS * 100);
        assertThat(leaders).as("changes of the leader").isGreaterThan((int) SEEDS);
    }

    private static final class World {
        final List<String> violations = new ArrayList<>();
        int writes;
        int calls;
        int leaders;

        private final long seed;
        private final SimulatedPlatform platform;
        private final TinyCluster cluster = new TinyCluster()
                .serving("kopf.dev", "kopfexamples", "KopfExample", true)
                .serving("coordination.k8s.io", "leases", "Lease", true);
        private final List<Replica> replicas = new ArrayList<>();
        private String leader = "";
        private int faultPercent;
        private int starts;

        World(long seed) {
            this.seed = seed;
            this.platform = new SimulatedPlatform(seed, Instant.parse("2026-01-01T00:00:00Z"));
            for (int i = 0; i < 3; i++) {
                replicas.add(new Replica());
            }
        }

        void live() {
            cluster.put("kopfexamples", "ns", "x", "{'spec':{'field':0}}");
            for (int step = 0; step < 60 && violations.isEmpty(); step++) {
                platform.runFor(Duration.ofMillis(random().nextInt(8000)));
                cluster.patch("kopfexamples", "ns", "x", "{'spec':{'field':" + step + "}}");
                act(replicas.get(random().nextInt(3)));
            }
            faultPercent = 0;
            replicas.forEach(replica -> {
                replica.cutOff = false;
                replica.restartIfDead();
            });
            platform.runFor(Duration.ofMinutes(3));
            String lastChange = cluster.get("kopfexamples", "ns", "x").toString();
            if (!lastChange.contains("last-handled-configuration") || leader.isEmpty()) {
                violations.add("seed " + seed + ": nobody leads in the end: " + lastChange);
            }
        }

        private RandomGenerator random() {
            return platform.random();
        }

        private void act(Replica replica) {
            switch (random().nextInt(9)) {
                case 0 -> replica.kill();
                case 1 -> replica.stop();
                case 2, 3 -> replica.cutOff = !replica.cutOff;
                case 4 -> faultPercent = random().nextInt(60);
                case 5 -> faultPercent = 0;
                case 6 -> replica.suspend(Duration.ofSeconds(random().nextInt(1, 60)));
                default -> replica.restartIfDead();
            }
        }

        private void writeBegins(String client) {
            writes++;
            begins(client, "writes");
            if (!leader.equals(client)) {
                leader = client;
                leaders++;
            }
        }

        private @Nullable Object callBegins(String client, String handler) {
            calls++;
            begins(client, "calls '" + handler + "'");
            return null;
        }

        private void begins(String client, String what) {
            ObjectNode lease = cluster.find("leases", "default", "kopf4j");
            String holder =
                    lease == null ? "" : lease.at("/spec/holderIdentity").asString("");
            if (!holder.replaceAll("_.*", "").equals(client)) {
                violations.add("seed " + seed + " at " + platform.now() + ": " + client + " " + what + ", but " + holder
                        + " has the lease");
            }
        }

        private final class Replica {
            boolean cutOff;
            private boolean dead;
            private @Nullable SimulatedPlatform machine;
            private DriftingPlatform.@Nullable Suspension suspension;
            private @Nullable OperatorHandle operator;

            Replica() {
                start();
            }

            private void start() {
                String name = "replica-" + starts++;
                SimulatedPlatform own = platform.machine(name);
                double speed = 0.95 + random().nextDouble() / 10;
                DriftingPlatform.Suspension pauses = new DriftingPlatform.Suspension(own);
                Duration skew = Duration.ofSeconds(random().nextInt(-5000, 5000));
                Platform drifting = new DriftingPlatform(own, speed, skew, pauses);
                dead = false;
                machine = own;
                suspension = pauses;
                operator = SimulatedOperator.start(
                        drifting,
                        new Network(name, own, cluster.transport(name, own), pauses),
                        builder -> builder.clusterwide()
                                .settings(settings ->
                                        settings.leaderElection().enabled(true).identity(name))
                                .onCreate("kopfexamples", "cre", context -> callBegins(name, "cre"))
                                .onUpdate("kopfexamples", "first", context -> callBegins(name, "first"))
                                .onUpdate("kopfexamples", "upd", context -> {
                                    callBegins(name, "upd");
                                    return context.retry();
                                })
                                .onEvent("kopfexamples", "eve", context -> callBegins(name, "eve"))
                                .onTimer(
                                        "kopfexamples",
                                        "tim",
                                        h -> h.interval(Duration.ofSeconds(1)),
                                        context -> callBegins(name, "tim")));
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
                    platform.runFor(Duration.ofSeconds(30));
                }
                kill();
            }

            void restartIfDead() {
                if (dead) {
                    start();
                }
            }

            /** Requests take their time, get lost on the way there, or the answers do on the way back. */
            private final class Network implements Transport {
                private final String name;
                private final SimulatedPlatform own;
                private final Transport direct;
                private final DriftingPlatform.Suspension pauses;

                Network(String name, SimulatedPlatform own, Transport direct, DriftingPlatform.Suspension pauses) {
                    this.name = name;
                    this.own = own;
                    this.direct = direct;
                    this.pauses = pauses;
                }

                private void travel() throws IOException, InterruptedException {
                    int slow = random().nextInt(100) < faultPercent ? 20_000 : 100;
                    Duration latency = Duration.ofMillis(random().nextInt(slow));
                    own.sleep(latency);
                    if (cutOff || random().nextInt(200) < faultPercent) {
                        throw new IOException("connection reset");
                    }
                }

                @Override
                public TransportResponse send(TransportRequest transportRequest, Deadline deadline)
                        throws IOException, InterruptedException {
                    if (transportRequest.method().equals("PATCH")) {
                        writeBegins(name);
                    }
                    try {
                        travel();
                        TransportResponse transportResponse = direct.send(transportRequest, deadline);
                        travel();
                        if (random().nextInt(300) < faultPercent) {
                            throw new RequestTimeoutException("too late");
                        }
                        return transportResponse;
                    } finally {
                        pauses.pass();
                    }
                }

                @Override
                public ResponseStream open(TransportRequest transportRequest, Deadline headersBy)
                        throws IOException, InterruptedException {
                    travel();
                    return direct.open(transportRequest, headersBy);
                }

                @Override
                public void close() {
                    direct.close();
                }
            }
        }
    }
}
