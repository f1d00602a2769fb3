package dev.kopf4j.testing.simulation;

import dev.kopf4j.Body;
import dev.kopf4j.OperatorHandle;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.engine.OperatorAssembly;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.runtime.SimulatedPlatform.InterruptedRunException;
import dev.kopf4j.runtime.SimulatedPlatform.StuckException;
import dev.kopf4j.testing.environment.HandlerTypes;
import dev.kopf4j.testing.environment.ServedKinds;
import dev.kopf4j.testing.environment.SpareCarriers;
import dev.kopf4j.testing.environment.TestClients;
import dev.kopf4j.testing.recording.Recording;
import dev.kopf4j.testing.recording.RecordingPlatform;
import dev.kopf4j.virtual.SimulatedCluster;
import dev.kopf4j.virtual.SimulatedWebhooks;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/** One run: a seed and its plan, from an empty cluster to the last check. Confined; used once. */
final class SimulationRun {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");
    private static final Duration CALM = Duration.ofMinutes(1);
    private static final int CALM_ROUNDS = 20;
    private static final List<Integer> LASTING_MILLIS = List.of(1_000, 20_000, 60_000);

    /** So long retries are waited for, in all. */
    private static final Duration PATIENCE = Duration.ofDays(1);

    /** So often an operator that is not ready may fail meanwhile, where that breaks no rule. */
    private static final int FAILURES_MAX = 20;

    private static final int REST_ROUNDS = 3;
    private static final int WRITES_MAX = 300;

    private final long seed;
    private final SimulationSetup setup;
    private final Simulation simulation;
    private final List<PlannedStep> plan;
    private final SimulatedPlatform world;
    private final Recording recording;
    private final SimulatedCluster cluster;
    private final FaultyNetwork network;
    private final ServiceNetwork services;
    private final OwnedObjects owned;
    private final ObjectReplacement replacement;
    private final KubernetesClient client;
    private final Rules rules;
    private final LeaseWatch leases;
    private final List<Replica> replicas = new ArrayList<>();
    private boolean calm;
    private int failuresInCalm;
    private boolean checking;
    /** True if a service has done something since the last check. */
    private boolean served;

    /** Kinds that were served at some time of the run. */
    private final Set<String> servedKinds = new HashSet<>();
    /** Kinds that were not served when steps and checks have asked for their states, and a name for each. */
    private final Map<String, String> unservedKinds = new TreeMap<>();

    /** What a check has thrown in a task of the operator, which has nothing to do with it. */
    private @Nullable MisfitException misfit;

    /**
     * A run that has not begun.
     *
     * @param quiet true if nothing is to be logged
     */
    SimulationRun(long seed, List<PlannedStep> plan, SimulationSetup setup, Simulation simulation, boolean quiet) {
        this.seed = seed;
        this.setup = setup;
        this.simulation = simulation;
        this.plan = plan;
        this.world = new SimulatedPlatform(seed, START);
        this.world.busyLimit(setup.busyLimit());
        this.recording = new Recording(world, quiet);
        this.cluster = new SimulatedCluster(
                world, Options.defaults().growingClaims(true).requestListener(this::answered));
        this.services = new ServiceNetwork(recording, () -> served = true);
        this.owned = new OwnedObjects(cluster.server()::handle, cluster.adminToken(), recording);
        this.replacement = new ObjectReplacement(cluster.server()::handle, cluster.adminToken(), recording);
        this.network = new FaultyNetwork(cluster.server()::handle, recording, this::carriedOut, replacement);
        SimulatedPlatform tester = world.machine("test");
        this.client = TestClients.open(cluster, tester, () -> checking);
        this.leases = new LeaseWatch(world);
        this.rules = new Rules(setup, recording, cluster, setup.plan(simulation));
    }

    /**
     * Lives through the plan; the first rule that was broken, if one was.
     *
     * @throws InterruptedRunException if the thread is interrupted
     */
    Optional<Violation> live() {
        try {
            if (simulation.operator() != null) {
                HandlerTypes.definitions(setup.plan(simulation)).forEach(cluster::apply);
            }
            setup.definitions().forEach(cluster::apply);
            startReplicas();
            plan.forEach(this::perform);
            if (rules.violation().isEmpty()) {
                calmDown();
            }
            failIfMisfit();
            if (!world.intrusions().isEmpty()) {
                throw new MisfitException(
                        "under seed " + seed + " " + world.intrusions().getFirst(), null);
            }
        } catch (MisfitException e) {
            throw e;
        } catch (RuntimeException | AssertionError e) {
            failIfEnded(e);
            if (!(e instanceof IllegalStateException || e instanceof AssertionError)) {
                throw e;
            }
            rules.broken("the simulation comes to its end", String.valueOf(e.getMessage()));
        } finally {
            replicas.forEach(Replica::end);
            client.close();
            world.end();
            if (world.isLeftBusy()) {
                SpareCarriers.add();
            }
        }
        return rules.violation();
    }

    /**
     * The test's own client wraps what it hears while it lets a handler run: it does not come back, or the test ends.
     */
    private void failIfEnded(Throwable thrown) {
        for (Throwable each = thrown; each != null; each = each.getCause()) {
            if (each instanceof InterruptedRunException interrupted) {
                throw interrupted;
            }
            if (each instanceof StuckException) {
                throw new MisfitException("under seed " + seed + " " + each.getMessage(), thrown);
            }
        }
    }

    /** True if a handler was called, so that the run tells something of it. */
    boolean hasWorked() {
        return rules.hasWorked() || cluster.webhooks().haveConverted();
    }

    /** Notes the kinds whose states were asked for. */
    void tell(KindsAskedFor kinds) {
        kinds.served().addAll(servedKinds);
        unservedKinds.forEach(kinds.unserved()::putIfAbsent);
    }

    List<String> history() {
        return recording.lines();
    }

    private void startReplicas() {
        for (int i = 1; i <= setup.replicas(); i++) {
            Replica replica = new Replica(world, "operator-" + i, this::start, recording, this::failed);
            replicas.add(replica);
            replica.live();
        }
    }

    private OperatorHandle start(SimulatedPlatform machine) {
        OperatorPlan operator = setup.plan(simulation);
        OperatorTrace trace = rules.started(machine, operator.settings());
        SimulatedWebhooks.manage(operator.settings());
        return OperatorAssembly.assemble(
                        operator,
                        cluster.environment(
                                machine,
                                own -> services.from(machine, new RecordingPlatform(rules.counted(own), recording)),
                                network,
                                cluster.adminToken(),
                                trace))
                .start();
    }

    private void failed(String why) {
        if (calm) {
            failuresInCalm++;
            rules.broken(Rule.NO_FAILURE, why);
        }
    }

    private void perform(PlannedStep step) {
        if (rules.violation().isPresent()) {
            return;
        }
        boolean broken = world.runUntil(this::isBroken, Duration.ofMillis(step.pauseMillis()));
        failIfMisfit();
        if (broken) {
            return;
        }
        if (step.fault()) {
            recording.noted("fault", step.what() + (isOfRequest(step) ? " " + step.number() : ""));
            inject(step);
        } else {
            recording.noted("step", step.what());
            act(step);
        }
        check(simulation.always());
    }

    private static boolean isOfRequest(PlannedStep step) {
        return RequestFault.of(List.of(FaultKind.values())).stream()
                .anyMatch(each -> each.words().equals(step.what()));
    }

    private void inject(PlannedStep step) {
        for (RequestFault each : RequestFault.values()) {
            if (each.words().equals(step.what())) {
                network.lay(each, step.number());
            }
        }
        for (FakeHttp.Fault each : FakeHttp.Fault.values()) {
            if (each.words().equals(step.what())) {
                services.lay(each, step.number());
            }
        }
        for (WorldFault each : WorldFault.values()) {
            if (each.words().equals(step.what())) {
                inject(each, replicas.get(step.number() % replicas.size()), new Random(step.seed()));
            }
        }
    }

    private void inject(WorldFault fault, Replica replica, Random random) {
        switch (fault) {
            case KILL -> replica.kill();
            case RESTART -> replica.restart();
            case WATCHES_BREAK -> network.breakWatches();
            case WATCHES_SILENT -> network.silenceWatches();
            case WATCHES_EXPIRE -> {
                cluster.server().compact();
                network.breakWatches();
            }
            case LEASE_LOST -> leases.take(client);
            case CHILD_EDITED -> owned.edit(random);
            case CHILD_DELETED -> owned.delete(random);
            case SUSPENDED -> replica.suspend(lasting(random));
            case CUT_OFF -> replica.cutOff(network, lasting(random));
        }
    }

    /** A moment, or longer than leases and the patience of clients last. */
    private static Duration lasting(Random random) {
        return Duration.ofMillis(1 + random.nextInt(LASTING_MILLIS.get(random.nextInt(LASTING_MILLIS.size()))));
    }

    private void act(PlannedStep step) {
        simulation.find(step.what()).ifPresent(found -> run(found, step));
    }

    private void run(Simulation.Step step, PlannedStep planned) {
        try {
            step.action().run(new View(new Random(planned.seed())));
        } catch (Exception | AssertionError e) {
            failIfEnded(e);
            throw new MisfitException("the step '" + step.name() + "'", seed, e);
        }
    }

    private void check(List<Simulation.Check> checks) {
        if (checking) {
            return;
        }
        checking = true;
        served = false;
        try {
            for (Simulation.Check each : checks) {
                if (rules.violation().isEmpty()) { // what is odd by then is no fault of the test
                    check(each);
                }
            }
        } finally {
            checking = false;
        }
    }

    private void check(Simulation.Check check) {
        try {
            check.action().run(new View(new Random(0)));
        } catch (AssertionError e) {
            rules.broken(check.name(), String.valueOf(e.getMessage()).strip());
        } catch (Exception e) {
            failIfEnded(e);
            throw new MisfitException("the check '" + check.name() + "'", seed, e);
        }
    }

    /** A check is carried out in a task of the operator, which hears nothing of what becomes of it. */
    private void checkBeside(List<Simulation.Check> checks) {
        try {
            check(checks);
        } catch (MisfitException e) {
            if (misfit == null && rules.violation().isEmpty()) {
                misfit = e;
            }
        }
    }

    /** Asked whenever a task waits; services have no requests by which a check could be due. */
    private boolean isBroken() {
        if (served) {
            check(simulation.always());
        }
        return misfit != null || rules.violation().isPresent();
    }

    private void failIfMisfit() {
        if (misfit != null) {
            throw misfit;
        }
    }

    /** A step or a check of the test has thrown, or something takes no part in the simulation: no rule is broken. */
    static final class MisfitException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        MisfitException(String message, @Nullable Throwable cause) {
            super(message, cause);
        }

        MisfitException(String what, long seed, Throwable cause) {
            super(
                    what + " of the test has thrown under seed " + seed + " (-Dkopf4j.seed=" + seed
                            + " repeats it), which says nothing of the operator: " + cause,
                    cause);
        }
    }

    /**
     * The kinds whose states steps and checks of a test have asked for, under all of its seeds. Thread-safe.
     *
     * @param served those that were served at some time
     * @param unserved those that were not, under some seed, and a name for each
     */
    record KindsAskedFor(Set<String> served, Map<String, String> unserved) {
        /** None yet. */
        KindsAskedFor() {
            this(ConcurrentHashMap.newKeySet(), new ConcurrentSkipListMap<>());
        }

        /** The first one that was served under no seed, with the name; null if there is none. */
        Map.@Nullable Entry<String, String> neverServed() {
            return unserved.entrySet().stream()
                    .filter(each -> !served.contains(each.getKey()))
                    .findFirst()
                    .orElse(null);
        }
    }

    /** What a step of the test sees. */
    private final class View implements World {
        private final Random random;

        View(Random random) {
            this.random = random;
        }

        @Override
        public KubernetesClient client() {
            return client;
        }

        @Override
        public Random random() {
            return random;
        }

        @Override
        public Instant now() {
            return world.now();
        }

        @Override
        public String namespace() {
            return client.getNamespace();
        }

        @Override
        public List<Body> snapshots(String kind, String name) {
            List<Body> found = recording.snapshots(kind, name);
            if (!found.isEmpty()) {
                servedKinds.add(kind);
            } else if (!isServed(kind)) {
                unservedKinds.putIfAbsent(kind, name);
            }
            return found;
        }

        @Override
        public void apply(String manifests) {
            cluster.apply(manifests);
        }
    }

    private void answered(ApiRequest request, ApiResponse response) {
        recording.answered(request, response);
        rules.answered(request, response);
        replacement.answered(request);
    }

    private void carriedOut(SimulatedPlatform machine, ApiRequest request, ApiResponse response) {
        if (!request.method().equals("GET")) {
            owned.answered(request, response);
            leases.violation(machine, request, response)
                    .ifPresent(how -> rules.broken(Rule.NO_WRITE_WITHOUT_LEASE, how));
            checkBeside(simulation.always());
        }
    }

    private void calmDown() {
        recording.noted("fault", "all are over");
        network.clear();
        replicas.forEach(Replica::resume);
        services.clear();
        leases.end(client);
        calm = true;
        awaitBegin();
        awaitCalm();
        Instant calmSince = world.now();
        rest();
        if (rules.violation().isEmpty()) {
            rules.endless(calmSince)
                    .ifPresent(call -> rules.broken(
                            Rule.FINAL_STATE_SEEN,
                            "'" + call.handler() + "' of " + call.object() + " has run since "
                                    + Duration.between(START, call.began()).toMillis() / 1000.0
                                    + " s, and does not end"));
            rules.checkFinalState();
            check(simulation.finallyHold());
        }
        // Only in the end, as a step may apply the definition.
        unservedKinds.keySet().removeIf(this::isServed);
    }

    private boolean isServed(String kind) {
        if (!servedKinds.contains(kind)) {
            servedKinds.addAll(ServedKinds.of(cluster.server()::look, cluster.adminToken()));
        }
        return servedKinds.contains(kind);
    }

    /** Until the operator is ready, be it again: its start-up handlers are tried again for a day, as others are. */
    private void awaitBegin() {
        if (setup.without().contains(Rule.FINAL_STATE_SEEN)) {
            return;
        }
        boolean _ = world.runUntil(() -> isBroken() || rules.hasBegun() || failuresInCalm > FAILURES_MAX, PATIENCE);
        failIfMisfit();
        if (!rules.hasBegun()) {
            rules.neverBegan(replicas.stream()
                    .flatMap(each -> each.obstacles().stream())
                    .distinct()
                    .toList());
        }
    }

    /** Until nothing happens any more, and no handler is to be tried again. */
    private void awaitCalm() {
        Deadline end = world.after(PATIENCE);
        int quiet = 0;
        for (int round = 0; round - quiet < CALM_ROUNDS && rules.violation().isEmpty(); round++) {
            int before = rules.activity();
            pass();
            // Silent watches are noticed after a minute.
            if (rules.activity() == before && round > 1) {
                if (!recording.look(() -> recording.objects().isRetryDueBefore(end))) {
                    return;
                }
                quiet++;
            }
        }
    }

    private void rest() {
        Instant begun = world.now();
        int before = rules.restlessWrites();
        int ofBackground = rules.backgroundWrites();
        for (int round = 0; round < REST_ROUNDS && rules.violation().isEmpty(); round++) {
            pass();
        }
        int after = rules.restlessWrites();
        if (after > before) {
            rules.broken(
                    Rule.NO_WRITES_AT_REST,
                    (after - before) + " writes in "
                            + CALM.multipliedBy(REST_ROUNDS).toSeconds()
                            + " s in which nothing has happened, the last one was " + rules.lastWrite()
                            + retrying(begun) + ofTheBackground(ofBackground));
        }
    }

    /** Handlers that are tried again and again: the operator writes at each of their attempts. */
    private String retrying(Instant since) {
        return recording.calls().stream()
                .filter(call -> call.retry() > 0 && !call.began().isBefore(since) && !call.succeeded())
                .reduce((before, last) -> last)
                .map(call -> ". It is still trying " + call + "; if it is meant to wait so, give @Simulated without ="
                        + " Rule.NO_WRITES_AT_REST")
                .orElse("");
    }

    private void pass() {
        int before = rules.writes();
        int restlessBefore = rules.restlessWrites();
        int ofBackground = rules.backgroundWrites();
        int ended = rules.backgroundEnded();
        BooleanSupplier isRestless = () -> rules.restlessWrites() - restlessBefore > WRITES_MAX;
        BooleanSupplier writesTooMuch = () -> isRestless.getAsBoolean()
                || rules.writes() - before
                        > WRITES_MAX * (1 + rules.backgroundEnded() - ended + rules.backgroundRunning());
        boolean _ = world.runUntil(() -> isBroken() || writesTooMuch.getAsBoolean(), CALM);
        failIfMisfit();
        check(simulation.always());
        if (writesTooMuch.getAsBoolean()) {
            rules.broken(
                    Rule.NO_WRITES_AT_REST,
                    (rules.writes() - before)
                            + " writes within a minute in which nothing has happened, the last one was "
                            + rules.lastWrite() + (isRestless.getAsBoolean() ? "" : ofTheBackground(ofBackground)));
        }
    }

    /** Words about timers and daemons, if they have written since there were so many writes of theirs. */
    private String ofTheBackground(int writes) {
        return rules.backgroundWrites() > writes
                ? ". If this is what a timer or a daemon is for, give @Simulated without = Rule.NO_WRITES_AT_REST"
                : "";
    }
}
