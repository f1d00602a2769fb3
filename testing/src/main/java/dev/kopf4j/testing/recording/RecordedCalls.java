package dev.kopf4j.testing.recording;

import dev.kopf4j.HandlerContext;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** The calls of handlers, in the order of their begins. Guarded by its owner. */
final class RecordedCalls {
    private final List<RecordedCall> calls = new ArrayList<>();
    private final IdentityHashMap<HandlerContext, Integer> running = new IdentityHashMap<>();

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

    List<RecordedCall> all() {
        return List.copyOf(calls);
    }

    Stream<RecordedCall> running() {
        return running.values().stream().sorted().map(calls::get);
    }
}
