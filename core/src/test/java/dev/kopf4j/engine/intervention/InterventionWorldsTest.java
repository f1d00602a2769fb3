package dev.kopf4j.engine.intervention;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.node.ObjectNode;

/**
 * Two replicas, one of which has the lease, are killed and stopped at random, while somebody pauses, resumes and
 * retries an object. No call begins after a pause is acknowledged; each token is followed once, whoever follows it (a
 * call whose end was lost with its process is made once more, as any call is); what has changed during a pause is
 * handled in its final state.
 */
class InterventionWorldsTest {
    private static final int SEEDS = Integer.getInteger("kopf4j.seeds", 8);
    private static final String PREFIX = "kopf.zalando.org/";
    private static final int STEPS = 14;

    private int pauses;
    private int retries;
    private int kills;

    @Test
    @Tag("Q01")
    @Tag("Q02")
    void pausesAndRetriesHoldAcrossRestartsAndReplicas() {
        int first = Integer.getInteger("kopf4j.seed", 1);
        for (int seed = first; seed < first + SEEDS; seed++) {
            new World(seed).live();
        }
        System.out.println("interventions: " + pauses + " acknowledged pauses, " + retries + " followed retries, "
                + kills + " kills");
        assertThat(pauses).isGreaterThan(SEEDS);
        assertThat(retries).isGreaterThan(SEEDS);
        assertThat(kills).isGreaterThan(SEEDS);
    }

    private final class World {
        private final int seed;
        private final SimulatedPlatform platform;
        private final TinyCluster cluster = new TinyCluster()
                .serving("kopf.dev", "kopfexamples", "KopfExample", true)
                .serving("coordination.k8s.io", "leases", "Lease", true);
        private final List<Replica> replicas = new ArrayList<>();
        private final List<String> told = new ArrayList<>();
        private final Map<String, Integer> calls = new TreeMap<>();
        private int starts;
        private int field;
        private int tokens;
        private int ownKills;
        private int handledField;
        private boolean acknowledged;
        private String violation = "";

        World(int seed) {
            this.seed = seed;
            this.platform = new SimulatedPlatform(seed, Instant.parse("2026-01-01T00:00:00Z"));
        }

        void live() {
            cluster.put("kopfexamples", "ns", "x", "{'spec':{'field':0}}");
            replicas.add(new Replica());
            replicas.add(new Replica());
            check(awaitRest(), "the creation is handled");
            for (int step = 0; step < STEPS; step++) {
                switch (random(3)) {
                    case 0 -> change();
                    case 1 -> pause();
                    default -> retry();
                }
            }
        }

        private int random(int bound) {
            return platform.random().nextInt(bound);
        }

        private void check(boolean holds, String what) {
            if (!holds) {
                throw new AssertionError("seed " + seed + " at " + platform.now() + ": not so: " + what + "; after "
                        + told + "; calls " + calls + "; the object is " + object());
            }
        }

        private ObjectNode object() {
            return cluster.get("kopfexamples", "ns", "x");
        }

        private String annotation(String name) {
            return object().path("metadata")
                    .path("annotations")
                    .path(PREFIX + name)
                    .asString("");
        }

        private void annotate(String name, @Nullable String value) {
            told.add(name + "=" + value);
            String text = value == null ? "null" : "'" + value + "'";
            cluster.patch(
                    "kopfexamples", "ns", "x", "{'metadata':{'annotations':{'" + PREFIX + name + "':" + text + "}}}");
        }

        // What the user does.

        private void change() {
            field++;
            told.add("field " + field);
            cluster.patch("kopfexamples", "ns", "x", "{'spec':{'field':" + field + "}}");
            interfere();
            check(awaitRest(), "the change is handled");
        }

        private void pause() {
            acknowledged = false;
            annotate("paused", random(2) == 0 ? "true" : "all");
            for (int i = random(4); i >= 0; i--) {
                field++;
                cluster.patch("kopfexamples", "ns", "x", "{'spec':{'field':" + field + "}}");
                interfere();
                platform.runFor(Duration.ofMillis(random(20_000)));
            }
            check(
                    await(() -> annotation("pause-acknowledged").equals(annotation("paused"))),
                    "the pause is acknowledged");
            pauses++;
            interfere();
            platform.runFor(Duration.ofSeconds(random(60)));
            acknowledged = false;
            annotate("paused", null);
            interfere();
            check(awaitRest(), "the final state is handled after resuming");
            check(handledField == field, "the last call has seen the final state, and not " + handledField);
        }

        private void retry() {
            tokens++;
            String token = "t" + tokens;
            boolean all = random(3) == 0;
            calls.clear();
            int before = ownKills;
            annotate("retry", token + (all ? " *" : " upd"));
            interfere();
            check(await(() -> annotation("retry-acknowledged").equals(token)), "the retry is acknowledged");
            check(awaitRest(), "the retry is followed");
            checkCalls(all, before);
            // A new process knows of it.
            for (Replica each : List.copyOf(replicas)) {
                each.stop();
                each.restart();
            }
            check(awaitRest(), "the restarted replicas are at rest");
            checkCalls(all, before);
            retries++;
        }

        private void checkCalls(boolean all, int killsBefore) {
            int most = 1 + ownKills - killsBefore;
            int sum = calls.getOrDefault("upd", 0) + calls.getOrDefault("cre", 0);
            check(sum >= 1, "the token acts");
            check(calls.getOrDefault("upd", 0) <= most, "the token acts once on 'upd'");
            check(calls.getOrDefault("cre", 0) <= (all ? most : 0), "the token acts once on 'cre', if it is meant");
        }

        /** Perhaps a replica ends, in this way or that, and perhaps another one begins. */
        private void interfere() {
            platform.runFor(Duration.ofMillis(random(3) == 0 ? random(12_000) : random(150)));
            Replica chosen = replicas.get(random(2));
            switch (random(6)) {
                case 0, 1 -> chosen.kill();
                case 2 -> chosen.stop();
                default -> {}
            }
            replicas.get(random(2)).restart();
        }

        private boolean awaitRest() {
            replicas.forEach(Replica::restart);
            return await(() -> annotation("last-handled-configuration").contains("\"field\":" + field + "}")
                    && annotation("paused").isEmpty()
                    && annotation("pause-acknowledged").isEmpty()
                    && !object().toString().contains("purpose"));
        }

        private boolean await(BooleanSupplier condition) {
            replicas.forEach(Replica::restart);
            for (int seconds = 0; seconds < 120 && !condition.getAsBoolean(); seconds++) {
                platform.runFor(Duration.ofSeconds(1));
            }
            boolean holds = condition.getAsBoolean();
            platform.runFor(Duration.ofSeconds(3));
            check(violation.isEmpty(), violation);
            return holds && condition.getAsBoolean();
        }

        // What the operators do.

        private Object begins(String id, HandlerContext context) {
            calls.merge(id, 1, Integer::sum);
            if (acknowledged && !annotation("paused").isEmpty()) {
                // Thrown here, it would be an error of the handler.
                violation = "a call of '" + id + "' has begun after the acknowledgement";
            }
            if (id.equals("upd") || id.equals("cre")) {
                handledField = context.spec().getInt("field", -1);
            }
            return "ok";
        }

        private void written(TransportRequest request) {
            byte[] body = request.body();
            String text = body == null ? "" : new String(body, StandardCharsets.UTF_8);
            boolean says = text.contains("pause-acknowledged\":\"");
            acknowledged |= says
                    && !annotation("paused").isEmpty()
                    && !annotation("pause-acknowledged").isEmpty();
        }

        private final class Replica {
            private SimulatedPlatform machine = platform.machine("none");
            private @Nullable OperatorHandle operator;

            Replica() {
                restart();
            }

            void restart() {
                if (operator != null) {
                    return;
                }
                String name = "replica-" + starts++;
                machine = platform.machine(name);
                operator = SimulatedOperator.start(
                        machine,
                        new Network(machine, cluster.transport(name, machine)),
                        builder -> builder.clusterwide()
                                .settings(settings ->
                                        settings.leaderElection().enabled(true).identity(name))
                                .onCreate("kopfexamples", "cre", context -> begins("cre", context))
                                .onUpdate("kopfexamples", "upd", context -> begins("upd", context))
                                .onEvent("kopfexamples", "eve", context -> begins("eve", context))
                                .onTimer(
                                        "kopfexamples",
                                        "tim",
                                        options -> options.interval(Duration.ofSeconds(5)),
                                        context -> begins("tim", context)));
            }

            void kill() {
                if (operator != null) {
                    told.add("kill");
                    machine.kill();
                    operator = null;
                    ownKills++;
                    kills++;
                }
            }

            void stop() {
                if (operator != null) {
                    told.add("stop");
                    operator.stop();
                    platform.runFor(Duration.ofSeconds(10));
                    machine.kill();
                    operator = null;
                }
            }
        }

        /** Requests take their time. */
        private final class Network implements Transport {
            private final SimulatedPlatform machine;
            private final Transport direct;

            Network(SimulatedPlatform machine, Transport direct) {
                this.machine = machine;
                this.direct = direct;
            }

            @Override
            public TransportResponse send(TransportRequest request, Deadline deadline)
                    throws IOException, InterruptedException {
                machine.sleep(Duration.ofMillis(random(100)));
                TransportResponse response = direct.send(request, deadline);
                if (request.method().equals("PATCH")) {
                    written(request);
                }
                machine.sleep(Duration.ofMillis(random(100)));
                return response;
            }

            @Override
            public ResponseStream open(TransportRequest request, Deadline headersBy)
                    throws IOException, InterruptedException {
                machine.sleep(Duration.ofMillis(random(100)));
                return direct.open(request, headersBy);
            }

            @Override
            public void close() {
                direct.close();
            }
        }
    }
}
