package dev.kopf4j.testing.simulation;

import dev.kopf4j.Activity;
import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Tracing.Scope;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.engine.OperatorPlan;
import dev.kopf4j.engine.call.OperatorMemos;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.registration.RegistryBuilder;
import dev.kopf4j.engine.tracing.OperatorStep;
import dev.kopf4j.engine.tracing.OperatorTrace;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.testing.recording.RecordedCall;
import dev.kopf4j.testing.recording.Recording;
import dev.kopf4j.virtual.SimulatedCluster;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Checks the rules that hold for each operator: hears of each step of the operators and of each request, and passes the
 * steps on to the recording. Keeps the first violation. Confined to the simulation.
 */
final class Rules {
    private final SimulationSetup setup;
    private final Recording recording;
    private final WriteCount writeCount;
    private final StoredMarks marks;
    private final FinalStates finalStates;
    private final RecordedSuccesses recordedSuccesses;
    /** One for each replica that has started, and for some that were killed since. */
    private final List<ReplicaTrace> replicas = new ArrayList<>();

    private @Nullable Violation violation;
    private final HandlerRegistry registry;
    private int calls;
    private boolean worked;
    private int backgroundEnded;
    /** True if an operator was ready at some time. */
    private boolean begun;

    Rules(SimulationSetup setup, Recording recording, SimulatedCluster cluster, OperatorPlan plan) {
        this.setup = setup;
        this.recording = recording;
        this.registry = RegistryBuilder.build(plan.registrations(), OperatorMemos.type(plan.memo()));
        this.writeCount =
                new WriteCount(cluster.world()::now, registry.handlers().size());
        this.marks = new StoredMarks(plan.settings());
        this.finalStates = new FinalStates(recording, cluster.server()::handle, cluster.adminToken(), registry, marks);
        this.recordedSuccesses = new RecordedSuccesses(cluster.server()::handle, cluster.adminToken(), marks);
    }

    Optional<Violation> violation() {
        return Optional.ofNullable(violation);
    }

    void broken(Rule rule, String how) {
        if (!setup.without().contains(rule)) {
            broken(rule.words(), how);
        }
    }

    void broken(String rule, String how) {
        if (violation == null) {
            violation = new Violation(rule, how);
            recording.noted("broken", rule + ": " + how);
        }
    }

    /** A request was answered. */
    void answered(ApiRequest request, ApiResponse response) {
        writeCount.answered(request, response);
        finalStates.answered(request, response);
    }

    /**
     * A replica starts, with these settings.
     *
     * @param machine is killed when the replica ends
     * @return what has to hear of its steps
     */
    OperatorTrace started(SimulatedPlatform machine, OperatorSettings settings) {
        marks.started(settings);
        finalStates.started(machine.now());
        replicas.removeIf(each -> each.machine.isKilled());
        ReplicaTrace trace = new ReplicaTrace(machine);
        replicas.add(trace);
        return trace;
    }

    /** The same machine, for a replica: what timers and daemons write there is known as theirs. */
    Platform counted(Platform machine) {
        return writeCount.counted(machine);
    }

    int writes() {
        return writeCount.all();
    }

    /** The writes that no timer and no daemon has made or caused. */
    int restlessWrites() {
        return writeCount.restless();
    }

    /** How many calls of timers and daemons have ended so far. */
    int backgroundEnded() {
        return backgroundEnded;
    }

    /** How many calls of timers and daemons run. */
    int backgroundRunning() {
        return replicas.stream().mapToInt(each -> each.background.size()).sum();
    }

    /** The writes that timers and daemons have made, or that were made for them. */
    int backgroundWrites() {
        return writeCount.ofBackground();
    }

    String lastWrite() {
        return writeCount.last();
    }

    /** Grows with whatever an operator does by itself, but for timers and daemons. */
    int activity() {
        return writeCount.restless() + calls;
    }

    /**
     * True if a handler of objects was called, or there is none. Index functions do not count: they are called for each
     * object, whatever the handlers are for.
     */
    boolean hasWorked() {
        return worked || registry.handlers().stream().allMatch(each -> each.kind() == HandlerKind.INDEX);
    }

    /**
     * True if an operator is ready, or there is nothing that it could be ready for: one that was so before it was
     * killed tells nothing of the next start. Of several replicas one suffices.
     */
    boolean hasBegun() {
        return registry.handlers().isEmpty()
                || replicas.stream().anyMatch(each -> each.ready && !each.machine.isKilled());
    }

    /**
     * Tells that no operator is ready.
     *
     * @param why what holds the replicas up, as far as they say it themselves
     */
    void neverBegan(List<String> why) {
        String startup = registry.activities().stream()
                .filter(activity -> activity.declaration().activity() == Activity.STARTUP)
                .map(activity -> "'" + activity.id() + "'")
                .collect(Collectors.joining(", "));
        broken(
                Rule.FINAL_STATE_SEEN,
                (begun
                                ? "the operator was ready before, but not since its last start, so that no handler has"
                                        + " seen what came then"
                                : "the operator was never ready, so that no handler has seen anything")
                        + (!why.isEmpty()
                                ? ": " + String.join("; ", why)
                                : startup.isEmpty()
                                        ? ""
                                        : ": perhaps its @OnStartup handlers " + startup + " do not succeed"));
    }

    /** A call that has begun before, and does not end, of an object that is neither paused nor gone. */
    Optional<RecordedCall> endless(Instant begunBefore) {
        return finalStates.unfinished(call -> call.began().isBefore(begunBefore)
                && replicas.stream()
                        .filter(each -> !each.machine.isKilled())
                        .anyMatch(each -> each.running.contains(call.context())));
    }

    void checkFinalState() {
        finalStates.unseen().ifPresent(how -> broken(Rule.FINAL_STATE_SEEN, how));
        finalStates.held().ifPresent(how -> broken(Rule.NO_FINALIZER_LEFT, how));
    }

    /** What one replica does; it takes the calls of its timers and daemons with it. */
    private final class ReplicaTrace implements OperatorTrace {
        private final SimulatedPlatform machine;
        /** The calls of timers and daemons that run. */
        private final Set<HandlerContext> background = Collections.newSetFromMap(new IdentityHashMap<>());
        /** The other calls that run. */
        private final Set<HandlerContext> running = Collections.newSetFromMap(new IdentityHashMap<>());

        private boolean ready;

        ReplicaTrace(SimulatedPlatform machine) {
            this.machine = machine;
        }

        @Override
        public void happened(OperatorStep step) {
            recording.happened(step);
            switch (step) {
                case OperatorStep.CallBegan(HandlerKind kind, HandlerContext context) -> callBegan(kind, context);
                case OperatorStep.CallEnded ended -> callEnded(ended);
                case OperatorStep.OperatorTurned(OperatorStep.Stage stage, String _) -> {
                    ready = stage == OperatorStep.Stage.READY;
                    begun |= ready;
                }
                default -> {}
            }
        }

        @Override
        public Scope entered(HandlerContext context) {
            return background.contains(context) ? writeCount.entered() : Scope.NONE;
        }

        private void callBegan(HandlerKind kind, HandlerContext context) {
            worked |= kind != HandlerKind.INDEX;
            if (kind == HandlerKind.TIMER || kind == HandlerKind.DAEMON) {
                background.add(context);
                return;
            }
            running.add(context);
            calls++;
            if (kind.isOfChange()) {
                recordedSuccesses.repeated(context).ifPresent(how -> broken(Rule.NO_SUCCESS_REPEATED, how));
            }
        }

        private void callEnded(OperatorStep.CallEnded ended) {
            running.remove(ended.context());
            if (background.remove(ended.context())) {
                backgroundEnded++;
            }
        }
    }
}
