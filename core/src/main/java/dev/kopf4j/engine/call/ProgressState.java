package dev.kopf4j.engine.call;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerKind;
import dev.kopf4j.Reason;
import dev.kopf4j.engine.call.RetryPolicy.Outcome;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.persistence.progress.ProgressPersistence;
import dev.kopf4j.persistence.progress.ProgressRecord;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * How far the handlers of one object have come: what is stored on the object, and what was added in this cycle.
 * Confined to the object's worker, but for {@link #recordOf}.
 */
public final class ProgressState {
    private static final String SUB_HANDLER = "a sub-handler of ";

    private final ProgressPersistence storage;
    /** The records that are stored on the object, as far as is known. */
    private final Map<String, ProgressRecord> stored = new LinkedHashMap<>();
    /** Those that it will have once the patch is written. */
    private final Map<String, ProgressRecord> patched = new LinkedHashMap<>();

    private final Reason reason;
    private final List<RegisteredHandler> owned;
    /** Changed by the object's worker alone, but calls that go on may look into it. */
    private final Map<String, ProgressRecord> records = Collections.synchronizedMap(new LinkedHashMap<>());

    /** The handlers of this handling, which is finished when all of them are. */
    private final Set<String> active = new LinkedHashSet<>();
    /** The handlers of this handling and their sub-handlers, whose records are stored. */
    private final Set<String> involved = new LinkedHashSet<>();
    /** The sub-handlers of this cycle and of earlier ones. */
    private final Set<String> knownChildren;
    /** Whose the ids of sub-handlers and steps are that are known in this cycle, in words. */
    private final Map<String, String> owners = new HashMap<>();

    private ProgressState(
            ProgressPersistence storage, Reason reason, List<RegisteredHandler> owned, Set<String> knownChildren) {
        this.storage = storage;
        this.reason = reason;
        this.owned = owned;
        this.knownChildren = knownChildren;
    }

    /**
     * Reads what is stored on the object of any of the handlers, selected or not.
     *
     * @param knownChildren the sub-handlers that were called by now; becomes longer and is emptied with the progress
     */
    public static ProgressState load(
            ProgressPersistence storage,
            Reason reason,
            List<RegisteredHandler> owned,
            Set<String> knownChildren,
            ObjectNode body) {
        ProgressState state = new ProgressState(storage, reason, owned, knownChildren);
        for (RegisteredHandler handler : owned) {
            ProgressRecord record = state.fetch(handler.id(), body);
            if (record != null) {
                state.records.put(handler.id(), record);
            }
        }
        return state;
    }

    /** Reads a record from the object; null if there is none. */
    private @Nullable ProgressRecord fetch(String id, ObjectNode body) {
        ProgressRecord found = storage.fetch(id, body);
        if (found != null) {
            stored.put(id, found);
            patched.put(id, found);
        }
        return found;
    }

    private ProgressRecord begun(@Nullable ProgressRecord found, Instant now) {
        return found == null ? ProgressRecord.fresh(now, reason.word()) : found.begunBy(now);
    }

    /**
     * Makes these the handlers of this handling, instead of the ones before. Those without a record get a fresh one.
     */
    public void activate(List<RegisteredHandler> handlers, Instant now) {
        active.clear();
        for (RegisteredHandler handler : handlers) {
            records.compute(handler.id(), (id, found) -> begun(found, now));
            active.add(handler.id());
            involved.add(handler.id());
        }
    }

    /**
     * Adds the sub-handlers of a parent, with the records that the object has stored of them, and names them in the
     * records of all ancestors. Stored records count only if the parent has one, too: otherwise they are leftovers of
     * another change.
     *
     * @throws HandlerDeclarationException if something else has the id of one
     */
    public void activateChildren(
            List<RegisteredHandler> handlers, List<RegisteredHandler> ancestors, ObjectNode body, Instant now) {
        String owner = SUB_HANDLER + ancestors.getLast();
        handlers.forEach(handler -> refuseTwin(handler.id(), owner));
        activateBelow(handlers.stream().map(RegisteredHandler::id).toList(), ancestors, body, now);
    }

    /** Adds a step of a handler, as {@link #activateChildren} adds a sub-handler; returns how far it has come. */
    public ProgressRecord activateStep(String id, List<RegisteredHandler> ancestors, ObjectNode body, Instant now) {
        refuseTwin(id, "a step of " + ancestors.getLast());
        activateBelow(List.of(id), ancestors, body, now);
        return known(id);
    }

    /** What shares its record with something else counts as done when that is, and is never called. */
    private void refuseTwin(String id, String owner) {
        boolean isTwin = owned.stream().anyMatch(each -> each.id().equals(id) && isOfThisReason(each));
        String other = isTwin ? "another handler" : owners.putIfAbsent(id, owner);
        if (other != null && !other.equals(owner)) {
            throw new HandlerDeclarationException(owner + " has the id '" + id + "', and so has " + other
                    + ": they would share one record; give one of them another name");
        }
    }

    /** True if a handler may be called for the reason of this handling. */
    private boolean isOfThisReason(RegisteredHandler handler) {
        if (reason == Reason.DELETE) {
            return handler.reason() == reason
                    || active.contains(handler.id())
                    || (handler.isInitial() && handler.options().deleted());
        }
        return handler.reason() == null || handler.reason() == reason;
    }

    /** True if what is recorded is of a handler that has that id, too, and no part in this handling. */
    private boolean isOfTwin(String id) {
        return !involved.contains(id)
                && !reason.word().equals(known(id).purpose())
                && owned.stream().anyMatch(each -> each.id().equals(id));
    }

    /** A step has come that far. */
    public void put(String stepId, ProgressRecord record) {
        records.put(stepId, record);
    }

    private void activateBelow(List<String> ids, List<RegisteredHandler> ancestors, ObjectNode body, Instant now) {
        boolean goesOn = patched.containsKey(ancestors.getLast().id());
        for (String id : ids) {
            if (!records.containsKey(id) || isOfTwin(id)) {
                ProgressRecord found = goesOn && !records.containsKey(id) ? fetch(id, body) : null;
                records.put(id, begun(found, now));
            }
            involved.add(id);
            knownChildren.add(id);
        }
        for (RegisteredHandler ancestor : ancestors) {
            records.put(ancestor.id(), record(ancestor).withSubrefs(ids));
        }
    }

    /** The handlers that have neither succeeded nor failed for good. */
    public List<RegisteredHandler> unfinished(List<RegisteredHandler> handlers) {
        List<RegisteredHandler> unfinished = new ArrayList<>();
        for (RegisteredHandler handler : handlers) {
            if (!record(handler).isFinished()) {
                unfinished.add(handler);
            }
        }
        return unfinished;
    }

    /** The handlers that have begun and not ended, and have no part in this handling; with their records. */
    public Map<String, ProgressRecord> unfinishedOthers() {
        Map<String, ProgressRecord> found = new LinkedHashMap<>();
        for (RegisteredHandler handler : owned) {
            ProgressRecord record = active.contains(handler.id()) ? null : records.get(handler.id());
            if (record != null && !record.isFinished()) {
                found.put(handler.id(), record);
            }
        }
        return found;
    }

    /** What handlings for other reasons have left unfinished: how far their handlers have come, in words. */
    public Map<Reason, String> superseded() {
        Map<Reason, String> found = new EnumMap<>(Reason.class);
        for (Reason other : Reason.values()) {
            if (other != reason && other.isHandled() && isOf(other)) {
                found.put(other, counts(other.word()));
            }
        }
        return found;
    }

    private String counts(String purpose) {
        List<ProgressRecord> of = records.values().stream()
                .filter(record -> purpose.equals(record.purpose()))
                .toList();
        long succeeded = of.stream().filter(ProgressRecord::success).count();
        long failed = of.stream().filter(ProgressRecord::failure).count();
        long left = of.size() - succeeded - failed;
        return succeeded + " succeeded; " + failed + " failed; " + left + " left to the moment";
    }

    /** True if something of it is or was done for that reason. */
    public boolean isOf(Reason purpose) {
        for (ProgressRecord record : records.values()) {
            if (purpose.word().equals(record.purpose())) {
                return true;
            }
        }
        return false;
    }

    /**
     * Takes the records of the handlers of this handling over into it. A record of another handling that another
     * declaration of the id may have made says nothing of this one: the handler begins afresh, and what was recorded
     * below it has no part in this handling any more. It goes on between an update and the start of the operator if
     * nobody has changed the object that the handler would have to hear of.
     *
     * @param handlers all declarations that let the object pass, several of one id included
     * @param nothingNew true for the ids of handlers that know all changes which others than the operator have made
     * @return the records of such handlings, by the ids of the handlers
     */
    public Map<String, ProgressRecord> takeOver(
            List<RegisteredHandler> handlers, Instant now, Predicate<String> nothingNew) {
        Map<String, ProgressRecord> before = new LinkedHashMap<>();
        for (RegisteredHandler handler : handlers) {
            ProgressRecord record = record(handler);
            boolean goesOn = isOfStartOrUpdate(record) && nothingNew.test(handler.id());
            if (!goesOn && isOfOtherDeclaration(record, handler.id(), kinds(handlers, handler.id(), each -> true))) {
                before.put(handler.id(), record);
                records.put(handler.id(), ProgressRecord.fresh(now, reason.word()));
                knownChildren.addAll(record.subrefs());
                forget(Set.of(handler.id()));
            } else {
                records.put(handler.id(), record.with(reason.word()));
            }
        }
        return before;
    }

    /** What the handlers of this handling have achieved counts for the next one, if it is theirs, too. */
    public void goOnWith(Reason next) {
        for (RegisteredHandler handler : owned) {
            if (handler.reason() == next && active.contains(handler.id())) {
                records.computeIfPresent(handler.id(), (id, record) -> record.with(next.word()));
            }
        }
    }

    /** True if the record is of the start of the operator and this handling of an update, or the other way round. */
    private boolean isOfStartOrUpdate(ProgressRecord record) {
        return switch (reason) {
            case RESUME -> Reason.UPDATE.word().equals(record.purpose());
            case UPDATE -> Reason.RESUME.word().equals(record.purpose());
            default -> false;
        };
    }

    /**
     * True if other declarations of the id are called now than may have made the record. Those of a field hear of the
     * same change for each reason: it does not matter then who else has heard of it, unless that may have been one of
     * the start alone, whose record goes on in an update.
     *
     * @param called the kinds of those that are called now
     */
    private boolean isOfOtherDeclaration(ProgressRecord record, String id, Set<HandlerKind> called) {
        String purpose = record.purpose();
        if (purpose == null || purpose.equals(reason.word())) {
            return false;
        }
        Set<HandlerKind> before = kinds(owned, id, each -> isCalledFor(each, purpose));
        return called.contains(HandlerKind.FIELD)
                ? before.contains(HandlerKind.RESUME) || !before.containsAll(called)
                : !before.equals(called);
    }

    private static Set<HandlerKind> kinds(
            List<RegisteredHandler> handlers, String id, Predicate<RegisteredHandler> wanted) {
        return handlers.stream()
                .filter(each -> each.id().equals(id) && wanted.test(each))
                .map(RegisteredHandler::kind)
                .collect(Collectors.toSet());
    }

    /**
     * True if some objects may pass its filters for that reason: at the start of the operator, no field has changed.
     */
    private static boolean isCalledFor(RegisteredHandler handler, String purpose) {
        return handler.reason() == null
                ? !handler.needsChange() || !purpose.equals(Reason.RESUME.word())
                : handler.reason().word().equals(purpose);
    }

    /** How far a handler has come that may have no part in this handling; null if nothing is known. Thread-safe. */
    public @Nullable ProgressRecord recordOf(String id) {
        return records.get(id);
    }

    /** How far the handler has come. */
    public ProgressRecord record(RegisteredHandler handler) {
        return known(handler.id());
    }

    /** How far a handler of this handling has come; null if it has no part in it. */
    public @Nullable ProgressRecord activeRecord(String id) {
        return active.contains(id) ? records.get(id) : null;
    }

    private ProgressRecord known(String id) {
        ProgressRecord record = records.get(id);
        if (record == null) {
            throw new IllegalStateException("no progress is known of " + id);
        }
        return record;
    }

    /**
     * Adds the outcome of a call of the handler. For a parent this is also called while its call goes on, since its
     * sub-handlers see its record.
     *
     * @param before the record when the call began
     */
    public void add(RegisteredHandler handler, ProgressRecord before, Outcome outcome, Instant now) {
        ProgressRecord known = before.withSubrefs(record(handler).subrefs());
        records.put(handler.id(), outcome.recordedAfter(known, now));
    }

    /** True if a record is stored on the object of that handler, or of the one that has it as a sub-handler. */
    public boolean hasBegun(String id) {
        return stored.containsKey(id)
                || stored.values().stream().anyMatch(record -> record.subrefs().contains(id));
    }

    /** True if the handler has succeeded or failed for good. */
    public boolean isFinished(RegisteredHandler handler) {
        return isFinished(records.get(handler.id()));
    }

    /** True once every handler of this handling has succeeded or failed for good. */
    public boolean isDone() {
        for (String id : active) {
            if (!known(id).isFinished()) {
                return false;
            }
        }
        return true;
    }

    /** How many handlers of this handling have succeeded; sub-handlers count with their parents. */
    public long succeeded() {
        return count(ProgressRecord::success);
    }

    /** How many have failed for good. */
    public long failed() {
        return count(ProgressRecord::failure);
    }

    private long count(Predicate<ProgressRecord> counted) {
        long count = 0;
        for (String id : active) {
            count += counted.test(known(id)) ? 1 : 0;
        }
        return count;
    }

    /** Puts the records into the patch that differ from what the object has, or will have by the patch. */
    public void store(ObjectNode body, ObjectNode patch) {
        for (String id : involved) {
            ProgressRecord record = records.get(id);
            if (record != null && !record.equals(patched.get(id))) {
                storage.store(id, record, body, patch);
                patched.put(id, record);
            }
        }
    }

    /** Lets a custom storage write out what it has held back, as the patch is about to be sent. */
    public void flush() {
        storage.flush();
    }

    /** Takes note that what was put into the patch is on the object now. */
    public void acknowledge() {
        stored.putAll(patched);
    }

    /** The handlers and sub-handlers that have ended since what is known to be stored. */
    public Set<String> justFinished() {
        Set<String> ids = new LinkedHashSet<>(involved);
        ids.removeIf(id -> !isFinished(records.get(id)) || isFinished(stored.get(id)));
        return ids;
    }

    private static boolean isFinished(@Nullable ProgressRecord record) {
        return record != null && record.isFinished();
    }

    /**
     * Forgets how far the handlers have come: those that are named, with all below them, and the parents of
     * sub-handlers among them, with their steps. Sub-handlers of such parents that have ended with the last call of
     * these, and are not named, stay so: the parents begin anew beside them. That is known only in the cycle in which
     * they were called: if another handler outlasts the parent, all of its sub-handlers begin anew.
     *
     * @return all that were forgotten
     */
    public Set<String> restart(Set<String> ids, Instant now) {
        Set<String> again = new LinkedHashSet<>(ids);
        records.forEach((id, record) -> again.addAll(ids.contains(id) ? record.subrefs() : List.of()));
        Map<String, ProgressRecord> parents = new LinkedHashMap<>();
        records.forEach((id, record) -> {
            if (!again.contains(id) && record.subrefs().stream().anyMatch(ids::contains)) {
                parents.put(id, record);
            }
        });
        Set<String> kept = endedBeside(again, parents);
        again.addAll(parents.keySet());
        parents.values().forEach(record -> again.addAll(record.subrefs()));
        again.removeAll(kept);
        records.keySet().removeAll(again);
        // They are written anew if there are any again.
        patched.keySet().removeAll(again);
        parents.forEach((id, record) -> {
            List<String> left = record.subrefs().stream()
                    .filter(each -> kept.contains(each) || hasAny(parents.get(each), kept))
                    .toList();
            if (!left.isEmpty()) {
                // What is stored of sub-handlers counts only beside the record of their parent.
                records.put(id, ProgressRecord.fresh(now, reason.word()).withSubrefs(left));
                again.remove(id);
            }
        });
        return again;
    }

    /** The sub-handlers of these parents that have ended and are not called again, with what is below them. */
    private Set<String> endedBeside(Set<String> again, Map<String, ProgressRecord> parents) {
        Set<String> kept = new HashSet<>();
        for (ProgressRecord parent : parents.values()) {
            for (String id : parent.subrefs()) {
                boolean isSubHandler = owners.getOrDefault(id, "").startsWith(SUB_HANDLER);
                if (isSubHandler && !again.contains(id) && !parents.containsKey(id) && isFinished(records.get(id))) {
                    kept.add(id);
                    kept.addAll(known(id).subrefs());
                }
            }
        }
        return kept;
    }

    private static boolean hasAny(@Nullable ProgressRecord record, Set<String> ids) {
        return record != null && record.subrefs().stream().anyMatch(ids::contains);
    }

    /** Puts the removal of these records into the patch. */
    public void purge(Collection<String> ids, ObjectNode body, ObjectNode patch) {
        ids.forEach(id -> storage.purge(id, body, patch));
        storage.flush();
    }

    /**
     * Puts the removal of all records of the operator's handlers into the patch. Records of other ids are left alone,
     * whatever they look like: they are another operator's.
     */
    public void purge(ObjectNode body, ObjectNode patch) {
        purge(allIds(), body, patch);
        knownChildren.clear();
    }

    /** Puts the removal of the records into the patch that have no part in this handling. */
    public void purgeOthers(ObjectNode body, ObjectNode patch) {
        Set<String> ids = allIds();
        for (String id : active) {
            ids.remove(id);
            known(id).subrefs().forEach(ids::remove);
        }
        purge(ids, body, patch);
        records.keySet().removeAll(ids);
        forget(ids);
    }

    /** The object has no such records any more. */
    private void forget(Set<String> ids) {
        stored.keySet().removeAll(ids);
        patched.keySet().removeAll(ids);
    }

    private Set<String> allIds() {
        Set<String> ids = new LinkedHashSet<>(knownChildren);
        owned.forEach(handler -> ids.add(handler.id()));
        ids.addAll(records.keySet());
        records.values().forEach(record -> ids.addAll(record.subrefs()));
        stored.values().forEach(record -> ids.addAll(record.subrefs()));
        return ids;
    }
}
