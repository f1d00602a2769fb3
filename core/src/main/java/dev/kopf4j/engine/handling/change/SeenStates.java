package dev.kopf4j.engine.handling.change;

import dev.kopf4j.engine.cause.Change;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonDiff;
import dev.kopf4j.json.JsonEquality;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * With which state of the object each handler of a change has come to its end, as long as others have not: if the
 * object changes meanwhile, those that have ended have to be called again. In memory only, so that a restart forgets
 * it. Confined to the object's worker.
 */
public final class SeenStates {
    private final Map<String, String> seen = new LinkedHashMap<>();
    private @Nullable ObjectNode base;
    /** What the object has stored as the base. */
    private @Nullable ObjectNode stored;

    /** None. */
    public SeenStates() {}

    /** True if nothing is known. */
    public boolean isEmpty() {
        return seen.isEmpty();
    }

    /** Forgets everything. */
    public void clear() {
        seen.clear();
        stored = null;
    }

    /** What is known of another change does not count for this one. */
    void begin(Change change) {
        if (!isEmpty() && !JsonEquality.equal(change.oldEssence(), base)) {
            clear();
        }
    }

    /** The handlers have ended with the new state of the change. */
    void note(Collection<String> handlers, Change change) {
        if (!handlers.isEmpty()) {
            base = change.oldEssence();
            String state = Json.text(change.newEssence());
            handlers.forEach(handler -> seen.put(handler, state));
        }
    }

    /** The other ones of the handlers have ended with that state, before the change. */
    void noteOthers(Collection<String> handlers, ObjectNode essence) {
        String state = Json.text(essence);
        handlers.forEach(handler -> seen.putIfAbsent(handler, state));
    }

    /** The operator itself has changed the object, and nobody else has: that is no news to those who know the rest. */
    public void ownChangeMade(ObjectNode from, ObjectNode to) {
        seen.replaceAll((handler, state) -> JsonEquality.equal(Json.parse(state), from) ? Json.text(to) : state);
    }

    /** The first state that handlers have ended with, and that is another than this one; empty if there is none. */
    Optional<ObjectNode> earlierThan(ObjectNode essence) {
        return seen.values().stream()
                .distinct()
                .map(state -> (ObjectNode) Json.parse(state))
                .filter(state -> !JsonEquality.equal(state, essence))
                .findFirst();
    }

    /** The handlers that have ended with that state. */
    Set<String> endedWith(ObjectNode essence) {
        return seen.entrySet().stream()
                .filter(entry -> JsonEquality.equal(Json.parse(entry.getValue()), essence))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(LinkedHashSet::new));
    }

    /** The state that the handler has ended with; null if there is none. */
    @Nullable ObjectNode of(String handler) {
        String state = seen.get(handler);
        return state == null ? null : (ObjectNode) Json.parse(state);
    }

    /**
     * The handlers are called again, for what has changed since that state; what others have seen still counts.
     *
     * @param storedAs what of that state is stored on the object
     */
    void callAgain(Set<String> handlers, ObjectNode since, ObjectNode storedAs) {
        seen.keySet().removeAll(handlers);
        base = since;
        stored = storedAs;
    }

    /** The change since the state that counts as handled, of which the object has stored a part only. */
    public Change sinceSeenState(Change found) {
        return isEmpty() || stored == null || !JsonEquality.equal(found.oldEssence(), stored)
                ? found
                : new Change(base, found.newEssence(), JsonDiff.between(base, found.newEssence()));
    }

    /** True if the state that counts as handled is not stored as a whole. */
    boolean isPartlyStored() {
        return stored != null && !JsonEquality.equal(stored, base);
    }
}
