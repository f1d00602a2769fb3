package dev.kopf4j.engine.chaos;

import dev.kopf4j.HandlerContext;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.Reason;
import dev.kopf4j.json.Json;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Which handler was called for what, and how the call ended. Checks each call against the objects on the server. */
final class HandlerCallJournal {
    private final ObjectStore store;
    private final WorldHistory worldHistory;
    private final boolean tampered;
    private final Set<String> running = new HashSet<>();
    private final Map<String, Call> lastFinished = new HashMap<>();
    private final Map<String, Call> lastDeletions = new HashMap<>();
    private final Set<String> acknowledgedDeletions = new HashSet<>();
    private final DaemonTracker daemonTracker;
    private final StatesSeenByHandlers seen = new StatesSeenByHandlers();
    private int named;

    /** If somebody tampers with the operator's own annotations, repetitions are not to be blamed on the operator. */
    HandlerCallJournal(ObjectStore store, WorldHistory worldHistory, boolean tampered) {
        this.store = store;
        this.worldHistory = worldHistory;
        this.tampered = tampered;
        this.daemonTracker = new DaemonTracker(worldHistory);
    }

    /** Daemons and timers. */
    DaemonTracker daemonTracker() {
        return daemonTracker;
    }

    /** What handlers have seen. */
    StatesSeenByHandlers seen() {
        return seen;
    }

    /** One call of a handler. */
    record Call(
            int incarnation,
            String handler,
            String uid,
            String name,
            Reason reason,
            int retry,
            @Nullable String base,
            String essence,
            int generation) {
        String key() {
            return handler + " " + uid;
        }

        @Override
        public String toString() {
            return handler + " for " + name + "/" + uid + " (" + reason + ", retry " + retry + ", process "
                    + incarnation + ", base " + base + ", essence " + essence + ")";
        }
    }

    /** True if a handler is being called for the object. */
    boolean isRunning(int incarnation, String uid) {
        return running.contains(incarnation + " " + uid);
    }

    Call begin(int incarnation, HandlerContext context) {
        ObjectNode seen = (ObjectNode) dev.kopf4j.json.Json.parse(context.body().toJson());
        Call call = new Call(
                incarnation,
                context.handlerId(),
                context.uid(),
                context.name(),
                context.reason(),
                context.retry(),
                StoredState.base(seen),
                Json.text(StoredState.change(seen).newEssence()),
                store.generation(seen));
        worldHistory.note("begins: " + call + " at " + StoredState.version(seen));
        if (!running.add(incarnation + " " + call.uid())) {
            worldHistory.violated("one call at a time per object", call.toString());
        }
        if (call.reason() != Reason.NOOP && !tampered) {
            store.byUid(call.uid()).ifPresent(truth -> checkAgainst(truth, call));
            checkAgainstLast(call);
        }
        this.seen.begins(call);
        return call;
    }

    private void checkAgainst(ObjectNode truth, Call call) {
        if (!java.util.Objects.equals(call.base(), StoredState.base(truth))) {
            worldHistory.violated(
                    "no call for what was acknowledged: the cycle", call + "; stored: " + StoredState.base(truth));
        }
        if (StoredState.isRecordedAsFinished(call.handler(), truth)) {
            worldHistory.violated("no call for what was acknowledged: the record", call + "; stored: " + truth);
        }
        if (acknowledgedDeletions.contains(call.key())) {
            worldHistory.violated("no call for what was acknowledged: the deletion", call.toString());
        }
        if (call.reason() == Reason.DELETE && !StoredState.FINALIZER.isOn(truth)) {
            worldHistory.violated("no deletion handler for a released object", call + "; stored: " + truth);
        }
    }

    /** Everything that handlers have written to an object names this object. */
    void checkOwner(ObjectNode object) {
        for (String uid : StoredState.namedUids(object)) {
            named++;
            if (!uid.equals(StoredState.uid(object))) {
                foreign("write", StoredState.uid(object), uid);
            }
        }
    }

    /** Something of one object has come to another one. */
    void foreign(String what, String uid, String other) {
        worldHistory.violated(
                "nothing of one object comes to another one", "a " + what + " for " + other + " at " + uid);
    }

    /** How often something was seen on an object that names the object that it was written for. */
    int named() {
        return named;
    }

    /** Deletion happens once: what was stored of it counts for ever, also if it is removed again. */
    void noteStored(ObjectNode object) {
        for (WorldPlan.Kind kind : WorldPlan.Kind.values()) {
            if (kind.kind == HandlerKind.DELETE && StoredState.isRecordedAsFinished(kind.id(), object)) {
                acknowledgedDeletions.add(kind.id() + " " + StoredState.uid(object));
            }
        }
    }

    private void checkAgainstLast(Call call) {
        Call last = lastFinished.get(call.key());
        if (last == null || last.incarnation() != call.incarnation() || last.reason() != call.reason()) {
            return;
        }
        boolean same = call.reason() == Reason.RESUME
                || (java.util.Objects.equals(last.base(), call.base())
                        && (call.reason() != Reason.UPDATE || last.generation() == call.generation()));
        if (same) {
            worldHistory.violated("without a kill, nothing that has succeeded is repeated", call + "; before: " + last);
        }
    }

    /** The handler has succeeded, or failed for good. */
    void finished(Call call) {
        end(call, "succeeds or fails finally");
        lastFinished.put(call.key(), call);
        seen.finished(call);
        if (call.reason() == Reason.DELETE) {
            lastDeletions.put(call.key(), call);
        }
    }

    void end(Call call, String how) {
        worldHistory.note(how + ": " + call.handler() + " for " + call.name() + " in process " + call.incarnation());
        running.remove(call.incarnation() + " " + call.uid());
    }

    boolean hasFinishedDeletion(String handler, String uid) {
        return lastDeletions.containsKey(handler + " " + uid);
    }
}
