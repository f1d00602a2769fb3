package dev.kopf4j.testing.recording;

import dev.kopf4j.HandlerContext;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.node.ObjectNode;

/** The calls of handlers, in the order of their begins. Guarded by its owner. */
final class RecordedCalls {
    private final List<RecordedCall> calls = new ArrayList<>();
    /** The body of the last call, by the uid of the object. */
    private final Map<String, ObjectNode> bodies = new HashMap<>();

    private final IdentityHashMap<HandlerContext, Integer> running = new IdentityHashMap<>();

    /**
     * A body as it is to be kept: that of the call before for the same object, if it has not changed. A timer is called
     * often for objects that rest.
     */
    ObjectNode shared(ObjectNode body) {
        String uid = body.path("metadata").path("uid").asString("");
        return Objects.requireNonNull(bodies.merge(uid, body, (before, now) -> before.equals(now) ? before : now));
    }

    void begin(RecordedCall call) {
        running.put(call.context(), calls.size());
        calls.add(call);
    }

    void end(HandlerContext context, RecordedCall.End end) {
        int place = Objects.requireNonNull(running.remove(context), "the call has begun");
        calls.set(place, calls.get(place).ended(end));
    }

    /** Nothing runs any more, and no end will be told. */
    void cutOff() {
        running.clear();
    }

    /** The uids of the objects of which the last call of some handler of changes asks for another one. */
    Set<String> retried() {
        Map<List<String>, RecordedCall> last = new HashMap<>();
        calls.stream()
                .filter(call -> call.kind().isOfChange())
                .forEach(call -> last.put(List.of(call.uid(), call.handler()), call));
        return last.values().stream()
                .filter(RecordedCall::asksForAnother)
                .map(RecordedCall::uid)
                .collect(Collectors.toSet());
    }

    List<RecordedCall> all() {
        return List.copyOf(calls);
    }

    Stream<RecordedCall> running() {
        return running.values().stream().sorted().map(calls::get);
    }
}
