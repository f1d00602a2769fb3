package dev.kopf4j.engine.cycle;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.Reason;
import dev.kopf4j.engine.call.HandlerSelection;
import dev.kopf4j.engine.call.InvocationCause;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.cause.Cause.Change;
import dev.kopf4j.engine.children.ChildrenMemory;
import dev.kopf4j.engine.children.ParentChildren;
import dev.kopf4j.engine.cycle.OutdatedHandlerRerun.SeenStates;
import dev.kopf4j.engine.daemon.ObjectDaemons;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.declaration.ResourceHandlers;
import dev.kopf4j.engine.declaration.ValueFilter;
import dev.kopf4j.engine.intervention.FailedHandlers;
import dev.kopf4j.engine.intervention.Interventions;
import dev.kopf4j.engine.intervention.Interventions.RetryRequest;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.JsonDiff;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.persistence.progress.ProgressPersistence;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.persistence.progress.ProgressRecord.State;
import dev.kopf4j.persistence.progress.ProgressRecord.Times;
import dev.kopf4j.persistence.progress.StepMarks;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Follows somebody's request that handlers be called again. It calls none: it changes what is stored on the object so
 * that the next cycle has to call them, in the ordinary way. So a crash in between loses nothing, each request is
 * followed once, and a Python operator that takes over goes on with it.
 *
 * <p>While a change is handled, its failed handlers begin anew, and those that wait are due. Else the change is made
 * again: a creation by forgetting that the object was handled, an update by the state that was handled before it; all
 * other handlers of it count as successful with the present state, so that they are called for what changes meanwhile.
 * Confined to the object's worker; used once.
 */
final class RequestedRetry {
    /** The order in which a request is followed if handlers of several reasons are meant. */
    private static final List<Reason> REASONS = List.of(Reason.CREATE, Reason.UPDATE, Reason.RESUME);

    private static final JsonNode SOMETHING = StringNode.valueOf("");

    private final StoredState stored;
    private final ResourceHandlers handlers;
    private final FailedHandlers remembered;
    private final ResourceObject object;
    private final RetryRequest request;
    private final ObjectNode patch;
    private final Instant now;
    private final Set<String> chosen = new LinkedHashSet<>();
    private final Set<String> filtered = new LinkedHashSet<>();
    private final Set<String> afterwards = new LinkedHashSet<>();
    private final Set<String> withMadeUpValue = new LinkedHashSet<>();
    private boolean resumesAgain;
    private Consumer<ObjectMemory> unstored = _ -> {};
    private @Nullable String obstacle;

    /**
     * To follow that request.
     *
     * @param handlers those of the object's resource
     * @param remembered the handlers that have failed for good, and may not be stored on the object
     * @param patch takes what is to be stored
     */
    RequestedRetry(
            StoredState stored,
            ResourceHandlers handlers,
            FailedHandlers remembered,
            ResourceObject object,
            RetryRequest request,
            ObjectNode patch,
            Instant now) {
        this.stored = stored;
        this.handlers = handlers;
        this.remembered = remembered;
        this.object = object;
        this.request = request;
        this.patch = patch;
        this.now = now;
    }

    /**
     * True if the change has to be handled first: what is about to be called is not what has failed, or has no part in
     * the change.
     *
     * @param concerned true if the change concerns handlers
     */
    boolean waitsFor(Cause cause, boolean concerned) {
        return cause instanceof Cause.Handleable
                && cause.reason() != Reason.DELETE
                && concerned
                && (isFollowedInPart() || records().isEmpty() || isForOthers());
    }

    /** True if another change is made again, before this one has its turn. */
    private boolean isFollowedInPart() {
        return !interventions().followedPart(request, object.node()).isEmpty();
    }

    /** True if a handler is named that has no part in the change that is being handled. */
    private boolean isForOthers() {
        return handlers.changes().stream()
                        .anyMatch(handler -> handler.kind() != HandlerKind.DELETE
                                && (handler.id().equals(request.handler())
                                        || failures().subHandlers(handler.id()).containsKey(request.handler())))
                && !records().containsKey(request.handler());
    }

    /**
     * Adds to the patch what is to be stored, and that the request is followed.
     *
     * @return false if something has to be stored before that: the next cycle follows
     */
    boolean followInStored(Cause cause) {
        if (!isFollowedInPart() && dropsIntentsOfDaemons()) {
            // Daemons and timers read what is stored.
            return false;
        }
        if (cause instanceof Cause.Handleable && !records().isEmpty()) {
            Map<String, ProgressRecord> records = records();
            records.forEach((id, record) -> renew(id, record, records));
            records.forEach((id, record) -> letGoOn(id, record, records));
            // The innermost first.
            List.copyOf(records.entrySet()).reversed().forEach(each -> reopen(each.getKey(), each.getValue(), records));
            dropUndoableIntents();
            storage().flush();
        } else if (cause.reason() != Reason.FREE && cause.reason() != Reason.DELETE) {
            Reason made = makeAgain();
            if (made != null && !afterwards.isEmpty()) {
                interventions().acknowledgePart(request, made.word(), object.node(), patch);
                return true;
            }
        }
        interventions().acknowledge(request, object.node(), patch);
        return true;
    }

    /** Lets daemons, timers and children follow, whose progress is in memory. */
    void followIn(ObjectMemory memory, ParentChildren children) {
        if (resumesAgain) {
            memory.resumeAgain();
        }
        unstored.accept(memory);
        if (!isFollowedInPart()) {
            retryDaemons(memory);
            retryChildren(memory, children);
        }
    }

    /** The ids of the handlers that are called again. */
    Set<String> chosen() {
        return chosen;
    }

    /** True if handlers are to be called as if the operator had just started. */
    boolean resumesAgain() {
        return resumesAgain;
    }

    private Interventions interventions() {
        return stored.interventions();
    }

    private FailedHandlers failures() {
        return interventions().failures(object.node()).and(remembered);
    }

    private ProgressPersistence storage() {
        return stored.progress();
    }

    private void store(String id, ProgressRecord record) {
        storage().store(id, record, object.node(), patch);
    }

    // While a change is handled.

    /** What is stored of the handlers and their sub-handlers. */
    private Map<String, ProgressRecord> records() {
        Map<String, ProgressRecord> found = new LinkedHashMap<>();
        handlers.changes().forEach(handler -> collect(handler.id(), found));
        return found;
    }

    private void collect(String id, Map<String, ProgressRecord> found) {
        ProgressRecord record = found.containsKey(id) ? null : storage().fetch(id, object.node());
        if (record != null) {
            found.put(id, record);
            record.subrefs().forEach(child -> collect(child, found));
        }
    }

    private void renew(String id, ProgressRecord record, Map<String, ProgressRecord> records) {
        ProgressRecord next = null;
        if (request.names(id)
                || isInDoubtOfNamed(id, record, records)
                || (request.isForUnsuccessful() && record.failure())) {
            next = record.renewed(now);
        } else if (request.isForUnsuccessful() && !record.success() && record.delayed() != null) {
            next = record.dueAt(now);
        }
        if (next != null) {
            chosen.add(id);
            store(id, withoutIntent(next, record));
        }
    }

    // Steps.

    /** Who asks for a retry says that the call of a step whose end nobody knows may be made again. */
    private static ProgressRecord withoutIntent(ProgressRecord next, ProgressRecord before) {
        return before.step() == null ? next : next.with(ProgressRecord.Step.NOTHING);
    }

    /** True for a step that nobody knows the end of, if its handler is named. */
    private boolean isInDoubtOfNamed(String id, ProgressRecord record, Map<String, ProgressRecord> records) {
        return record.stepOrNothing().intent()
                && records.entrySet().stream()
                        .anyMatch(each -> each.getValue().subrefs().contains(id) && request.names(each.getKey()));
    }

    /** A handler that has stopped as one of its steps is in doubt goes on, and its time begins anew. */
    private void letGoOn(String id, ProgressRecord record, Map<String, ProgressRecord> records) {
        boolean goesOn = record.subrefs().stream()
                .anyMatch(step -> chosen.contains(step)
                        && records.containsKey(step)
                        && records.get(step).stepOrNothing().intent());
        if (goesOn && !record.success()) {
            chosen.add(id);
            store(id, record.renewed(now));
        }
    }

    /**
     * Only a handler that is called calls its sub-handlers and steps: one that has ended is called again for its
     * sub-handlers, and one that waits does so no longer.
     */
    private void reopen(String id, ProgressRecord record, Map<String, ProgressRecord> records) {
        boolean ended = record.isFinished();
        boolean needed = !record.isDue(now)
                && record.subrefs().stream()
                        .anyMatch(child -> chosen.contains(child)
                                && records.containsKey(child)
                                && (!ended || records.get(child).step() == null));
        if (needed && chosen.add(id)) {
            store(id, ended ? record.renewed(now) : record.dueAt(now));
        }
    }

    /** True if steps of timers and daemons were in doubt that the request is about; their intents go. */
    private boolean dropsIntentsOfDaemons() {
        boolean any = false;
        for (RegisteredHandler handler : handlers.background()) {
            ProgressRecord parent = storage().fetch(handler.stepsOwner(), object.node());
            if (parent != null && (request.isForUnsuccessful() || request.names(handler.id()))) {
                for (String id : parent.subrefs()) {
                    any |= dropsIntent(id);
                }
            }
        }
        storage().flush();
        return any;
    }

    private boolean dropsIntent(String id) {
        ProgressRecord step = storage().fetch(id, object.node());
        if (step == null || !step.stepOrNothing().intent()) {
            return false;
        }
        store(id, withoutIntent(ProgressRecord.fresh(now, null), step));
        return true;
    }

    private void dropUndoableIntents() {
        StepMarks marks = stored.stepMarks();
        for (StepMarks.Undoable each : marks.undoables(object.node())) {
            if (each.known().intent() && (each.told() || chosen.contains(each.id()))) {
                marks.remove(each, object.node(), patch);
            }
        }
    }

    // When all is handled.

    /** Returns the reason of the change that is made again; null for none. */
    private @Nullable Reason makeAgain() {
        FailedHandlers failures = failures();
        Map<Reason, List<RegisteredHandler>> asked = new LinkedHashMap<>();
        for (RegisteredHandler handler : handlers.changes()) {
            boolean meant = request.names(handler.id())
                    || (request.isForUnsuccessful() && failures.ids().contains(handler.id()))
                    || failures.subHandlers(handler.id()).containsKey(request.handler());
            if (meant && handler.kind() != HandlerKind.DELETE) {
                asked.computeIfAbsent(reason(handler, failures), reason -> new ArrayList<>())
                        .add(handler);
            }
        }
        String followed = interventions().followedPart(request, object.node());
        boolean open = followed.isEmpty();
        Reason made = null;
        Set<String> had = new LinkedHashSet<>();
        for (Reason reason : REASONS) {
            List<RegisteredHandler> left = new ArrayList<>(asked.getOrDefault(reason, List.of()));
            left.removeIf(handler -> had.contains(handler.id()));
            left.forEach(handler -> had.add(handler.id()));
            if (open && made == null && !left.isEmpty()) {
                made = make(reason, left, failures) ? reason : null;
            } else if (made != null) {
                left.forEach(handler -> afterwards.add(handler.id()));
            }
            open |= reason.word().equals(followed);
        }
        storage().flush();
        return made;
    }

    /** Makes a change again for the handlers; those whose filters it would not pass are left out. False if for none. */
    private boolean make(Reason reason, List<RegisteredHandler> asked, FailedHandlers failures) {
        ObjectNode present = stored.detector().essence(object.node(), handlers.fields());
        List<RegisteredHandler> called = passing(asked, reason, change(reason, asked, failures, present));
        asked.stream()
                .filter(handler -> !called.contains(handler))
                .map(RegisteredHandler::id)
                .forEach(filtered::add);
        if (called.isEmpty()) {
            return false;
        }
        if (reason == Reason.CREATE && !stored.forgetHandled(object.node(), patch)) {
            obstacle = "the storage of last-handled states is a custom one, which cannot forget them";
            return false;
        }
        Change change = change(reason, called, failures, present);
        ObjectNode before = change.oldEssence();
        if (reason == Reason.UPDATE && before != null) {
            stored.storeHandled(object, before, patch);
            called.stream()
                    .filter(handler -> SOMETHING.equals(handler.field().find(before)))
                    .map(RegisteredHandler::id)
                    .forEach(withMadeUpValue::add);
        }
        resumesAgain = reason == Reason.RESUME;
        callOnly(called, reason, change, failures);
        return true;
    }

    private Change change(Reason reason, List<RegisteredHandler> asked, FailedHandlers failures, ObjectNode present) {
        return switch (reason) {
            case CREATE -> Change.between(null, present);
            case UPDATE -> Change.between(before(asked, failures, present), present);
            default -> Change.between(present, present);
        };
    }

    private static Reason reason(RegisteredHandler handler, FailedHandlers failures) {
        String word = failures.reason(handler.id());
        if (word.equals(Reason.CREATE.word())) {
            return Reason.CREATE;
        }
        return switch (handler.kind()) {
            case CREATE -> Reason.CREATE;
            case RESUME -> word.equals(Reason.UPDATE.word()) ? Reason.UPDATE : Reason.RESUME;
            default -> Reason.UPDATE;
        };
    }

    /**
     * All other handlers that the change would concern count as successful. What they have seen is stored: they hear of
     * what comes while the chosen ones are called, also from another process.
     */
    private void callOnly(List<RegisteredHandler> asked, Reason reason, Change change, FailedHandlers failures) {
        asked.forEach(handler -> chosen.add(handler.id()));
        Set<String> others = new LinkedHashSet<>();
        for (RegisteredHandler handler : handlers.changes()) {
            boolean called = handler.reason() == null || handler.reason() == reason;
            if (chosen.contains(handler.id())) {
                Map<String, FailedHandlers.Part> parts =
                        request.names(handler.id()) ? Map.of() : failures.subHandlers(handler.id());
                if (parts.isEmpty()) {
                    storage().purge(handler.id(), object.node(), patch);
                } else {
                    Set<String> left = callOnly(handler.id(), parts, ProgressRecord.fresh(now, reason.word()));
                    others.addAll(handler.needsChange() ? left : Set.of());
                }
                continue;
            }
            boolean concerned = handler.isInitial()
                    ? reason == Reason.RESUME
                    : called && reason != Reason.RESUME && isOn(handler, change);
            if (concerned) {
                store(handler.id(), ended(ProgressRecord.fresh(now, reason.word()), true));
            }
            // A creation is no change, but what comes while it is made again is one for those of updates.
            if (handler.needsChange() && (concerned || reason == Reason.CREATE)) {
                others.add(handler.id());
            }
        }
        boolean any = reason != Reason.RESUME && !others.isEmpty();
        ObjectNode seen = any ? SeenStates.record(others, change) : null;
        if (!interventions().storeSeen(seen, object.node(), patch) && seen != null) {
            unstored = memory -> memory.recallSeen(seen, change, handlers.changes());
        }
    }

    /**
     * The handler is called for those of its sub-handlers alone that are asked for: the others stay as they have ended.
     *
     * @return the others
     */
    private Set<String> callOnly(String handlerId, Map<String, FailedHandlers.Part> parts, ProgressRecord fresh) {
        Set<String> left = new LinkedHashSet<>();
        store(handlerId, fresh.withSubrefs(parts.keySet()));
        parts.forEach((id, part) -> {
            List<String> below = parts.keySet().stream()
                    .filter(each -> each.startsWith(id + "/"))
                    .toList();
            boolean failed = part == FailedHandlers.Part.FAILED;
            if (request.isForUnsuccessful() ? failed : id.equals(request.handler())) {
                chosen.add(id);
                storage().purge(id, object.node(), patch);
            } else if (request.isForUnsuccessful()
                    ? part == FailedHandlers.Part.CALLING
                    : below.contains(request.handler())) {
                store(id, fresh.withSubrefs(below));
            } else {
                left.add(id);
                store(id, ended(fresh, !failed).withSubrefs(below));
            }
        });
        return left;
    }

    private ProgressRecord ended(ProgressRecord fresh, boolean successfully) {
        return fresh.with(new Times(now, now, null), new State(successfully, !successfully, null));
    }

    /** True if the handler could be called for the change. */
    private static boolean isOn(RegisteredHandler handler, Change change) {
        FieldPath field = handler.field();
        return change.oldEssence() == null
                || change.diff().items().stream()
                        .map(JsonDiff.Item::field)
                        .anyMatch(each -> each.startsWith(field) || field.startsWith(each));
    }

    /** A state such that each of the handlers has a change to handle since then. */
    private ObjectNode before(List<RegisteredHandler> asked, FailedHandlers failures, ObjectNode present) {
        ObjectNode before = asked.stream()
                .map(handler -> failures.since(handler.id()))
                .flatMap(Optional::stream)
                .findFirst()
                .orElse(present)
                .deepCopy();
        for (RegisteredHandler handler : asked) {
            if (!isOn(handler, Change.between(before, present))) {
                alter(before, handler);
            }
        }
        return before;
    }

    /** Makes a state another one for the handler: without what it looks at, or with it if there is nothing. */
    private static void alter(ObjectNode state, RegisteredHandler handler) {
        boolean whole = handler.field().keys().isEmpty();
        FieldPath field = whole ? FieldPath.of("spec") : handler.field();
        JsonNode present = field.find(state);
        JsonNode wanted = wantedBefore(handler);
        if (wanted != null && !JsonEquality.equal(wanted, present)) {
            set(field, wanted, state);
        } else if (present != null) {
            field.remove(state);
        } else if (whole && !state.isEmpty()) {
            state.removeAll();
        } else {
            set(field, SOMETHING, state);
        }
    }

    /** What the field must have been for the handler; null if that does not matter. */
    private static @Nullable JsonNode wantedBefore(RegisteredHandler handler) {
        return switch (handler.options().oldValue()) {
            case ValueFilter.Literal(JsonNode wanted) -> wanted;
            case ValueFilter.Present() -> SOMETHING;
            case null, default -> null;
        };
    }

    private static void set(FieldPath field, JsonNode value, ObjectNode state) {
        for (int depth = 1; depth < field.keys().size(); depth++) {
            FieldPath way = new FieldPath(field.keys().subList(0, depth));
            if (way.isPresentIn(state) && !(way.find(state) instanceof ObjectNode)) {
                way.remove(state);
            }
        }
        field.ensure(state, value);
    }

    /** Those whose filters let the object pass with that change, as far as that can be told without users' code. */
    private List<RegisteredHandler> passing(List<RegisteredHandler> asked, Reason reason, Change change) {
        Cause.Handleable cause = new Cause.Handleable(reason, reason == Reason.RESUME, change);
        InvocationCause.Changing changing = new InvocationCause.Changing(cause);
        return asked.stream()
                .filter(handler -> HandlerSelection.mismatch(handler, object, changing, true) == null)
                .toList();
    }

    // Daemons, timers, children: their progress is in memory.

    private void retryDaemons(ObjectMemory memory) {
        ObjectDaemons known = memory.daemons();
        if (known != null) {
            known.see(object.node());
            chosen.addAll(known.retry(id -> request.names(id), request.isForUnsuccessful()));
        }
    }

    private void retryChildren(ObjectMemory memory, ParentChildren children) {
        ChildrenMemory known = memory.children();
        if (known != null) {
            chosen.addAll(children.retry(known, request::names, request.isForUnsuccessful()));
        }
    }

    /** What the request leads to, in words. */
    String told() {
        List<String> words = new ArrayList<>();
        if (!chosen.isEmpty()) {
            words.add("these handlers are called: " + String.join(", ", chosen));
        } else if (obstacle != null) {
            words.add("no handler can be called, as " + obstacle);
        }
        if (!withMadeUpValue.isEmpty()) {
            words.add("the old value is an empty text, as none is known, for: " + String.join(", ", withMadeUpValue));
        }
        if (!afterwards.isEmpty()) {
            words.add("when they have ended, these are: " + String.join(", ", afterwards));
        }
        filtered.removeAll(chosen);
        if (!filtered.isEmpty()) {
            words.add("these are not, as their filters do not let the object pass: " + String.join(", ", filtered));
        }
        if (words.isEmpty()) {
            words.add("no handler of this operator waits for another attempt, or has failed"
                    + (request.handler().isEmpty() ? "" : ", or has the id '" + request.handler() + "'"));
        }
        return "A retry was asked for (token '" + request.token() + "'): " + String.join("; ", words) + ".";
    }
}
