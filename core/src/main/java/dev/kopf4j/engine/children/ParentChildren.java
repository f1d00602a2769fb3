package dev.kopf4j.engine.children;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.Reason;
import dev.kopf4j.engine.call.HandlerAttempt;
import dev.kopf4j.engine.call.HandlerSelection;
import dev.kopf4j.engine.call.InvocationCause;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.call.RetryPolicy.Outcome;
import dev.kopf4j.engine.call.RetryPolicy.RetryDecision;
import dev.kopf4j.engine.cause.DeletionState;
import dev.kopf4j.engine.children.ChildIndex.ParentKeys;
import dev.kopf4j.engine.children.ChildWriter.ChildOutcome;
import dev.kopf4j.engine.children.ChildrenMemory.ChildTelling;
import dev.kopf4j.engine.children.DesiredChildren.DesiredChild;
import dev.kopf4j.engine.children.KnownChildren.ChildNotice;
import dev.kopf4j.engine.children.ReconcilePass.PassOutcomes;
import dev.kopf4j.engine.children.ReconcilePass.ReconcileCalls;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.json.Json;
import dev.kopf4j.object.BodyView;
import dev.kopf4j.object.CompactBody;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task.TaskEndError;
import java.time.Instant;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The handling of children for the parents of one resource. Thread-safe; the memory of a parent belongs to its worker.
 *
 * @param environment what is the same for all resources
 * @param handlers the handlers of the resource that are about children
 */
public record ParentChildren(ChildrenEnvironment environment, List<RegisteredHandler> handlers) {
    /**
     * The finalizer of {@code kubectl delete --cascade=orphan}: dependents stay.
     *
     * @see <a href="https://kubernetes.io/docs/concepts/architecture/garbage-collection/#orphaned-dependents">orphaned
     *     dependents</a>
     */
    private static final String ORPHAN = "orphan";

    /** True if there are no such handlers. */
    public boolean isIdle() {
        return handlers.isEmpty();
    }

    /**
     * A parent is seen for the first time.
     *
     * @param wake tells the parent's worker to look at the children; called from any thread
     */
    public ChildrenMemory begin(String uid, ObjectReference reference, Runnable wake) {
        ChildrenMemory memory = new ChildrenMemory(ParentKeys.of(uid, reference, handlers), wake);
        environment.index().parentIsThere(memory.keys(), reference.namespace(), wake, isToldOfChildren());
        return memory;
    }

    /** A parent is gone, or is not watched any more. */
    public void end(ChildrenMemory memory) {
        environment.index().parentIsGone(memory.keys(), memory.wake());
    }

    /** True if the parent has work because of its children, whatever its own state is. */
    public boolean isDisturbed(ChildrenMemory memory) {
        return environment.index().isDisturbed(memory.keys())
                || memory.retryAt().hasPassed(environment.platform());
    }

    /** True if the state of the parent has to be kept between cycles. */
    public boolean keepsBody(ChildrenMemory memory) {
        return !memory.isAtRest() || isToldOfChildren();
    }

    private boolean isToldOfChildren() {
        return handlers.stream().anyMatch(handler -> handler.kind() == HandlerKind.CHILD);
    }

    /**
     * True if the children have to be deleted before the parent in that state; if it is in deletion: if it has to wait
     * for some that are there.
     */
    public boolean needsFinalizer(ResourceObject state, ChildrenMemory memory) {
        return DeletionState.isRequested(state.node())
                ? holdsDeletion(state, memory)
                : !ordered(state).isEmpty();
    }

    private boolean holdsDeletion(ResourceObject state, ChildrenMemory memory) {
        List<RegisteredHandler> ordered = orderedInDeletion(state, memory);
        return !ordered.isEmpty()
                && !orderedChildren(environment, state.reference(), ordered).isEmpty();
    }

    /**
     * None if somebody wants the children to stay. The garbage collector takes the finalizer off when it has taken the
     * owner off the children, of which their streams may tell later than that of the parent.
     */
    private List<RegisteredHandler> orderedInDeletion(ResourceObject state, ChildrenMemory memory) {
        for (JsonNode finalizer : state.node().path("metadata").path("finalizers")) {
            if (finalizer.asString("").equals(ORPHAN)) {
                memory.childrenStay();
            }
        }
        return memory.doChildrenStay() ? List.of() : ordered(state);
    }

    /** The own children of a parent that those handlers have made. */
    private static List<LiveChild> orderedChildren(
            ChildrenEnvironment environment, ObjectReference parent, List<RegisteredHandler> handlers) {
        Set<String> ids = handlers.stream().map(RegisteredHandler::id).collect(Collectors.toSet());
        return environment.index().children(String.valueOf(parent.uid())).stream()
                .filter(LiveChild::isOwn)
                .filter(child -> ids.contains(child.seen().applied().handler()))
                .toList();
    }

    private List<RegisteredHandler> ordered(ResourceObject state) {
        return handlers.stream()
                .filter(handler -> handler.options().ordered())
                .filter(handler -> isConcerned(handler, state))
                .toList();
    }

    /** True also if a filter fails: it lets no parent go before its children, and holds up nothing else. */
    private boolean isConcerned(RegisteredHandler handler, ResourceObject state) {
        return !concerned(List.of(handler), state).isEmpty();
    }

    private List<RegisteredHandler> concerned(List<RegisteredHandler> asked, ResourceObject state) {
        return HandlerSelection.concerned(
                asked.stream()
                        .filter(handler -> handler.kind() == HandlerKind.RECONCILE)
                        .toList(),
                state,
                new InvocationCause.Reconciling(state.node(), null),
                environment.contexts(),
                HandlerSelection::failing);
    }

    /**
     * Does all that there is to do for the children of a parent.
     *
     * @param state the parent in its newest state
     * @param essence the part of it that matters to handlers
     * @param patch takes what is to be changed in the parent
     * @return when something has to be done again; never for nothing
     */
    public Deadline handle(ResourceObject state, ObjectNode essence, ChildrenMemory memory, PatchContent patch)
            throws InterruptedException {
        boolean disturbed = environment.index().takeDisturbance(memory.keys());
        boolean done = false;
        try {
            Deadline toTell = new ChildHandlerCalls(environment, state, memory, patch, handlers).tell();
            ResourceObject seen = state.with(patch.preview(state.node()));
            if (DeletionState.isRequested(state.node())) {
                new OrderedDeletion(environment, seen, memory, patch).run(orderedInDeletion(seen, memory));
            } else {
                reconcile(seen, essence, memory, patch, disturbed);
            }
            done = true;
            return memory.retryAt().orEarlier(toTell);
        } finally {
            if (!done) {
                // A filter has failed, or a request: the next cycle has to look, whatever was the reason to.
                environment.index().disturb(memory.keys());
            }
        }
    }

    /**
     * True if requests about children may follow.
     *
     * @param state the parent as it is going to be
     * @param essence the part of it that matters to handlers
     */
    public boolean haveWork(ResourceObject state, ObjectNode essence, ChildrenMemory memory) {
        return isDisturbed(memory)
                || memory.hasTellings()
                || (handlers.stream().anyMatch(handler -> handler.kind() == HandlerKind.RECONCILE)
                        && !memory.hasReconciled(Digests.of(whatMatters(essence, state.node()))));
    }

    /**
     * Somebody wants handlers to be called again.
     *
     * @param names true for the ids of those that are meant: their limits begin anew
     * @param unsuccessful true if all are meant that wait for another attempt
     * @return the ids of those that are called
     */
    public Set<String> retry(ChildrenMemory memory, Predicate<String> names, boolean unsuccessful) {
        Instant now = environment.platform().now();
        Set<String> chosen = new LinkedHashSet<>();
        boolean reconciles = false;
        for (RegisteredHandler handler : handlers) {
            boolean named = names.test(handler.id());
            boolean reconciling = handler.kind() == HandlerKind.RECONCILE;
            boolean called = reconciling
                    ? named || (unsuccessful && !memory.isAtRest())
                    : (named || unsuccessful)
                            && memory.changeRecords(
                                    handler.id(), record -> named ? record.renewed(now) : record.dueAt(now));
            if (called) {
                chosen.add(handler.id());
            }
            reconciles |= called && reconciling;
        }
        if (reconciles) {
            memory.forgetState();
        }
        return chosen;
    }

    private void reconcile(
            ResourceObject state, ObjectNode essence, ChildrenMemory memory, PatchContent patch, boolean disturbed)
            throws InterruptedException {
        long digest = Digests.of(whatMatters(essence, state.node()));
        boolean changed = !memory.hasReconciled(digest);
        boolean due = memory.retryAt().hasPassed(environment.platform());
        if (!changed && !disturbed && !due) {
            return;
        }
        List<RegisteredHandler> concerned = concerned(handlers, state);
        memory.reconciled(digest);
        if (changed) {
            memory.forgetFailures();
        }
        if (concerned.isEmpty()) {
            memory.retryAt(Deadline.NEVER);
            memory.rest(true);
            return;
        }
        Set<String> registered = handlers.stream().map(RegisteredHandler::id).collect(Collectors.toSet());
        new ReconcilePass(environment, state, memory, patch).run(concerned, registered);
    }

    /** The conditions are what children are told by: they do not say which there ought to be. */
    private static ObjectNode whatMatters(ObjectNode essence, ObjectNode body) {
        ObjectNode all = Json.object();
        all.set("essence", essence);
        if (body.get("status") instanceof ObjectNode status) {
            ObjectNode rest = Json.object();
            status.forEachEntry((key, value) -> {
                if (!key.equals("conditions") && !key.equals("kopf")) {
                    rest.set(key, value);
                }
            });
            if (!rest.isEmpty()) {
                all.set("status", rest);
            }
        }
        return all;
    }

    /**
     * Deletes the children before their parent: each when all are gone that are after it. If a handler fails to say
     * which come after which, its children wait for its next attempt; if there is none, they have no order. Confined;
     * used once.
     */
    private static final class OrderedDeletion {
        private final ChildWriter writer;
        private final ReconcileCalls calls;
        private final PassOutcomes outcomes;
        private final ChildrenEnvironment environment;
        private final ObjectReference parent;
        private final ChildrenMemory memory;
        private final Map<String, Set<String>> laterUids = new HashMap<>();
        private List<LiveChild> live = List.of();
        private Map<List<String>, List<LiveChild>> liveByName = Map.of();

        OrderedDeletion(
                ChildrenEnvironment environment, ResourceObject parent, ChildrenMemory memory, PatchContent patch) {
            this.writer = new ChildWriter(environment, parent, memory);
            this.calls = new ReconcileCalls(environment, parent, memory, patch);
            this.outcomes = new PassOutcomes(environment, parent, memory, patch);
            this.environment = environment;
            this.parent = parent.reference();
            this.memory = memory;
        }

        /** Deletes those whose turn has come. */
        void run(List<RegisteredHandler> handlers) throws InterruptedException {
            memory.retryAt(Deadline.NEVER);
            live = orderedChildren(environment, parent, handlers);
            liveByName = LiveChild.byName(live);
            if (live.isEmpty()) {
                outcomes.forgetWhatIsOver();
                return;
            }
            Set<String> undecided = new HashSet<>();
            for (RegisteredHandler handler : handlers) {
                switch (calls.ask(handler)) {
                    case ReconcileCalls.Answer.Described(List<DesiredChild> children) -> children.forEach(this::note);
                    case ReconcileCalls.Answer.Failed(String message, Deadline again) -> {
                        if (!again.isNever()) {
                            undecided.add(handler.id());
                            outcomes.addFailed(handler, message, again);
                        }
                    }
                }
            }
            Set<String> uids = live.stream().map(LiveChild::uid).collect(Collectors.toSet());
            for (LiveChild child : live) {
                Set<String> later = laterUids.getOrDefault(child.uid(), Set.of());
                String handler = child.seen().applied().handler();
                if (!undecided.contains(handler)) {
                    boolean waits = !Collections.disjoint(uids, later);
                    outcomes.add(
                            handler,
                            waits
                                    ? ChildOutcome.of(child.title(), "it stays until those are gone that are after it")
                                    : writer.delete(child));
                }
            }
            if (undecided.isEmpty()) {
                outcomes.forgetWhatIsOver();
            }
            memory.retryAt(outcomes.retryAt());
            if (outcomes.isTrouble()) {
                outcomes.tell(handlers.stream().filter(outcomes::concern).toList());
            }
        }

        private void note(DesiredChild child) {
            for (DesiredChild earlier : child.before()) {
                for (LiveChild first : ofLive(earlier)) {
                    Set<String> later = laterUids.computeIfAbsent(first.uid(), uid -> new HashSet<>());
                    ofLive(child).stream().map(LiveChild::uid).forEach(later::add);
                }
            }
        }

        private List<LiveChild> ofLive(DesiredChild child) {
            return child.configuration().among(liveByName);
        }
    }

    /** Tells handlers of a parent what has happened to its children. Confined to one cycle of the parent. */
    private static final class ChildHandlerCalls {
        private final ChildrenEnvironment environment;
        private final Platform platform;
        private final ResourceObject parent;
        private final ChildrenMemory memory;
        private final PatchContent patch;
        private final List<RegisteredHandler> handlers;

        ChildHandlerCalls(
                ChildrenEnvironment environment,
                ResourceObject parent,
                ChildrenMemory memory,
                PatchContent patch,
                List<RegisteredHandler> handlers) {
            this.environment = environment;
            this.platform = environment.platform();
            this.parent = parent;
            this.memory = memory;
            this.patch = patch;
            this.handlers = handlers.stream()
                    .filter(handler -> handler.kind() == HandlerKind.CHILD)
                    .toList();
        }

        /** Tells what is new, and what has failed before; returns when the next attempt is due, never for none. */
        Deadline tell() throws InterruptedException {
            if (handlers.isEmpty()) {
                return Deadline.NEVER;
            }
            for (String key : memory.keys()) {
                for (ChildNotice notice : environment.index().notices(key)) {
                    tellNotice(key, notice);
                }
            }
            Deadline next = Deadline.NEVER;
            if (memory.hasTellings()) {
                for (ChildTelling telling : List.copyOf(memory.tellings().values())) {
                    next = next.orEarlier(tellAgain(telling));
                }
            }
            return next;
        }

        private void tellNotice(String key, ChildNotice notice) throws InterruptedException {
            CompactBody newest = notice.newest();
            if (newest == null) {
                return;
            }
            ChildTelling telling =
                    memory.tellings().computeIfAbsent(notice.uid(), uid -> new ChildTelling(notice, newest));
            telling.newer(notice, newest);
            Instant now = platform.now();
            for (RegisteredHandler handler : handlers) {
                if (handler.declaration().concernsChildren(notice.resource())
                        && keyOf(handler).equals(key)) {
                    ChildTelling.Pending before = telling.pending().get(handler.id());
                    telling.pending()
                            .put(
                                    handler.id(),
                                    before == null
                                            ? new ChildTelling.Pending(
                                                    ProgressRecord.fresh(now, null), notice.reason(), notice.told())
                                            : before.and(notice.reason()));
                }
            }
            environment.index().told(key, notice, newest);
        }

        private String keyOf(RegisteredHandler handler) {
            return handler.options().isByOwner()
                    ? memory.keys().getFirst()
                    : ParentKeys.named(handler, parent.reference());
        }

        /** A handler of which an earlier call goes on although it was interrupted is told later. */
        private Deadline tellAgain(ChildTelling telling) throws InterruptedException {
            Deadline next = Deadline.NEVER;
            for (RegisteredHandler handler : handlers) {
                ChildTelling.Pending pending = telling.pending().get(handler.id());
                if (pending != null && environment.calls().leftBehind().has(parent, handler)) {
                    if (pending.record().retries() == 0) {
                        // Its time begins with its call.
                        Instant now = platform.now();
                        telling.pending().put(handler.id(), pending.with(record -> record.dueAt(now)));
                    }
                    next = next.orEarlier(platform.after(environment.runner().lookAgainAfter()));
                } else if (pending != null) {
                    ChildTelling.Pending after =
                            pending.record().isDue(platform.now()) ? call(handler, telling, pending) : pending;
                    if (after == null) {
                        telling.pending().remove(handler.id());
                    } else {
                        telling.pending().put(handler.id(), after);
                        next = next.orEarlier(platform.after(after.record().delay(platform.now())));
                    }
                }
            }
            if (telling.pending().isEmpty()) {
                memory.tellings().remove(telling.notice().uid());
            }
            return next;
        }

        /** Null if nothing has to be told. */
        private ChildTelling.@Nullable Pending call(
                RegisteredHandler handler, ChildTelling telling, ChildTelling.Pending pending)
                throws InterruptedException {
            CompactBody known = pending.known();
            InvocationCause.OfChild cause = new InvocationCause.OfChild(
                    pending.reason(),
                    known == null ? null : known.parse(),
                    telling.newest().parse());
            HandlerAttempt attempt = environment.calls().attempt(handler, parent, cause, pending.record(), patch);
            @Nullable RetryDecision decision = decision(attempt, handler, cause);
            return decision == null || !(decision.outcome() instanceof Outcome.Retry)
                    ? null
                    : new ChildTelling.Pending(attempt.after(decision), pending.reason(), known);
        }

        /** Null if the handler is not concerned. A filter that fails is a failed attempt of its handler alone. */
        private @Nullable RetryDecision decision(
                HandlerAttempt attempt, RegisteredHandler handler, InvocationCause.OfChild cause)
                throws InterruptedException {
            boolean concerned;
            try {
                concerned = concerns(handler, cause);
            } catch (Throwable e) {
                TaskEndError.letThrough(e);
                return attempt.threw(e);
            }
            return concerned ? attempt.makeInto(patch) : null;
        }

        private boolean concerns(RegisteredHandler handler, InvocationCause.OfChild cause) {
            ResourceObject child = new ResourceObject(
                    parent.resource(), parent.reference(), new BodyView(cause.child()), parent.logger(), parent.memo());
            boolean changed = cause.reason() != Reason.UPDATE
                    || handler.options().field().isEmpty()
                    || !cause.diff(handler.field()).isEmpty();
            return changed && HandlerSelection.concernsChild(handler, child, parent, cause, environment.contexts());
        }
    }
}
