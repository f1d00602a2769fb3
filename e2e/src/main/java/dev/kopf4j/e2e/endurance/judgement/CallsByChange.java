package dev.kopf4j.e2e.endurance.judgement;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiConsumer;

/** All calls, by the changes that they were about. Immutable. */
final class CallsByChange {
    private final Map<Change, List<Call>> calls = new HashMap<>();

    CallsByChange(List<Call> all) {
        all.forEach(call ->
                calls.computeIfAbsent(Change.of(call), key -> new ArrayList<>()).add(call));
    }

    void forEach(BiConsumer<Change, List<Call>> action) {
        calls.forEach(action);
    }

    /** The calls for a change, oldest first. */
    List<Call> of(Change change) {
        return calls.getOrDefault(change, List.of());
    }

    /** The calls for an object, oldest first. */
    List<Call> ofObject(String uid) {
        return calls.values().stream()
                .flatMap(List::stream)
                .filter(call -> call.uid().equals(uid))
                .sorted(Comparator.comparingLong(Call::begin))
                .toList();
    }

    /** Whether the handler has heard of it. */
    boolean isDone(Change change) {
        return of(change).stream().anyMatch(Call::isDone);
    }

    /** The calls in which the handler has heard of a value of the object in this range. */
    List<Call> done(String uid, String handler, long above, long upTo) {
        return calls.entrySet().stream()
                .filter(each -> each.getKey().uid().equals(uid)
                        && each.getKey().handler().equals(handler)
                        && each.getKey().value() > above
                        && each.getKey().value() <= upTo)
                .flatMap(each -> each.getValue().stream())
                .filter(Call::isDone)
                .toList();
    }
}
