package dev.kopf4j.engine.daemon;

import dev.kopf4j.StopReason;
import dev.kopf4j.engine.cause.ResourceVersions;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.object.BodyView;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The daemons and timers of one object: which of them run, which have ended for good, and the state that they see. At
 * most one of each id runs at a time. Thread-safe.
 */
public final class ObjectDaemons {
    private final OperatorDaemons operatorDaemons;
    private final OperatorDaemons.Key key;
    private final ObjectReference reference;
    private final Function<BodyView, ResourceObject> subject;
    private final LiveBody live = new LiveBody();
    private final Monitor monitor;

    // Guarded by the monitor.
    private List<RunningDaemon> running = List.of();
    private Set<String> stoppedForever = Set.of();
    private long unchangedSince;
    private int changes;
    private @Nullable Runnable endListener;
    private boolean endsUnreported;

    /** Something has ended since the object's worker has looked, and it needs the body to look again. */
    private boolean endUnnoticed;

    private @Nullable String patchedVersion;

    private volatile boolean watched = true;

    ObjectDaemons(
            OperatorDaemons operatorDaemons,
            OperatorDaemons.Key key,
            ObjectReference reference,
            Function<BodyView, ResourceObject> subject) {
        this.operatorDaemons = operatorDaemons;
        this.key = key;
        this.reference = reference;
        this.subject = subject;
        this.monitor = operatorDaemons.monitor(key);
        this.unchangedSince = operatorDaemons.daemonEnvironment().platform().nanos();
    }

    /** From now on the action tells the object's worker that something has ended; at once if something has already. */
    public void onEnded(Runnable action) {
        monitor.locked(() -> {
            endListener = action;
            if (endUnnoticed) {
                action.run();
            }
        });
    }

    /** The object's worker looks at what runs, with a body of its own: what it was told it has heard. */
    public void acknowledgeEnds() {
        monitor.locked(() -> {
            endUnnoticed = false;
            forgetBodyIfUnused();
        });
    }

    /** The object is watched: what is wanted can be started, with the next state that is seen. */
    public void serve() {
        watched = true;
    }

    /** Takes a state of an object for which nothing is to be started or stopped. */
    public void see(ObjectNode body) {
        if (live.isKept()) {
            var _ = live.becomeIfNewer(body);
        }
    }

    /** Those of the handlers that should run, as far as they have not ended for good. */
    public List<RegisteredHandler> wanted(List<RegisteredHandler> matching) {
        return monitor.locked(() -> matching.stream()
                .filter(handler -> !stoppedForever.contains(handler.id()))
                .toList());
    }

    /** Stops what is not wanted any more. */
    public void stopMismatching(List<RegisteredHandler> matching) {
        monitor.locked(() -> quietly(() -> stopOthersNow(matching)));
    }

    /**
     * The object has come to a new state: starts what is wanted.
     *
     * @param essence what of a state matters, so that a change of it ends the idling of timers
     */
    public void startMatching(ObjectNode body, List<RegisteredHandler> matching, UnaryOperator<ObjectNode> essence) {
        boolean changed = hasChanged(body, essence);
        if (!matching.isEmpty() || isRunning()) {
            live.become(body);
        }
        monitor.locked(() -> {
            if (changed) {
                unchangedSince = operatorDaemons.daemonEnvironment().platform().nanos();
                changes++;
                running.forEach(RunningDaemon::changed);
            }
            matching.forEach(this::startIfAbsent);
            if (!endUnnoticed) {
                forgetBodyIfUnused();
            }
            forgetIfUnused();
        });
    }

    private boolean hasChanged(ObjectNode body, UnaryOperator<ObjectNode> essence) {
        boolean minds = monitor.locked(
                () -> running.stream().anyMatch(each -> each.options().idle() != null));
        return minds && live.isKept() && !JsonEquality.equal(essence.apply(live.node()), essence.apply(body));
    }

    private void stopOthersNow(List<RegisteredHandler> matching) {
        for (RunningDaemon each : running) {
            if (matching.stream()
                    .noneMatch(handler -> handler.id().equals(each.handler().id()))) {
                each.stop(StopReason.FILTERS_MISMATCH);
            }
        }
    }

    private void startIfAbsent(RegisteredHandler handler) {
        boolean there = running.stream().anyMatch(each -> each.handler().id().equals(handler.id()));
        // In this order, so that whoever halts all of them finds this one, or is found here.
        operatorDaemons.remember(key, this);
        if (!there && watched && !operatorDaemons.isExiting() && !stoppedForever.contains(handler.id())) {
            RunningDaemon started = new RunningDaemon(this, handler);
            List<RunningDaemon> more = new ArrayList<>(running);
            more.add(started);
            running = List.copyOf(more);
            started.start();
        }
    }

    /** Asks all to stop. What only waits has ended when this returns. */
    public void stop(StopReason reason) {
        monitor.locked(() -> quietly(() -> running.forEach(each -> each.stop(reason))));
    }

    /** The object's worker need not be told of what ends by its own action. */
    private void quietly(Runnable action) {
        endsUnreported = true;
        try {
            action.run();
        } finally {
            endsUnreported = false;
        }
    }

    /**
     * The object is not watched any more: all are asked to stop, unless they are already, and none is started before it
     * is {@linkplain #serve served} again.
     */
    public void unwatch() {
        unwatch(operatorDaemons.isExiting() ? null : StopReason.OPERATOR_PAUSING);
    }

    private void unwatch(@Nullable StopReason reason) {
        watched = false;
        if (reason != null) {
            stop(reason);
        }
        monitor.locked(this::forgetIfUnused);
    }

    /** The object does not exist any more. */
    public void gone() {
        watched = false;
        monitor.locked(() -> {
            stoppedForever = Set.of();
        });
        unwatch(StopReason.RESOURCE_DELETED);
    }

    /** True while something runs that was not left behind. */
    public boolean isRunning() {
        return monitor.locked(() -> running.stream().anyMatch(RunningDaemon::isRunning));
    }

    /**
     * Waits until nothing runs any more.
     *
     * @return false if the deadline came first
     */
    public boolean awaitEnd(Deadline deadline) throws InterruptedException {
        return monitor.awaitTrue(() -> running.stream().noneMatch(RunningDaemon::isRunning), deadline);
    }

    /** True if there is nothing to be remembered of the object. */
    public boolean isUnused() {
        return monitor.locked(() -> running.isEmpty() && stoppedForever.isEmpty());
    }

    /** The newest state, as far as one is kept; empty otherwise. */
    ObjectNode body() {
        return live.node();
    }

    /** The newest state, parsed when it is got; null if none is kept. */
    public @Nullable Supplier<ObjectNode> snapshot() {
        return live.snapshot();
    }

    /** The version that daemons or timers have made since it was asked for; null if there is none. */
    public @Nullable String takePatchedVersion() {
        return monitor.locked(() -> Optional.ofNullable(patchedVersion).map(version -> {
                    patchedVersion = null;
                    return version;
                }))
                .orElse(null);
    }

    void patched(@Nullable ObjectNode answered) {
        if (answered != null && live.isKept()) {
            var _ = live.becomeIfNewer(answered);
            monitor.locked(() -> {
                patchedVersion = ResourceVersions.of(answered);
            });
        }
    }

    /** Under the monitor. */
    void ended(RunningDaemon handler) {
        List<RunningDaemon> fewer = new ArrayList<>(running);
        fewer.remove(handler);
        running = List.copyOf(fewer);
        if (handler.stopReasons().isEmpty()) {
            stoppedForever(handler.handler());
        }
        // The object's worker goes on with the body: the finalizer may not be needed any more.
        nudge();
        forgetIfUnused();
    }

    /** Under the monitor. */
    void stoppedForever(RegisteredHandler handler) {
        Set<String> more = new HashSet<>(stoppedForever);
        more.add(handler.id());
        stoppedForever = watched ? Set.copyOf(more) : Set.of();
    }

    private void forgetIfUnused() {
        if (running.isEmpty() && stoppedForever.isEmpty()) {
            operatorDaemons.forget(key, this);
        }
    }

    private void forgetBodyIfUnused() {
        if (running.isEmpty()) {
            live.forget();
        }
    }

    /** Under the monitor: nobody looks at the body at the moment, or only for a short time. */
    void rest() {
        live.rest();
    }

    /** Under the monitor. */
    void nudge() {
        if (!endsUnreported) {
            endUnnoticed = true;
            if (endListener != null) {
                endListener.run();
            }
        }
    }

    /** Under the monitor. */
    Deadline unchangedFor(Duration time) {
        return Deadline.at(unchangedSince, time);
    }

    /** Under the monitor: how often the object has changed. */
    int changes() {
        return changes;
    }

    /** Under the monitor. */
    List<RunningDaemon> running() {
        return running;
    }

    DaemonEnvironment daemonEnvironment() {
        return operatorDaemons.daemonEnvironment();
    }

    Monitor monitor() {
        return monitor;
    }

    /** The object with a live body. */
    ResourceObject resourceObject() {
        return subject.apply(new BodyView(live::node, reference));
    }

    ObjectReference reference() {
        return reference;
    }
}
