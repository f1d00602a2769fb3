package dev.kopf4j.engine.chaos;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.Reason;
import dev.kopf4j.json.Json;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The states of objects that handlers have seen when they ended. In the end each handler must have seen the final
 * state.
 *
 * <p>A process knows what its handlers have seen, but does not store it. So objects are left out if a process ended
 * while it handled them.
 */
final class StatesSeenByHandlers {
    private final Map<String, Map<String, HandlerCallJournal.Call>> changes = new HashMap<>();
    private final Map<String, Map<String, HandlerCallJournal.Call>> creations = new HashMap<>();
    private final Map<String, String> bases = new HashMap<>();
    private final Set<String> interrupted = new HashSet<>();

    void begins(HandlerCallJournal.Call call) {
        if (call.reason() == Reason.CREATE || call.reason() == Reason.UPDATE) {
            bases.put(call.uid(), String.valueOf(call.base()));
        }
    }

    void finished(HandlerCallJournal.Call call) {
        if (call.handler().equals(WorldPlan.Kind.RESUME.id())) {
            // It is told of the start of an operator, and not of changes.
            return;
        }
        if (call.reason() == Reason.UPDATE || call.handler().equals(WorldPlan.Kind.FIELD.id())) {
            of(changes, call.uid()).put(call.handler(), call);
        } else if (call.reason() == Reason.CREATE) {
            of(creations, call.uid()).put(call.handler(), call);
        }
    }

    private static Map<String, HandlerCallJournal.Call> of(
            Map<String, Map<String, HandlerCallJournal.Call>> all, String uid) {
        return all.computeIfAbsent(uid, key -> new HashMap<>());
    }

    void processEnds(ObjectStore store) {
        for (ObjectNode object : store.all()) {
            String base = bases.get(StoredState.uid(object));
            boolean unfinished = base != null && base.equals(String.valueOf(StoredState.base(object)));
            if (unfinished || StoredState.hasProgress(object)) {
                interrupted.add(StoredState.uid(object));
            }
        }
    }

    /** The first handler that has not seen what is the final state of the object; null if there is none. */
    @Nullable String unaware(ObjectNode object, WorldPlan worldPlan) {
        String uid = StoredState.uid(object);
        if (interrupted.contains(uid)) {
            return null;
        }
        ObjectNode essence = StoredState.change(object).newEssence();
        Map<String, HandlerCallJournal.Call> seen = of(changes, uid);
        for (HandlerCallJournal.Call call : seen.values()) {
            boolean ofField = call.handler().equals(WorldPlan.Kind.FIELD.id());
            if (ofField ? !fieldOf(essence).equals(fieldOf(parsed(call))) : !hasSeen(call, essence)) {
                return call.toString();
            }
        }
        for (WorldPlan.Kind kind : worldPlan.handlers()) {
            boolean plain = kind == WorldPlan.Kind.UPDATE_A || kind == WorldPlan.Kind.UPDATE_B;
            if (plain && kind.kind == HandlerKind.UPDATE && !seen.containsKey(kind.id())) {
                for (HandlerCallJournal.Call creation : of(creations, uid).values()) {
                    if (!hasSeen(creation, essence)) {
                        return kind.id() + ", though something has changed since " + creation;
                    }
                }
            }
        }
        return null;
    }

    private static boolean hasSeen(HandlerCallJournal.Call call, ObjectNode essence) {
        return withoutOwn(parsed(call)).equals(withoutOwn(essence.deepCopy()));
    }

    private static ObjectNode parsed(HandlerCallJournal.Call call) {
        return (ObjectNode) Json.parse(call.essence());
    }

    private static String fieldOf(ObjectNode essence) {
        return essence.path("spec").path("field").toString();
    }

    /** Without what handlers themselves change. */
    private static ObjectNode withoutOwn(ObjectNode essence) {
        if (essence.path("metadata").path("labels") instanceof ObjectNode labels) {
            labels.remove("seen");
        }
        if (essence.path("spec") instanceof ObjectNode spec) {
            spec.remove("items");
        }
        return essence;
    }
}
