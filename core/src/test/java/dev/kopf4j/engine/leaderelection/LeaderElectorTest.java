package dev.kopf4j.engine.leaderelection;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import ch.qos.logback.classic.Level;
import dev.kopf4j.AdmissionException;
import dev.kopf4j.Handler;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.OperatorException;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Steps;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.leaderelection.Leadership.LeaderElector;
import dev.kopf4j.engine.pausing.PauseReasons;
import dev.kopf4j.engine.simulation.DriftingPlatform;
import dev.kopf4j.engine.simulation.LoggerCapture;
import dev.kopf4j.engine.simulation.Scenario;
import dev.kopf4j.engine.simulation.SimulatedOperator;
import dev.kopf4j.engine.simulation.TinyCluster;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.ForwardingPlatform;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.webhook.WebhookClientConfig;
import dev.kopf4j.webhook.WebhookRequest;
import dev.kopf4j.webhook.WebhookServer;
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
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/** Of several replicas, one acts: the holder of a lease. Tests {@link LeaderElector} and {@link Leadership}. */
@SuppressWarnings("UnnecessaryLambda") // handlers are what the builder takes
class LeaderElectorTest {
    private final SimulatedPlatform world = new SimulatedPlatform(0, Instant.parse("2020-01-01T00:00:00Z"));
    private final TinyCluster cluster = new TinyCluster()
            .serving("kopf.dev", "kopfexamples", "KopfExample", true)
            .serving("coordination.k8s.io", "leases", "Lease", true);
    private final List<String> calls = new ArrayList<>();
    private final Set<String> cutOff = new HashSet<>();
    private int refusedRenewals;
    /** How long index functions take. */
    private Duration indexing = Duration.ZERO;

    private final Map<String, WebhookServer.WebhookContext> contexts = new HashMap<>();

    @AutoClose
    private final LoggerCapture log = new LoggerCapture("kopf4j.leading");

    LeaderElectorTest() {
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(
                    String client, TransportRequest transportRequest, Deadline deadline) throws IOException {
                boolean ofLease = transportRequest.path().contains("/leases/");
                if (cutOff.contains(client) || (ofLease && cutOff.contains("leases"))) {
                    refusedRenewals += ofLease ? 1 : 0;
                    throw new IOException("cut off");
                }
                return null;
            }
        });
    }

    private OperatorHandle start(String name) {
        return start(name, world.machine(name));
    }

    private OperatorHandle start(String name, SimulatedPlatform machine) {
        OperatorHandle operator = SimulatedOperator.start(
                machine,
                cluster.transport(name, machine),
                builder -> builder.clusterwide()
                        .settings(settings ->
                                settings.leaderElection().enabled(true).identity(name))
                        .onCreate("kopfexamples", "cre", context -> {
                            calls.add(name + ":" + context.name());
                            return null;
                        }));
        pass(3);
        return operator;
    }

    private void pass(long seconds) {
        world.runFor(Duration.ofSeconds(seconds));
    }

    private void create(String name) {
        cluster.put("kopfexamples", "ns", name, "{'spec':{}}");
        pass(3);
    }

    private JsonNode lease() {
        return cluster.get("leases", "default", "kopf4j").path("spec");
    }

    @Test
    void oneReplicaActsAndTheOthersStandBy() {
        start("one");
        start("two");
        create("x");
        pass(120);
        assertThat(calls).containsExactly("one:x");
        assertThat(lease().path("holderIdentity").asString("")).startsWith("one_");
        assertThat(lease().path("leaseDurationSeconds").intValue()).isEqualTo(15);
        assertThat(lease().path("acquireTime").asString(""))
                .startsWith("2020-01-01T00:00:0")
                .endsWith("+00:00");
        assertThat(Instant.parse(lease().path("renewTime").asString("")))
                .isAfter(world.now().minusSeconds(5));
        assertThat(log.lines(Level.INFO))
                .anyMatch(line -> line.startsWith("info: Standing by: the lease 'default/kopf4j' is held by one_"));
    }

    /** Another operator that has named none either would never act, and nothing else would tell why. */
    @ParameterizedTest
    @CsvSource({"kopf4j, true", "sites, false"})
    void whoStandsByAtTheLeaseOfTheDefaultNameHearsThatOthersMayHaveIt(String name, boolean told) {
        for (String operator : List.of("one", "two")) {
            SimulatedPlatform machine = world.machine(operator);
            SimulatedOperator.start(
                    machine,
                    cluster.transport(operator, machine),
                    builder -> builder.clusterwide()
                            .settings(settings -> settings.leaderElection()
                                    .enabled(true)
                                    .identity(operator)
                                    .leaseName(name))
                            .onCreate("kopfexamples", operator, context -> null));
            pass(3);
        }
        assertThat(log.lines(Level.INFO))
                .filteredOn(
                        line -> line.startsWith("info: Standing by: the lease 'default/" + name + "' is held by one_"))
                .singleElement()
                .matches(line -> line.endsWith("by operator.name.") == told, "tells the way out: " + told);
    }

    /** By the default name of the lease, say: all but one of them would never act, and nobody would know why. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            other kinds | this replica handles configmaps, and 'one_
            prefix      | this replica has the prefix example.com (persistence.prefix), and 'one_
            namespaces  | this replica works in the namespaces ns, and 'one_
            more kinds  |
            nothing     |
            """)
    void whoStandsByForAnotherOperatorTellsOfIt(String differing, @Nullable String difference) {
        cluster.serving("", "configmaps", "ConfigMap", true);
        start("one");
        SimulatedPlatform machine = world.machine("two");
        SimulatedOperator.start(machine, cluster.transport("two", machine), builder -> {
            OperatorBuilder placed = differing.equals("namespaces") ? builder.namespaces("ns") : builder.clusterwide();
            if (differing.endsWith("kinds")) {
                placed.onCreate("configmaps", "cre", context -> null);
            }
            return (differing.equals("other kinds") ? placed : placed.onCreate("kopfexamples", "cre", context -> null))
                    .settings(settings -> {
                        settings.leaderElection().enabled(true);
                        settings.persistence().prefix(differing.equals("prefix") ? "example.com" : "kopf.zalando.org");
                    });
        });
        pass(60);
        assertThat(log.lines(Level.WARN))
                .filteredOn(line -> line.startsWith("warn: K4-031"))
                .as("told once")
                .hasSize(difference == null ? 0 : 1)
                .allMatch(
                        line -> line.contains("The lease 'default/kopf4j' is held by a replica of another operator: "))
                .allMatch(line -> line.contains(String.valueOf(difference)) && line.contains("--set operator.name="));
    }

    /** It is written with the renewals, which are made anyway. */
    @Test
    void theLeaseSaysWhatItsHolderWorksAt() {
        start("one");
        pass(10);
        assertThat(cluster.get("leases", "default", "kopf4j")
                        .at("/metadata/annotations/kopf4j.dev~1purpose")
                        .asString(""))
                .isEqualTo("{\"namespaces\":[],\"prefix\":\"kopf.zalando.org\",\"kinds\":[\"kopfexamples.kopf.dev\"]}");
    }

    /** Kopf's tools and other programs say nothing there, and leave what a former holder has said. */
    @Test
    void aLeaseWithoutAPurposeIsHeldByNobodyKnown() {
        cluster.put(
                "leases",
                "default",
                "kopf4j",
                "{'spec':{'holderIdentity':'somebody','leaseDurationSeconds':3600,"
                        + "'renewTime':'2020-01-01T00:00:00.000000Z'}}");
        start("one");
        pass(60);
        assertThat(log.lines(Level.INFO)).anyMatch(line -> line.contains("is held by somebody."));
        assertThat(log.lines(Level.WARN)).noneMatch(line -> line.contains("K4-031"));

        Lease.Purpose purpose = new Lease.Purpose(List.of(), "example.com", List.of("sites.example.com"));
        Lease lease = Lease.unheard("ns", "sites")
                .heldBy("one", Duration.ofSeconds(15), world.now())
                .with(purpose);
        assertThat(Lease.Purpose.of(lease.heldBy("one", Duration.ofSeconds(15), world.now())))
                .isEqualTo(purpose);
        assertThat(Lease.Purpose.of(lease.heldBy("two", Duration.ofSeconds(15), world.now())))
                .isNull();
    }

    /** The API server asks any replica: one that stands by knows as much as the leader. */
    @Test
    void webhooksOfStandbysHaveIndices() {
        OperatorHandle one = startIndexing("one");
        startIndexing("two");
        create("x");
        assertThat(calls).containsExactly("one:x");
        assertThat(namesKnownTo("one")).isEqualTo("[x]");
        assertThat(namesKnownTo("two")).isEqualTo("[x]");
        cutOff.add("one");
        pass(60);
        create("y");
        assertThat(calls).containsExactly("one:x", "two:y");
        cutOff.clear();
        pass(60);
        assertThat(namesKnownTo("one")).isEqualTo("[x, y]");
        create("z");
        assertThat(calls).containsExactly("one:x", "two:y", "two:z");
        one.stop();
        pass(10);
        create("last");
        assertThat(calls).endsWith("two:last");
    }

    /** What one has begun to index when it is no leader any more takes it longer than the end of handlers may take. */
    @Test
    void whoLosesTheLeadershipIndexesToTheEndWhatItHasBegun() {
        startIndexing("one");
        create("x");
        indexing = Duration.ofSeconds(5);
        cluster.patch("kopfexamples", "ns", "x", "{'spec':{'field':'b'}}");
        world.runFor(Duration.ofMillis(300));
        leadElsewhere();
        assertThat(namesKnownTo("one")).isEqualTo("[xb]");
    }

    /** Another one leads for a minute. */
    private void leadElsewhere() {
        for (int transition = 1; transition <= 30; transition++) {
            cluster.patch(
                    "leases",
                    "default",
                    "kopf4j",
                    "{'spec':{'holderIdentity':'other','leaseTransitions':" + transition + "}}");
            pass(2);
        }
    }

    private OperatorHandle startIndexing(String name) {
        SimulatedPlatform machine = world.machine(name);
        OperatorHandle operator = SimulatedOperator.start(
                machine,
                cluster.transport(name, machine),
                builder -> builder.clusterwide()
                        .settings(settings -> {
                            settings.leaderElection().enabled(true).identity(name);
                            settings.admission().server(context -> {
                                contexts.put(name, context);
                                context.publish(WebhookClientConfig.url("https://" + name + ".example.com"));
                                machine.monitor().awaitTrue(() -> false, Deadline.NEVER);
                            });
                        })
                        .onIndex("kopfexamples", "names", context -> {
                            machine.sleep(indexing);
                            return Map.of(context.name() + context.spec().getString("field", ""), true);
                        })
                        .onValidate("kopfexamples", "check", context -> {
                            throw new AdmissionException(
                                    new TreeSet<>(context.index("names").keySet()).toString(), 422);
                        })
                        .onCreate("kopfexamples", "cre", context -> calls.add(name + ":" + context.name())));
        pass(3);
        return operator;
    }

    private String namesKnownTo(String replica) {
        List<String> answers = new ArrayList<>();
        world.spawn("api server", () -> {
            try {
                WebhookRequest review = WebhookRequest.of(Json.bytes(Scenario.json("{'apiVersion':"
                        + " 'admission.k8s.io/v1', 'kind': 'AdmissionReview', 'request': {'uid': 'r', 'operation': 'CREATE', 'userInfo': {},"
                        + " 'resource': {'group': 'kopf.dev', 'version': 'v1', 'resource': 'kopfexamples'}, 'object':"
                        + " {'apiVersion': 'kopf.dev/v1', 'kind': 'KopfExample', 'metadata': {'name': 'new', 'namespace':"
                        + " 'ns'}}}}")));
                answers.add(Json.parseObject(Objects.requireNonNull(contexts.get(replica))
                                .answer(review.forHandler("check"))
                                .body())
                        .at("/response/status/message")
                        .asString(""));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        pass(1);
        assertThat(answers).hasSize(1);
        return answers.getFirst();
    }

    /** Webhooks of a replica that stands by have indices: its streams go on. */
    @Test
    void theWorkForAllResourcesIsInterruptedAtTheSameTime() {
        cluster.serving("", "configmaps", "ConfigMap", true);
        List<Instant> interrupted = new ArrayList<>();
        SimulatedPlatform machine = world.machine("one");
        Handler endsLate = context -> {
            context.steps().run("vm", () -> {
                try {
                    machine.sleep(Duration.ofHours(1));
                } catch (InterruptedException e) {
                    interrupted.add(world.now());
                    machine.sleep(Duration.ofSeconds(9));
                }
                return true;
            });
            return null;
        };
        SimulatedOperator.start(
                machine,
                cluster.transport("one", machine),
                builder -> builder.clusterwide()
                        .settings(settings -> {
                            settings.leaderElection().enabled(true).identity("one");
                            settings.admission().server(context -> {
                                context.publish(WebhookClientConfig.url("https://one.example.com"));
                                machine.monitor().awaitTrue(() -> false, Deadline.NEVER);
                            });
                        })
                        .onIndex("kopfexamples", "names", HandlerContext::name)
                        .onValidate("kopfexamples", "check", context -> null)
                        .onCreate("kopfexamples", "cre", endsLate)
                        .onCreate("configmaps", "cre", endsLate));
        pass(3);
        cluster.put("configmaps", "ns", "y", "{'data':{}}");
        create("x");
        cutOff.add("one");
        pass(60);
        assertThat(interrupted).hasSize(2);
        assertThat(interrupted.getLast()).isEqualTo(interrupted.getFirst());
    }

    @Test
    void standbysAreReadyAllTheSame() throws InterruptedException {
        start("one");
        OperatorHandle two = start("two");
        List<Boolean> ready = new ArrayList<>();
        world.spawn("asking", () -> {
            try {
                ready.add(two.awaitReady(Duration.ofSeconds(1)));
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        });
        pass(2);
        assertThat(ready).containsExactly(true);
    }

    @Test
    void leadersThatStopHandOverAtOnce() {
        OperatorHandle one = start("one");
        start("two");
        one.stop();
        pass(6);
        create("x");
        assertThat(calls).containsExactly("two:x");
        assertThat(lease().path("leaseTransitions").intValue()).isZero();
    }

    /** It has arrived, and its answer is not awaited any more. */
    @Test
    void aRenewalThatIsOnTheWayWhenTheLeaderStopsDoesNotKeepTheLease() {
        SimulatedPlatform machine = world.machine("one");
        OperatorHandle one = start("one", machine);
        start("two");
        AtomicBoolean slow = new AtomicBoolean(true);
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public void after(String client, TransportRequest request) throws InterruptedException {
                if (client.equals("one") && request.method().equals("PUT") && slow.getAndSet(false)) {
                    machine.sleep(Duration.ofSeconds(4));
                }
            }
        });
        pass(3);
        assertThat(slow).isFalse();
        one.stop();
        pass(6);
        create("x");
        assertThat(calls).containsExactly("two:x");
        assertThat(log.lines(Level.INFO)).contains("info: The lease 'default/kopf4j' is released.");
    }

    /** The server has given it to a replica that does not wait for the answer any more. */
    @ParameterizedTest
    @CsvSource({"true", "false"})
    void aLeaseThatIsTakenWhenTheReplicaStopsIsReleased(boolean exists) {
        if (exists) {
            start("zero").stop();
            pass(6);
        }
        SimulatedPlatform machine = world.machine("one");
        AtomicBoolean slow = new AtomicBoolean(true);
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public void after(String client, TransportRequest request) throws InterruptedException {
                boolean writes =
                        request.method().equals("PUT") || request.method().equals("POST");
                if (client.equals("one") && writes && slow.getAndSet(false)) {
                    machine.sleep(Duration.ofSeconds(4));
                }
            }
        });
        OperatorHandle one = start("one", machine);
        assertThat(slow).isFalse();
        assertThat(lease().path("holderIdentity").stringValue()).startsWith("one_");
        one.stop();
        pass(1);
        assertThat(lease().path("holderIdentity").stringValue()).isEmpty();
    }

    @Test
    void leadersThatAreKilledAreReplacedWhenTheirLeaseIsOver() {
        SimulatedPlatform machine = world.machine("one");
        start("one", machine);
        start("two");
        pass(30);
        machine.kill();
        create("x");
        pass(8);
        assertThat(calls).isEmpty();
        pass(10);
        assertThat(calls).containsExactly("two:x");
        assertThat(lease().path("leaseTransitions").intValue()).isEqualTo(1);
    }

    /** Its holder leads until its next renewal, and may not be able to renew. */
    @Test
    void aLeaseThatIsDeletedIsNotFreeBeforeItsTimeIsOver() {
        start("one");
        start("two");
        pass(30);
        cluster.delete("leases", "default", "kopf4j");
        pass(14);
        assertThat(lease().path("holderIdentity").asString("")).startsWith("one_");
        pass(30);
        cluster.delete("leases", "default", "kopf4j");
        cutOff.add("one");
        pass(13);
        assertThat(cluster.find("leases", "default", "kopf4j"))
                .as("nobody has taken it")
                .isNull();
        create("x");
        pass(10);
        assertThat(calls).containsExactly("two:x");
    }

    @Test
    void leadersThatAreCutOffStepDownBeforeOthersTakeOverAndStandByAfterwards() {
        start("one");
        start("two");
        create("x");
        cutOff.add("one");
        pass(20);
        create("y");
        assertThat(calls).containsExactly("one:x", "two:y");
        assertThat(log.lines(Level.WARN))
                .anyMatch(line -> line.startsWith("warn: K4-009: Stepping down: the lease 'default/kopf4j' is lost"));
        cutOff.clear();
        pass(60);
        create("z");
        assertThat(calls).containsExactly("one:x", "two:y", "two:z");
    }

    @Test
    void aLeaseThatIsSetBackToAFormerHolderIsNotFreeForIt() {
        start("one");
        String ofOne = lease().toString().replace('"', '\'');
        start("two");
        cutOff.add("one");
        pass(30);
        cutOff.clear();
        pass(10);
        assertThat(lease().path("holderIdentity").asString()).startsWith("two_");

        cluster.patch("leases", "default", "kopf4j", "{'spec':" + ofOne + "}");
        pass(12);
        assertThat(ledBy("one")).as("two has led until it saw that").isEqualTo(1);
        pass(8);
        assertThat(ledBy("one") + ledBy("two")).as("whoever is first").isEqualTo(3);
    }

    /** Whoever believed a gateway would lead beside all others that do. */
    @Test
    void aLeaseIsHeldOnlyIfTheAnswerToItsCreationIsThatLease() {
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(
                    String client, TransportRequest transportRequest, Deadline deadline) {
                return transportRequest.method().equals("POST")
                                && transportRequest.path().endsWith("/leases")
                        ? new TransportResponse(200, Map.of(), "{\"ok\":true}".getBytes(StandardCharsets.UTF_8))
                        : null;
            }
        });
        start("one");
        pass(30);
        assertThat(ledBy("one")).isZero();
        assertThat(log.lines(Level.WARN)).anyMatch(line -> line.contains("the answer is not the object \"kopf4j\""));
        cluster.faults(TinyCluster.Faults.NONE);
        pass(10);
        assertThat(ledBy("one")).isEqualTo(1);
    }

    private long ledBy(String replica) {
        return log.lines(Level.INFO).stream()
                .filter(line -> line.contains("is held by this replica, " + replica + "_"))
                .count();
    }

    @Test
    void theOnlyReplicaStepsDownAndUpAgain() {
        start("one");
        create("x");
        cutOff.add("one");
        pass(30);
        cluster.put("kopfexamples", "ns", "y", "{'spec':{}}");
        pass(30);
        cutOff.clear();
        pass(40);
        assertThat(calls).containsExactly("one:x", "one:y");
    }

    /** The elector itself is held up, as in a process without CPU, so that nobody interrupts the calls. */
    @Test
    void whatIsAchievedTooLateIsToldOnceAsNotRecorded() {
        SimulatedPlatform machine = world.machine("one");
        AtomicBoolean stuck = new AtomicBoolean();
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(String client, TransportRequest request, Deadline deadline)
                    throws InterruptedException {
                if (stuck.get() && request.urgent()) {
                    machine.sleep(Duration.ofSeconds(60));
                }
                return null;
            }
        });
        startSlow(
                machine,
                builder -> builder.onCreate("kopfexamples", "cre", context -> {
                    calls.add(context.name());
                    stuck.set(calls.size() < 3);
                    machine.sleep(Duration.ofSeconds(20));
                    return "done";
                }));
        try (LoggerCapture objects = new LoggerCapture("kopf4j.objects")) {
            create("x");
            create("y");
            pass(50);
            assertThat(calls).containsExactly("x", "y");
            assertThat(objects.lines(Level.WARN).stream()
                            .filter(line -> line.startsWith("warn: K4-009: What handlers have achieved"))
                            .toList())
                    .hasSize(1);
            stuck.set(false);
            pass(120);
            assertThat(calls).containsExactlyInAnyOrder("x", "y", "x", "y");
            assertThat(cluster.get("kopfexamples", "ns", "x").at("/status/cre").asString(""))
                    .isEqualTo("done");
        }
    }

    @Test
    void aDaemonWhoseResultCouldNotBeWrittenIsCalledAgain() {
        SimulatedPlatform machine = world.machine("one");
        startSlow(
                machine,
                builder -> builder.onDaemon("kopfexamples", "watch", context -> {
                    calls.add(context.name());
                    machine.sleep(Duration.ofSeconds(8));
                    return calls.size();
                }));
        try (LoggerCapture objects = new LoggerCapture("kopf4j.objects")) {
            create("x");
            cutOff.add("one");
            pass(40);
            cutOff.clear();
            pass(40);
            assertThat(calls).containsExactly("x", "x");
            assertThat(cluster.get("kopfexamples", "ns", "x")
                            .at("/status/watch")
                            .asInt())
                    .isEqualTo(2);
            assertThat(objects.lines(Level.ERROR))
                    .filteredOn(line -> line.contains("whoever acts from now on calls it again"))
                    .hasSize(1)
                    .noneMatch(line -> line.contains("\n"));
        }
    }

    private void startSlow(SimulatedPlatform machine, UnaryOperator<OperatorBuilder> handlers) {
        SimulatedOperator.start(
                machine,
                cluster.transport("one", machine),
                builder -> handlers.apply(builder.clusterwide()
                        .settings(settings ->
                                settings.leaderElection().enabled(true).identity("one"))));
        pass(3);
    }

    @Test
    void runningCallsAreInterruptedBeforeOthersTakeOver() {
        List<String> moments = new ArrayList<>();
        SimulatedPlatform machine = world.machine("one");
        SimulatedOperator.start(
                machine,
                cluster.transport("one", machine),
                builder -> builder.clusterwide()
                        .settings(settings ->
                                settings.leaderElection().enabled(true).identity("one"))
                        .onCreate("kopfexamples", "cre", context -> {
                            try {
                                machine.sleep(Duration.ofMinutes(10));
                            } catch (InterruptedException e) {
                                moments.add(lease().path("holderIdentity")
                                        .asString("")
                                        .replaceAll("_.*", ""));
                                throw e;
                            }
                            return null;
                        }));
        pass(3);
        start("two");
        create("x");
        cutOff.add("one");
        pass(30);
        assertThat(moments).containsExactly("one");
        assertThat(calls).containsExactly("two:x");
    }

    @Test
    void patchesConflictInsteadOfOverwritingAndAreMergedIntoTheNewState() {
        SimulatedPlatform machine = world.machine("one");
        SimulatedOperator.start(
                machine,
                cluster.transport("one", machine),
                builder -> builder.clusterwide()
                        .settings(settings ->
                                settings.leaderElection().enabled(true).identity("one"))
                        .onCreate("kopfexamples", "cre", context -> {
                            cluster.patch("kopfexamples", "ns", "x", "{'spec':{'by':'somebody'}}");
                            return "done";
                        }));
        pass(3);
        create("x");
        JsonNode object = cluster.get("kopfexamples", "ns", "x");
        assertThat(object.at("/status/cre").asString("")).isEqualTo("done");
        assertThat(object.at("/spec/by").asString("")).isEqualTo("somebody");
        List<TinyCluster.Request> patches = cluster.changesBy("one").stream()
                .filter(request -> request.path().contains("kopfexamples"))
                .toList();
        assertThat(patches.stream().map(TinyCluster.Request::status).toList()).startsWith(409, 200, 200);
        assertThat(Objects.requireNonNull(patches.getFirst().body())
                        .at("/metadata/resourceVersion")
                        .isString())
                .isTrue();
    }

    @Test
    void withoutAnElectionPatchesHaveNoVersion() {
        SimulatedPlatform machine = world.machine("one");
        SimulatedOperator.start(
                machine,
                cluster.transport("one", machine),
                builder -> builder.clusterwide().onCreate("kopfexamples", "cre", context -> "done"));
        pass(3);
        create("x");
        assertThat(cluster.changesBy("one"))
                .isNotEmpty()
                .allMatch(request -> !Objects.requireNonNull(request.body())
                        .at("/metadata/resourceVersion")
                        .isString())
                .noneMatch(request -> request.path().contains("leases"));
    }

    private void refuseLeases(String to, boolean writesOnly) {
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(String client, TransportRequest request, Deadline deadline) {
                boolean concerned = client.equals(to) && request.path().contains("leases");
                return concerned && !(writesOnly && request.method().equals("GET"))
                        ? TinyCluster.status(403, "Forbidden", "no")
                        : null;
            }
        });
    }

    /** A roll-out would go on otherwise, and nobody lead after that. */
    @Test
    void whoMayOnlyReadTheLeaseIsNotReadyWhileAnotherOneLeads() {
        start("one");
        refuseLeases("two", true);
        OperatorHandle two = start("two");
        pass(20);
        assertThat(two.state().isWell(Duration.ofHours(1))).isFalse();
        assertThat(two.state().troubles()).singleElement().asString().contains("cannot be asked for or renewed: ");
        cluster.faults(TinyCluster.Faults.NONE);
        pass(10);
        assertThat(two.state().isWell(Duration.ofHours(1))).isTrue();
        pass(60);
        assertThat(cluster.changesBy("two").stream().filter(request -> request.status() == 200))
                .as("writes of who stands by")
                .hasSizeLessThanOrEqualTo(1);
        create("x");
        assertThat(calls).containsExactly("one:x");
    }

    @Test
    void aDeletedLeaseIsNoTroubleOfItsHolder() {
        OperatorHandle one = start("one");
        pass(20);
        cluster.delete("leases", "default", "kopf4j");
        for (int second = 0; second < 30; second++) {
            pass(1);
            assertThat(one.state().troubles()).isEmpty();
        }
        create("x");
        assertThat(calls).containsExactly("one:x");
    }

    /** A roll-out would go on in a moment in which it is ready. */
    @Test
    void aLeaderWhoseLeaseIsRefusedIsNotReadyWhenItStepsDownEither() {
        OperatorHandle one = start("one");
        pass(20);
        refuseLeases("one", false);
        pass(4);
        for (int tenth = 0; tenth < 300; tenth++) {
            assertThat(one.state().troubles()).hasSize(1);
            world.runFor(Duration.ofMillis(100));
        }
    }

    /** The right is there by then, as far as anybody knows. */
    @Test
    void anOutageIsNotToldAsALackingRight() {
        refuseLeases("one", false);
        OperatorHandle one = start("one");
        assertThat(one.state().troubles()).hasSize(1);
        cluster.faults(new TinyCluster.Faults() {
            @Override
            public @Nullable TransportResponse before(String client, TransportRequest request, Deadline deadline)
                    throws IOException {
                if (request.path().contains("leases")) {
                    throw new IOException("cut off");
                }
                return null;
            }
        });
        pass(60);
        assertThat(one.state().troubles()).isEmpty();
    }

    @Test
    void refusedLeasesAreToldOnceWithTheRuleAndTheOperatorStandsBy() {
        try (LoggerCapture client = new LoggerCapture("kopf4j.client")) {
            cluster.faults(new TinyCluster.Faults() {
                @Override
                public @Nullable TransportResponse before(
                        String name, TransportRequest transportRequest, Deadline deadline) {
                    return transportRequest.path().contains("leases")
                            ? TinyCluster.status(403, "Forbidden", "no")
                            : null;
                }
            });
            OperatorHandle one = start("one");
            create("x");
            pass(60);
            assertThat(calls).isEmpty();
            assertThat(one.state().isWell(Duration.ofHours(1)))
                    .as("a roll-out must not go on")
                    .isFalse();
            assertThat(one.state().troubles())
                    .singleElement()
                    .asString()
                    .startsWith("the lease 'default/kopf4j' cannot be asked for or renewed: ")
                    .contains("get leases");
            assertThat(client.lines(Level.WARN).stream().filter(line -> line.contains("Not permitted")))
                    .singleElement()
                    .asString()
                    .contains("{apiGroups: [\"coordination.k8s.io\"], resources: [\"leases\"], verbs: [\"get\"]}");
            cluster.faults(TinyCluster.Faults.NONE);
            pass(10);
            assertThat(calls).containsExactly("one:x");
            assertThat(one.state().isWell(Duration.ofHours(1))).isTrue();
        }
    }

    /**
     * The process, or its whole machine, is suspended between two things that a handler does, longer than its lease.
     */
    @ParameterizedTest
    @CsvSource({
        "one step, change, leader, process",
        "steps side by side, change, leader, process",
        "reversal, change, leader, process",
        "one step, timer, leader, process",
        "steps side by side, timer, leader, process",
        "one step, daemon, leader, process",
        "one step, change, shards, process",
        "steps side by side, timer, shards, process",
        "one step, change, leader, machine",
        "reversal, change, leader, machine",
        "steps side by side, timer, leader, machine",
        "one step, daemon, leader, machine"
    })
    void noStepBeginsInAReplicaThatWasSuspendedForLongerThanItsLease(
            String what, String kind, String replicas, String suspended) {
        SimulatedPlatform machine = world.machine("one");
        DriftingPlatform.Suspension suspension = new DriftingPlatform.Suspension(machine);
        DriftingPlatform drifting = new DriftingPlatform(machine, 1, Duration.ZERO, suspension);
        Handler handler = context -> {
            Steps steps = context.steps();
            calls.add("begins");
            steps.step("before").undoable().run(() -> calls.add("before"));
            if (calls.size() == 2) {
                if (suspended.equals("machine")) {
                    suspension.sleep(Duration.ofMinutes(1));
                } else {
                    suspension.begin(Duration.ofMinutes(1));
                }
                suspension.pass();
            }
            switch (what) {
                case "one step" -> steps.run("mail", () -> calls.add("mail"));
                case "reversal" -> steps.undo(undo -> undo.step("before", Object.class, _ -> calls.add("reversal")));
                default ->
                    steps.all(
                            steps.step("mail").call(() -> calls.add("mail")),
                            steps.step("post").call(() -> calls.add("post")));
            }
            return null;
        };
        SimulatedOperator.start(
                drifting,
                cluster.transport("one", machine),
                builder -> with(kind, handler, builder.clusterwide()).settings(settings -> {
                    settings.leaderElection().identity("one");
                    if (replicas.equals("shards")) {
                        settings.sharding().shards(8);
                    } else {
                        settings.leaderElection().enabled(true);
                    }
                }));
        pass(8);
        create("x");
        assertThat(calls).as("before the suspension").containsExactly("begins", "before");
        if (replicas.equals("leader")) {
            leadElsewhere();
            pass(10);
            assertThat(calls).as("while another one leads").containsExactly("begins", "before");
        }
        pass(120);
        assertThat(calls).hasSizeGreaterThan(3).element(2).isEqualTo("begins");
    }

    /** NTP puts a clock right that was an hour late. */
    @Test
    void aLeaderWhoseWallClockIsSetForwardRenewsTheLeaseAtOnceAndGoesOn() {
        SimulatedPlatform machine = world.machine("one");
        AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
        SimulatedOperator.start(
                new ForwardingPlatform(machine) {
                    @Override
                    public Instant now() {
                        return super.now().plus(ahead.get());
                    }
                },
                cluster.transport("one", machine),
                builder -> builder.clusterwide()
                        .settings(settings ->
                                settings.leaderElection().enabled(true).identity("one"))
                        .onTimer("kopfexamples", "tim", h -> h.interval(Duration.ofMillis(100)), context -> {
                            calls.add(String.valueOf(world.now().toEpochMilli()));
                            return null;
                        })
                        .onCreate("kopfexamples", "cre", context -> {
                            calls.add("created " + context.name());
                            return null;
                        }));
        pass(8);
        create("x");
        assertThat(calls).contains("created x");
        for (int time = 0; time < 7; time++) {
            calls.clear();
            ahead.set(ahead.get().plus(Duration.ofHours(1)));
            world.runFor(Duration.ofMillis(1300));
            assertThat(calls).hasSize(13);
        }
        calls.clear();
        ahead.set(ahead.get().plus(Duration.ofHours(1)));
        cluster.put("kopfexamples", "ns", "y", "{'spec':{}}");
        pass(1);
        assertThat(calls).contains("created y");
        assertThat(log.lines(Level.WARN)).isEmpty();
    }

    /** Its clock has gone on, but it cannot renew the lease: others may lead. */
    @Test
    void aLeaderWhoseMachineWasSuspendedActsOnlyIfItCanRenewTheLease() {
        SimulatedPlatform machine = world.machine("one");
        DriftingPlatform.Suspension suspension = new DriftingPlatform.Suspension(machine);
        SimulatedOperator.start(
                new DriftingPlatform(machine, 1, Duration.ZERO, suspension),
                cluster.transport("one", machine),
                builder -> builder.clusterwide()
                        .settings(settings ->
                                settings.leaderElection().enabled(true).identity("one"))
                        .onTimer("kopfexamples", "tim", h -> h.interval(Duration.ofMillis(100)), context -> {
                            calls.add("tim");
                            return null;
                        }));
        pass(8);
        create("x");
        suspension.sleep(Duration.ofMinutes(1));
        cutOff.add("one");
        calls.clear();
        pass(80);
        assertThat(calls).isEmpty();
        assertThat(log.lines(Level.WARN)).anyMatch(line -> line.contains("K4-009"));
        cutOff.clear();
        pass(30);
        assertThat(calls).isNotEmpty();
    }

    /** What fell due meanwhile begins when the lease is renewed, 6 s after it has woken up. */
    @ParameterizedTest
    @ValueSource(ints = {1, 5})
    void aHandlerWithATimeoutIsCalledThoughItHasToWaitUntilTheLeaseIsRenewed(int seconds) {
        SimulatedPlatform machine = world.machine("one");
        DriftingPlatform.Suspension suspension = new DriftingPlatform.Suspension(machine);
        SimulatedOperator.start(
                new DriftingPlatform(machine, 1, Duration.ZERO, suspension),
                cluster.transport("one", machine),
                builder -> builder.clusterwide()
                        .settings(settings ->
                                settings.leaderElection().enabled(true).identity("one"))
                        .onDelete(
                                "kopfexamples",
                                "del",
                                options -> options.timeout(Duration.ofSeconds(seconds)),
                                context -> {
                                    calls.add("deleted");
                                    return null;
                                }));
        pass(8);
        create("x");
        suspension.sleep(Duration.ofMinutes(1));
        cutOff.add("leases");
        cluster.patch("kopfexamples", "ns", "x", "{'metadata':{'deletionTimestamp':'2020-01-01T00:00:00Z'}}");
        pass(66);
        assertThat(calls).isEmpty();
        assertThat(refusedRenewals).isPositive();
        cutOff.clear();
        pass(10);
        assertThat(calls).containsExactly("deleted");
        assertThat(log.lines(Level.WARN)).noneMatch(line -> line.contains("K4-009"));
    }

    /** Its timeout would be over before its code has begun. */
    @Test
    void aTimerWithATimeoutGoesOnThoughItHasToWaitUntilTheLeaseIsRenewed() {
        SimulatedPlatform machine = world.machine("one");
        DriftingPlatform.Suspension suspension = new DriftingPlatform.Suspension(machine);
        SimulatedOperator.start(
                new DriftingPlatform(machine, 1, Duration.ZERO, suspension),
                cluster.transport("one", machine),
                builder -> builder.clusterwide()
                        .settings(settings ->
                                settings.leaderElection().enabled(true).identity("one"))
                        .onTimer(
                                "kopfexamples",
                                "tim",
                                h -> h.interval(Duration.ofSeconds(60)).timeout(Duration.ofSeconds(1)),
                                context -> {
                                    calls.add("tim");
                                    return null;
                                }));
        pass(8);
        create("x");
        pass(5);
        assertThat(calls).containsExactly("tim");
        calls.clear();
        suspension.sleep(Duration.ofMinutes(1));
        cutOff.add("leases");
        pass(66);
        assertThat(calls).isEmpty();
        assertThat(refusedRenewals).isPositive();
        cutOff.clear();
        pass(70);
        assertThat(calls).isNotEmpty();
        assertThat(log.lines(Level.WARN)).noneMatch(line -> line.contains("K4-009"));
    }

    /** Each that has to wait for it wants it at once. */
    @Test
    void aRenewalThatIsRefusedIsTriedAgainAfterAPause() {
        SimulatedPlatform machine = world.machine("one");
        AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
        SimulatedOperator.start(
                new ForwardingPlatform(machine) {
                    @Override
                    public Instant now() {
                        return super.now().plus(ahead.get());
                    }
                },
                cluster.transport("one", machine),
                builder -> builder.clusterwide()
                        .settings(settings ->
                                settings.leaderElection().enabled(true).identity("one"))
                        .onTimer("kopfexamples", "tim", h -> h.interval(Duration.ofSeconds(3)), context -> {
                            calls.add("tim");
                            return null;
                        }));
        pass(8);
        for (int object = 0; object < 30; object++) {
            cluster.put("kopfexamples", "ns", "x" + object, "{'spec':{}}");
            world.runFor(Duration.ofMillis(100));
        }
        cutOff.add("leases");
        ahead.set(Duration.ofHours(1));
        pass(6);
        assertThat(refusedRenewals).isBetween(2, 8);
        cutOff.clear();
        calls.clear();
        pass(5);
        assertThat(calls).hasSizeGreaterThan(29);
    }

    /** The clock is set just before the end: nobody renews the lease any more. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void nobodyWaitsForARenewalAfterTheEnd(boolean idle) throws InterruptedException {
        AtomicReference<Duration> ahead = new AtomicReference<>(Duration.ZERO);
        Platform machine = new ForwardingPlatform(world.machine("one")) {
            @Override
            public Instant now() {
                return super.now().plus(ahead.get());
            }
        };
        OperatorSettings settings = new OperatorSettings();
        settings.leaderElection().enabled(true).identity("one");
        Leadership leadership = Leadership.of(
                machine,
                new KubernetesApi(machine, cluster.transport("one", machine), NetworkSettings.DEFAULTS),
                settings,
                List.of(),
                new PauseReasons(machine, _ -> {}),
                false);
        leadership.begin();
        pass(8);
        assertThat(leadership.until().hasPassed(machine)).isFalse();
        ahead.set(Duration.ofHours(1));
        machine.spawn("end", () -> {
            try {
                leadership.end(idle);
                boolean _ = leadership.awaitCertainty();
                calls.add("may act: " + !leadership.until().hasPassed(machine));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        });
        pass(1);
        assertThat(calls).containsExactly("may act: false");
    }

    private static OperatorBuilder with(String kind, Handler handler, OperatorBuilder builder) {
        return switch (kind) {
            case "change" -> builder.onCreate("kopfexamples", "cre", handler);
            case "timer" ->
                builder.onTimer("kopfexamples", "cre", options -> options.interval(Duration.ofHours(1)), handler);
            default -> builder.onDaemon("kopfexamples", "cre", handler);
        };
    }

    @Test
    void strangeLeasesAreRespectedAndTheirFieldsKept() {
        cluster.put(
                "leases",
                "default",
                "kopf4j",
                "{'metadata':{'labels':{'a':'b'}},'spec':{'holderIdentity':'go-operator','leaseDurationSeconds':40,"
                        + "'strategy':'OldestEmulationVersion'}}");
        start("one");
        create("x");
        pass(30);
        assertThat(calls).isEmpty();
        pass(15);
        assertThat(calls).containsExactly("one:x");
        assertThat(lease().path("strategy").asString("")).isEqualTo("OldestEmulationVersion");
        assertThat(cluster.get("leases", "default", "kopf4j")
                        .at("/metadata/labels/a")
                        .asString(""))
                .isEqualTo("b");
        assertThat(lease().path("leaseTransitions").intValue()).isEqualTo(1);
    }

    @Test
    void timesThatWouldGiveTwoLeadersAreRefused() {
        SimulatedPlatform machine = world.machine("one");
        OperatorHandle operator = SimulatedOperator.start(
                machine,
                cluster.transport("one", machine),
                builder -> builder.clusterwide()
                        .settings(settings ->
                                settings.leaderElection().enabled(true).renewDeadline(Duration.ofSeconds(15)))
                        .onCreate("kopfexamples", "cre", context -> null));
        pass(3);
        assertThatThrownBy(operator::join)
                .isInstanceOf(OperatorException.class)
                .hasMessageContaining("leaseDuration 15s must be longer than renewDeadline 15s");
    }
}
