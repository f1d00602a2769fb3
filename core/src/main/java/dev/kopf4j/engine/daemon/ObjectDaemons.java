package dev.kopf4j.engine.daemon;

import dev.kopf4j.StopReason;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The daemons and timers of one object: which of them run, and which have ended for good. At most one of each id runs
 * at a time. Thread-safe.
 */
public final class ObjectDaemons {
    private final OperatorDaemons operatorDaemons;
    private final OperatorDaemons.Key key;
    private final Monitor monitor;
    private final LiveObject object;
    private final DaemonEndNotices daemonEndNotices = new DaemonEndNotices();

    // Guarded by the monitor.
    /** When the object has changed last, by the monotonic clock: the idle time of timers begins then. */
    private long changedAt;

    private int changes;
    private List<RunningDaemon> running = List.of();
    /** Those that have ended, though nobody had asked them to: they are not started again. */
    private Set<String> endedByThemselves = Set.of();
    /** Those of them that have failed. */
    private Set<String> failed = Set.of();
    /** Those that have ended as the object did not fit their types, and its state: they wait for another one. */
    private Map<String, Supplier<ObjectNode>> misfits = Map.of();
    /** Those that have ended, and are to be called again: they do not wait for the object's idle time. */
    private Set<String> retried = Set.of();

    private volatile boolean watched = true;
    /** True if what has ended for good need not be remembered. */
    private volatile boolean gone;

    ObjectDaemons(OperatorDaemons operatorDaemons, OperatorDaemons.Key key, Monitor monitor, LiveObject object) {
        this.operatorDaemons = operatorDaemons;
        this.key = key;
        this.monitor = monitor;
        this.object = object;
        this.changedAt = environment().platform().nanos();
    }

    /** From now on the action tells the object's worker that something has ended; at once if something has already. */
    public void onEnded(Runnable action) {
        monitor.locked(() -> daemonEndNotices.listen(action));
    }

    /**
     * The object's worker now looks at the daemons, with a body of its own: it need not be told of earlier ends any
     * more.
     */
    public void acknowledgeEnds() {
        monitor.locked(() -> {
            daemonEndNotices.acknowledge();
            forgetBodyIfUnused();
        });
    }

    /** The object is watched: what is wanted can be started, with the next state that is seen. */
    public void serve() {
        gone = false;
        watched = true;
    }

    /** Takes a state of an object for which nothing is started or stopped. */
    public void see(ObjectNode body) {
        object.see(body);
    }

    /** The matching handlers that should run: all but those that have ended for good. */
    public List<RegisteredHandler> wanted(List<RegisteredHandler> matching) {
        return monitor.locked(() -> matching.stream()
                .filter(handler -> !endedByThemselves.contains(handler.id()))
                .toList());
    }

    /** True if that one has been started, and has not ended. */
    public boolean runs(RegisteredHandler handler) {
        return monitor.locked(
                () -> running.stream().anyMatch(each -> each.handler().id().equals(handler.id())));
    }

    /** Stops the daemons and timers that do not match any more. */
    public void stopMismatching(List<RegisteredHandler> matching) {
        Set<String> ids = new HashSet<>();
        matching.forEach(handler -> ids.add(handler.id()));
        monitor.locked(() -> daemonEndNotices.quietly(() -> running.stream()
                .filter(each -> !ids.contains(each.handler().id()))
                .forEach(each -> each.stop(StopReason.FILTERS_MISMATCH))));
    }

    /**
     * The object has come to a new state: starts those that match.
     *
     * @param essence the part of a state that matters: a change of it ends the idling of timers
     */
    public void startMatching(ObjectNode body, List<RegisteredHandler> matching, UnaryOperator<ObjectNode> essence) {
        boolean changed = anyIdles() && object.differsFrom(body, essence);
        if (!matching.isEmpty() || monitor.locked(this::anyRuns)) {
            object.become(body);
        }
        monitor.locked(() -> {
            if (changed) {
                restartIdling();
            }
            misfits = without(
                    misfits, (_, unfit) -> !JsonEquality.equal(essence.apply(unfit.get()), essence.apply(body)));
            matching.forEach(this::startIfAbsent);
            if (!daemonEndNotices.areUnnoticed()) {
                forgetBodyIfUnused();
            }
            forgetIfUnused();
        });
    }

    /** The handlers of a change are at work: the idle time of timers begins anew. */
    public void changeIsHandled() {
        if (anyIdles()) {
            monitor.locked(this::restartIdling);
        }
    }

    private void restartIdling() {
        objectHasChanged();
        running.forEach(RunningDaemon::changed);
    }

    private void objectHasChanged() {
        changedAt = environment().platform().nanos();
        changes++;
    }

    /** Under the monitor: when the object has changed last. */
    Deadline changedAt() {
        return new Deadline(changedAt);
    }

    /** Under the monitor: how often the object has changed. */
    int changes() {
        return changes;
    }

    private boolean anyIdles() {
        return monitor.locked(
                () -> running.stream().anyMatch(each -> each.options().idle() != null));
    }

    private void startIfAbsent(RegisteredHandler handler) {
        boolean there = runs(handler);
        // In this order: a request to stop everything either finds this daemon, or is noticed here.
        operatorDaemons.remember(key, this);
        boolean mayStart = watched && !operatorDaemons.isExiting() && mayAct();
        boolean ended = endedByThemselves.contains(handler.id()) || misfits.containsKey(handler.id());
        if (!there && mayStart && !ended) {
            if (handler.options().idle() != null && !anyIdles() && !retried.contains(handler.id())) {
                // As long as none idled, nobody has looked for changes.
                objectHasChanged();
            }
            RunningDaemon started = new RunningDaemon(environment(), this, object, monitor, handler);
            List<RunningDaemon> more = new ArrayList<>(running);
            more.add(started);
            running = List.copyOf(more);
            retried = retried.stream().filter(id -> !id.equals(handler.id())).collect(Collectors.toUnmodifiableSet());
            started.start();
        }
    }

    /** False if another replica may act on the object. */
    private boolean mayAct() {
        return environment().calls().runner().mayAct(key.uid());
    }

    private DaemonEnvironment environment() {
        return operatorDaemons.environment();
    }

    /** Somebody has paused the object: no call begins before {@link #letGo}; what is at work may end. */
    public void holdBack() {
        monitor.locked(() -> running.forEach(RunningDaemon::holdBack));
    }

    /** Nobody has paused the object: what was held back begins now. */
    public void letGo() {
        monitor.locked(() -> running.forEach(RunningDaemon::letGo));
    }

    /**
     * Lets the handlers that are named begin anew, and make their next call now; or all that wait for another attempt
     * or have failed. Those that have ended are started with the next state that is seen.
     *
     * @param names tells by their ids which are meant
     * @param unsuccessful true for all that wait for another attempt, or have failed for good
     * @return the ids of those that it concerns
     */
    public Set<String> retry(Predicate<String> names, boolean unsuccessful) {
        return monitor.locked(() -> {
            Set<String> chosen = new HashSet<>();
            for (RunningDaemon each : running) {
                String id = each.handler().id();
                if ((names.test(id) || (unsuccessful && each.hasFailed())) && each.callNow()) {
                    chosen.add(id);
                }
            }
            Set<String> ended = new HashSet<>(endedByThemselves);
            ended.removeIf(id -> names.test(id) || (unsuccessful && failed.contains(id)));
            Set<String> freed = new HashSet<>(endedByThemselves);
            freed.removeAll(ended);
            endedByThemselves = Set.copyOf(ended);
            Map<String, Supplier<ObjectNode>> unfit = without(misfits, (id, _) -> unsuccessful || names.test(id));
            misfits.keySet().stream().filter(id -> !unfit.containsKey(id)).forEach(freed::add);
            misfits = unfit;
            retried = Set.copyOf(freed);
            chosen.addAll(freed);
            failed = failed.stream().filter(ended::contains).collect(Collectors.toUnmodifiableSet());
            return chosen;
        });
    }

    /** Tells people which of them run, what these do, and which have ended for good. Safe for all threads. */
    public void tell(ObjectNode into) {
        monitor.locked(() -> {
            running.forEach(each -> into.withArray("running").add(each.told()));
            Stream.concat(endedByThemselves.stream(), misfits.keySet().stream())
                    .sorted()
                    .forEach(into.withArray("ended")::add);
        });
    }

    private static <T> Map<String, T> without(Map<String, T> known, BiPredicate<String, T> removed) {
        return known.isEmpty()
                ? known
                : known.entrySet().stream()
                        .filter(each -> !removed.test(each.getKey(), each.getValue()))
                        .collect(Collectors.toUnmodifiableMap(Map.Entry::getKey, Map.Entry::getValue));
    }

    /** Asks all daemons and timers to stop. Those that only wait have ended when this returns. */
    public void stop(StopReason reason) {
        monitor.locked(() -> daemonEndNotices.quietly(() -> running.forEach(each -> each.stop(reason))));
    }

    /**
     * The object is not watched any more: all are asked to stop, unless they are already, and none is started before it
     * is {@linkplain #serve served} again.
     */
    public void unwatch() {
        watched = false;
        if (!operatorDaemons.isExiting()) {
            stop(StopReason.OPERATOR_PAUSING);
        }
        monitor.locked(this::forgetIfUnused);
    }

    /** The object does not exist any more. */
    public void gone() {
        watched = false;
        gone = true;
        monitor.locked(() -> {
            endedByThemselves = Set.of();
            misfits = Map.of();
        });
        stop(StopReason.RESOURCE_DELETED);
        monitor.locked(this::forgetIfUnused);
    }

    /** The object will not be watched again, whether it exists or not: nothing is remembered of what ends. */
    public void discard() {
        gone = true;
        forgetEnded();
    }

    private void forgetEnded() {
        monitor.locked(() -> {
            endedByThemselves = Set.of();
            failed = Set.of();
            misfits = Map.of();
            forgetIfUnused();
        });
    }

    /** True while any holds the object back from its deletion: while any runs, apart from those that were abandoned. */
    public boolean anyHolds() {
        return monitor.locked(this::anyRuns);
    }

    /** True while some make steps that the handlers of the deletion have to take back. */
    public boolean anyMakesUndoable() {
        return monitor.locked(() -> running.stream().anyMatch(RunningDaemon::makesUndoable));
    }

    private boolean anyRuns() {
        return running.stream().anyMatch(RunningDaemon::isRunning);
    }

    /**
     * Waits until nothing runs any more.
     *
     * @return false if the deadline came first
     */
    public boolean awaitEnd(Deadline deadline) throws InterruptedException {
        return monitor.awaitTrue(() -> !anyRuns(), deadline);
    }

    /**
     * Waits until nothing runs any more, not even what was abandoned; nothing is remembered then of what has ended.
     *
     * @return false if the deadline came first
     */
    public boolean awaitAll(Deadline deadline) throws InterruptedException {
        boolean ended = monitor.awaitTrue(() -> running.isEmpty(), deadline);
        if (ended) {
            forgetEnded();
        }
        return ended;
    }

    /** Others may act on the object: what has been asked to stop begins no steps any more, however long it goes on. */
    public void beginNoSteps() {
        monitor.locked(() -> running.forEach(RunningDaemon::beginNoSteps));
    }

    /** When the last one comes to the last stage of its stopping; now, if none is being stopped. */
    Deadline lastStage(Deadline now) {
        return monitor.locked(() -> running.stream()
                .map(each -> each.lastStage(now))
                .max(Comparator.naturalOrder())
                .orElse(now));
    }

    /** Interrupts all attempts, which begin no steps any more. */
    void interruptAll() {
        beginNoSteps();
        monitor.locked(() -> running.forEach(RunningDaemon::interrupt));
    }

    /** True while some make steps, or have them recorded. */
    boolean anyMakesSteps() {
        return monitor.locked(() -> running.stream().anyMatch(RunningDaemon::makesSteps));
    }

    /** Waits until none makes steps any more, or the deadline has come. */
    void awaitSteps(Deadline deadline) throws InterruptedException {
        boolean _ = monitor.awaitTrue(() -> running.stream().noneMatch(RunningDaemon::makesSteps), deadline);
    }

    /** Leaves behind the daemons that were asked to stop and have not ended, and reports them. */
    void abandonAll() {
        List<Runnable> reports = new ArrayList<>();
        monitor.locked(() -> running.forEach(each -> reports.add(each.abandonIfLate())));
        reports.forEach(Runnable::run);
    }

    /** True if nothing has to be remembered for the object. */
    public boolean isUnused() {
        return monitor.locked(this::isNothingKnown);
    }

    /** The newest state, parsed when it is asked for; null if none is kept. */
    public @Nullable Supplier<ObjectNode> snapshot() {
        return object.bodySnapshot();
    }

    /** The version that daemons or timers have made since it was asked for; null if there is none. */
    public @Nullable String takePatchedVersion() {
        return object.takePatchedVersion();
    }

    /** Under the monitor: that one has ended. */
    void ended(RunningDaemon daemon) {
        List<RunningDaemon> fewer = new ArrayList<>(running);
        fewer.remove(daemon);
        running = List.copyOf(fewer);
        Supplier<ObjectNode> unfit = daemon.unfitState();
        if (unfit != null && !gone) {
            Map<String, Supplier<ObjectNode>> more = new HashMap<>(misfits);
            more.put(daemon.handler().id(), unfit);
            misfits = Map.copyOf(more);
        } else if (daemon.stopReasons().isEmpty()) {
            endsByItself(daemon.handler());
        }
        // The object's worker goes on with the body: the finalizer may not be needed any more.
        daemonEndNotices.ended();
        forgetIfUnused();
    }

    /** Under the monitor: one ends by itself, not as it was asked to. It must not be started again for the object. */
    void endsByItself(RegisteredHandler handler) {
        Set<String> more = new HashSet<>(endedByThemselves);
        more.add(handler.id());
        endedByThemselves = gone ? Set.of() : Set.copyOf(more);
    }

    /** Under the monitor: one has failed for good, and is about to end. */
    void failed(RegisteredHandler handler) {
        Set<String> more = new HashSet<>(failed);
        more.add(handler.id());
        failed = Set.copyOf(more);
    }

    /** Under the monitor: one goes on, but nobody waits for it any more, or not for the step that it has made. */
    void holdsLess() {
        daemonEndNotices.ended();
    }

    private void forgetIfUnused() {
        if (isNothingKnown()) {
            operatorDaemons.forget(key, this);
        }
    }

    private boolean isNothingKnown() {
        return running.isEmpty() && endedByThemselves.isEmpty() && misfits.isEmpty();
    }

    private void forgetBodyIfUnused() {
        if (running.isEmpty()) {
            object.forgetBody();
        }
    }

    /**
     * Tells the worker of an object that a daemon or timer has ended, unless the worker has stopped it itself. Guarded
     * by the monitor of the object's daemons.
     */
    private static final class DaemonEndNotices {
        private @Nullable Runnable listener;
        private boolean unnoticed;
        private boolean quiet;

        /** Nothing has ended. */
        DaemonEndNotices() {}

        /** From now on the action tells the worker; at once if something has ended already. */
        void listen(Runnable action) {
            listener = action;
            if (unnoticed) {
                action.run();
            }
        }

        /** Something has ended. */
        void ended() {
            if (!quiet) {
                unnoticed = true;
                if (listener != null) {
                    listener.run();
                }
            }
        }

        /** True if something has ended since the worker has looked last. */
        boolean areUnnoticed() {
            return unnoticed;
        }

        /** The worker looks at the daemons now. */
        void acknowledge() {
            unnoticed = false;
        }

        /** Runs an action of the worker: it need not be told of what ends by that. */
        void quietly(Runnable action) {
            quiet = true;
            try {
                action.run();
            } finally {
                quiet = false;
            }
        }
    }
}
