package dev.kopf4j.engine.cycle;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.Reason;
import dev.kopf4j.engine.call.ProgressState;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.cause.Cause.Change;
import dev.kopf4j.engine.children.Digests;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonDiff;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.progress.ProgressRecord;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The object has changed after some of its handlers had ended. They are called again: the object is stored as handled
 * in the state that they have seen, so that the rest is a new change. Handlers that have seen another state follow
 * after that.
 *
 * @param processor stores the state that counts as handled
 * @param resourceObject the object as it is now
 * @param change what has changed since it was handled
 * @param seenStates what the handlers have seen
 * @param outdated the ids of the handlers that are called again
 * @param since the state that they have seen
 * @param hearing the handlers that are called for changes. One without a seen state was not concerned: it has nothing
 *     to do for the new state, but its filters must be asked about the stored one
 */
record OutdatedHandlerRerun(
        ObjectProcessor processor,
        ResourceObject resourceObject,
        Change change,
        SeenStates seenStates,
        Set<String> outdated,
        ObjectNode since,
        List<RegisteredHandler> hearing) {
    /** The rerun after all handlers of a change have ended; null if none of them has seen an outdated state. */
    static @Nullable OutdatedHandlerRerun of(
            ObjectProcessor processor, ResourceObject resourceObject, Change change, SeenStates seenStates) {
        return seenStates
                .earlierThan(change.newEssence())
                .filter(since -> processor.stored().fits(resourceObject, since))
                .map(since -> new OutdatedHandlerRerun(
                        processor,
                        resourceObject,
                        change,
                        seenStates,
                        seenStates.endedWith(since),
                        since,
                        hearing(processor.handlers().changes(), change.oldEssence() == null)))
                .orElse(null);
    }

    /** Update handlers are not called for a creation: they have to see all changes after it. */
    private static List<RegisteredHandler> hearing(List<RegisteredHandler> handlers, boolean creation) {
        return handlers.stream()
                .filter(handler -> handler.needsChange() && !(creation && handler.kind() == HandlerKind.UPDATE))
                .toList();
    }

    /** Lets all handlers be called again that the rest of the change concerns. */
    void rerunAll(ProgressState state, PatchContent patch) {
        ChangeSteps.givenUp(state.unfinishedOthers(), processor, resourceObject, patch);
        state.purge(resourceObject.node(), patch.merge());
        begin(patch.merge());
    }

    /** Lets only the outdated handlers be called again: those that have seen the newest state keep their progress. */
    void rerunOutdated(ProgressState state, PatchContent patch) {
        Map<String, ProgressRecord> givenUp = state.unfinishedOthers();
        Set<String> again = state.restart(outdated, processor.platform().now());
        givenUp.keySet().retainAll(again);
        ChangeSteps.givenUp(givenUp, processor, resourceObject, patch);
        // The rest is an update, be the change before one or the start of the operator.
        state.goOnWith(Reason.UPDATE);
        state.store(resourceObject.node(), patch.merge());
        state.flush();
        state.purge(again, resourceObject.node(), patch.merge());
        begin(patch.merge());
    }

    private void begin(ObjectNode patch) {
        if (change.oldEssence() == null) {
            seenStates.noteHeard(hearing, outdated);
        }
        seenStates.noteOthers(hearing.stream().map(RegisteredHandler::id).toList(), change.newEssence());
        ObjectNode stored = change.oldEssence() == null ? agreed() : since;
        processor.stored().storeHandled(resourceObject, stored, patch);
        // This leaves out handlers that start anew only because of others: if the object returns to that state, they
        // must be called.
        seenStates.callAgain(outdated, since, stored);
    }

    /**
     * The state that is stored as handled after a creation: without the fields that another handler has seen in another
     * state. No records stay after a creation, so nobody would know of that after a restart; if the object returned to
     * the stored state, that handler would not be called.
     */
    private ObjectNode agreed() {
        ObjectNode stored = since.deepCopy();
        for (RegisteredHandler handler : hearing) {
            ObjectNode seen = seenStates.of(handler.id());
            if (seen != null) {
                JsonDiff.between(since, seen).items().stream()
                        .map(JsonDiff.Item::field)
                        .filter(field -> field.startsWith(handler.field())
                                || handler.field().startsWith(field))
                        .forEach(field -> field.remove(stored));
            }
        }
        return stored;
    }

    /**
     * The state of the object with which each handler of an unfinished change has ended. If the object changes before
     * all handlers have ended, those that had ended are called again. In memory only, so that a restart forgets it; but
     * what is known of the handlers that a retry does not call is stored on the object. Confined to the object's
     * worker.
     */
    static final class SeenStates {
        private final Map<String, String> seen = new LinkedHashMap<>();
        /** The handlers of fields that have been called for the creation, of which the rest is handled as an update. */
        private final Set<String> heard = new HashSet<>();
        /**
         * Stands for the state since which they have seen it: as a tree, that would be in memory between the cycles.
         */
        private String baseDigest = "";
        /** That state, if only a part of it is stored on the object. */
        private @Nullable ObjectNode base;
        /** The part of the base that is stored on the object. */
        private @Nullable ObjectNode stored;

        private static final String BASE = "base";
        private static final String HANDLERS = "handlers";
        private static final String STATE = "state";

        /** What is to be stored if the handlers have ended with the new state of a change. */
        static ObjectNode record(Collection<String> handlers, Change change) {
            ObjectNode made = Json.object();
            made.put(BASE, digest(change));
            handlers.forEach(made.putArray(HANDLERS)::add);
            made.set(STATE, change.newEssence());
            return made;
        }

        /**
         * What was stored counts, if it is of this change and nothing newer is known. Whoever may change the object may
         * have written it: it says nothing of others than these handlers and their sub-handlers.
         */
        void recall(@Nullable ObjectNode record, Change change, List<RegisteredHandler> known) {
            if (isEmpty()
                    && record != null
                    && record.get(STATE) instanceof ObjectNode state
                    && record.path(BASE).asString("").equals(digest(change))) {
                List<String> handlers = record.path(HANDLERS)
                        .valueStream()
                        .map(id -> id.asString(""))
                        .filter(id ->
                                known.stream().anyMatch(each -> id.equals(each.id()) || id.startsWith(each.id() + "/")))
                        .toList();
                note(handlers, Change.between(change.oldEssence(), state));
            }
        }

        private static String digest(Change change) {
            return change.oldEssence() == null ? "" : Long.toHexString(Digests.of(change.oldEssence()));
        }

        /** True if nothing is known. */
        boolean isEmpty() {
            return seen.isEmpty();
        }

        /** Forgets everything. */
        void clear() {
            seen.clear();
            heard.clear();
            base = null;
            stored = null;
        }

        /** A cycle of a change begins: what is known of another change is forgotten. */
        void begin(Change change) {
            if (!isEmpty() && !digest(change).equals(baseDigest)) {
                clear();
            }
        }

        /** The handlers have ended with the new state of the change. */
        void note(Collection<String> handlers, Change change) {
            if (!handlers.isEmpty()) {
                if (isEmpty()) {
                    clear();
                }
                baseDigest = digest(change);
                String state = Json.text(change.newEssence());
                handlers.forEach(handler -> seen.put(handler, state));
            }
        }

        /** Notes that the handlers have ended with that state, unless something else is known of them. */
        void noteOthers(Collection<String> handlers, ObjectNode essence) {
            String state = Json.text(essence);
            handlers.forEach(handler -> seen.putIfAbsent(handler, state));
        }

        /**
         * Those of these that have ended with some state were called for it. The parents of sub-handlers that are
         * called again are called again, too.
         */
        void noteHeard(List<RegisteredHandler> hearing, Set<String> outdated) {
            hearing.stream()
                    .filter(handler -> handler.kind() == HandlerKind.FIELD)
                    .map(RegisteredHandler::id)
                    .filter(seen::containsKey)
                    .filter(id -> outdated.stream().noneMatch(each -> each.startsWith(id + "/")))
                    .forEach(heard::add);
        }

        /** True if the handler was called for the value that its field has: the rest of the change is nothing to it. */
        boolean hasHeard(RegisteredHandler handler, ObjectNode essence) {
            ObjectNode state =
                    handler.kind() == HandlerKind.FIELD && heard.contains(handler.id()) ? of(handler.id()) : null;
            return state != null
                    && JsonEquality.equal(
                            handler.field().resolve(state), handler.field().resolve(essence));
        }

        /**
         * The operator itself has made this change, and nobody else has changed the object: handlers that have seen the
         * state before count as having seen the state after it.
         */
        void ownChangeMade(ObjectNode from, ObjectNode to) {
            Set<String> before = statesEqualTo(from);
            String after = before.isEmpty() ? "" : Json.text(to);
            seen.replaceAll((handler, state) -> before.contains(state) ? after : state);
        }

        /** The first state with which handlers have ended and that differs from this one; empty if there is none. */
        Optional<ObjectNode> earlierThan(ObjectNode essence) {
            return seen.values().stream()
                    .distinct()
                    .map(state -> (ObjectNode) Json.parse(state))
                    .filter(state -> !JsonEquality.equal(state, essence))
                    .findFirst();
        }

        /** The handlers that have ended with that state. */
        Set<String> endedWith(ObjectNode essence) {
            Set<String> states = statesEqualTo(essence);
            return seen.entrySet().stream()
                    .filter(entry -> states.contains(entry.getValue()))
                    .map(Map.Entry::getKey)
                    .collect(Collectors.toCollection(LinkedHashSet::new));
        }

        /** Many handlers share few states: each is parsed once. */
        private Set<String> statesEqualTo(ObjectNode essence) {
            return seen.values().stream()
                    .distinct()
                    .filter(state -> JsonEquality.equal(Json.parse(state), essence))
                    .collect(Collectors.toSet());
        }

        /** The handlers that have ended with some state of the unfinished change. */
        Set<String> handlers() {
            return Set.copyOf(seen.keySet());
        }

        /** The state that the handler has ended with; null if there is none. */
        @Nullable ObjectNode of(String handler) {
            String state = seen.get(handler);
            return state == null ? null : (ObjectNode) Json.parse(state);
        }

        /**
         * The handlers are called again for all changes since that state; what others have seen still counts.
         *
         * @param storedAs the part of that state that is stored on the object
         */
        void callAgain(Set<String> handlers, ObjectNode since, ObjectNode storedAs) {
            seen.keySet().removeAll(handlers);
            heard.removeAll(handlers);
            baseDigest = digest(Change.none(since));
            base = since;
            stored = storedAs;
        }

        /** The change since the state that counts as handled, if the object has stored a part of that state only. */
        Change sinceSeenState(Change found) {
            return isEmpty() || stored == null || !JsonEquality.equal(found.oldEssence(), stored)
                    ? found
                    : Change.between(base, found.newEssence());
        }

        /** True if the state that counts as handled is not stored as a whole. */
        boolean isPartlyStored() {
            return stored != null && !JsonEquality.equal(stored, base);
        }
    }
}
