package dev.kopf4j.engine.cycle;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Reason;
import dev.kopf4j.Resource;
import dev.kopf4j.engine.call.FilterMismatch;
import dev.kopf4j.engine.call.HandlerSelection;
import dev.kopf4j.engine.call.InvocationCause;
import dev.kopf4j.engine.call.ProgressState;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.call.RetryPolicy;
import dev.kopf4j.engine.call.RetryPolicy.RetryDecision;
import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.cause.Cause.Change;
import dev.kopf4j.engine.cause.DeletionState;
import dev.kopf4j.engine.cycle.FinalizerDecision.Situation;
import dev.kopf4j.engine.cycle.HandlerOutlook.Occasion;
import dev.kopf4j.engine.cycle.HandlerOutlook.Verdict;
import dev.kopf4j.engine.cycle.Outlooks.ObjectOutlook.FinalizerOutlook;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.declaration.ResourceHandlers;
import dev.kopf4j.engine.intervention.FailedHandlers;
import dev.kopf4j.engine.intervention.Interventions;
import dev.kopf4j.engine.intervention.Interventions.RetryRequest;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonDiff;
import dev.kopf4j.json.MergePatch;
import dev.kopf4j.object.BodyView;
import dev.kopf4j.object.ObjectLogger;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.persistence.progress.StepMarks;
import dev.kopf4j.text.KubernetesTimestamps;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Tells what each handler of an operator would do for an object now, without an operator that runs, and without calling
 * anything of the user's. The answers are those of the classes that a cycle asks; what these would ask the user's code,
 * or the memory of a running operator, is told as such. Immutable, thread-safe.
 */
public final class Outlooks {
    private static final String EACH_EVENT = "it is called with each event of the object";

    private final HandlerRegistry registry;
    private final StoredState stored;
    private final Duration defaultBackoff;

    /** Of an operator with these settings and handlers. */
    public Outlooks(OperatorSettings settings, HandlerRegistry registry) {
        this.registry = registry;
        this.stored = new StoredState(settings);
        this.defaultBackoff = settings.execution().defaultBackoff();
    }

    /**
     * What is known beside the object itself. Immutable.
     *
     * @param now the present time
     * @param starting true if the operator starts, and sees the object for the first time; false if it may have seen it
     * @param unwatched why the operator does not watch the object, in words; null if it does
     * @param missingRight the right without which it cannot watch the object, in words; null if it has all
     */
    public record Circumstances(
            Instant now,
            boolean starting,
            @Nullable String unwatched,
            @Nullable String missingRight) {
        /** The operator starts now, and watches the object. */
        public static Circumstances start(Instant now) {
            return new Circumstances(now, true, null, null);
        }

        /** The operator has run for some time, and watches the object. */
        public static Circumstances running(Instant now) {
            return new Circumstances(now, false, null, null);
        }

        /** The same for an object that is not watched. */
        public Circumstances unwatched(String why) {
            return new Circumstances(now, starting, why, missingRight);
        }

        /** The same for an account that lacks a right. */
        public Circumstances missingRight(String right) {
            return new Circumstances(now, starting, unwatched, right);
        }
    }

    /**
     * What an operator would do for one object now. Immutable.
     *
     * @param cause what has happened to the object since it was handled, as far as its state tells; after a retry that
     *     was asked for, since the state that it makes
     * @param finalizer what would be done about the operator's finalizer
     * @param undoables the steps that the object remembers, to be taken back when it is deleted
     * @param pause what somebody has paused of it
     * @param retry the request for a retry that would be followed first; null for none
     * @param handlers what each handler would do, in the order of their registration, sub-handlers behind their parents
     * @param handlesStates true if any handler is for what the object has come to; else nothing is remembered of it
     */
    public record ObjectOutlook(
            Cause cause,
            FinalizerOutlook finalizer,
            List<String> undoables,
            Interventions.Pause pause,
            Interventions.@Nullable RetryRequest retry,
            List<HandlerOutlook> handlers,
            boolean handlesStates) {
        /** Copies the lists. */
        public ObjectOutlook {
            undoables = List.copyOf(undoables);
            handlers = List.copyOf(handlers);
        }

        /** What has happened to the object. */
        public Reason reason() {
            return cause.reason();
        }

        /** What has changed. */
        Change change() {
            return cause.change();
        }

        /** What would be done about the operator's finalizer. */
        public enum FinalizerOutlook {
            /** Nothing: the object has it as it should. */
            NONE,
            /** It would be added. */
            ADD,
            /** It would be removed. */
            REMOVE,
            /**
             * The object has it, and nobody takes it off: no handler of the operator is for changes of such objects.
             */
            STAYS,
            /** That depends on callbacks, running daemons or living children. */
            DEPENDS
        }
    }

    /**
     * What would be done for an object.
     *
     * @param resource its resource, as the cluster serves it
     * @param body the object as the server has it; not changed
     */
    public ObjectOutlook of(Resource resource, ObjectNode body, Circumstances circumstances) {
        ObjectReference reference = ObjectReference.of(body);
        ResourceObject object =
                new ResourceObject(resource, reference, new BodyView(body), ObjectLogger.terse(reference), () -> {
                    throw new IllegalStateException("no code is called here that could ask for a memo");
                });
        return new OneObject(object, registry.of(resource), circumstances).tell();
    }

    /** One object, and what is known of it. Confined; used once. */
    private final class OneObject {
        private final ResourceHandlers handlers;
        private final Circumstances circumstances;
        private final Interventions.Pause pause;
        private final @Nullable RetryRequest retry;
        /** What is followed when the change has been handled; null if nothing. */
        private final @Nullable RetryRequest retryAfterwards;

        private final Set<String> retried = new HashSet<>();
        private final ResourceObject object;
        private final boolean initial;
        private final Cause cause;
        /** True if a retry makes the creation again of an object that was handled. */
        private final boolean creationAgain;

        private final FinalizerOutlook finalizer;

        OneObject(ResourceObject given, ResourceHandlers handlers, Circumstances circumstances) {
            this.handlers = handlers;
            this.circumstances = circumstances;
            this.pause = stored.interventions().pause(given.node());
            boolean held = circumstances.unwatched() != null || pause.holds(given.node());
            boolean seenFirst = circumstances.starting() || isResuming(given);
            Cause found = stored.detector().detect(given.node(), false, seenFirst, handlers.fields());
            RetryRequest request = held ? null : stored.interventions().retry(given.node());
            ObjectNode patch = Json.object();
            RequestedRetry follow = request == null
                    ? null
                    : new RequestedRetry(
                            stored, handlers, FailedHandlers.NONE, given, request, patch, circumstances.now());
            if (follow == null || follow.waitsFor(found, concernsAny(given, found))) {
                this.retry = null;
                this.retryAfterwards = request;
                this.object = given;
                this.initial = seenFirst;
                this.cause = found;
            } else {
                this.retry = request;
                var _ = follow.followInStored(found);
                this.retried.addAll(follow.chosen());
                this.object = given.with(MergePatch.apply(given.node(), patch));
                this.retryAfterwards = stored.interventions().retry(object.node());
                this.initial = seenFirst || follow.resumesAgain();
                this.cause = stored.detector().detect(object.node(), false, initial, handlers.fields());
            }
            this.creationAgain = cause.reason() == Reason.CREATE && found.reason() != Reason.CREATE;
            this.finalizer = finalizer(held);
        }

        private boolean concernsAny(ResourceObject given, Cause found) {
            return found instanceof Cause.Handleable handleable
                    && handlers.changes().stream()
                            .anyMatch(handler -> HandlerSelection.mismatch(
                                            handler, given, new InvocationCause.Changing(handleable), false)
                                    == null);
        }

        /** True if resuming handlers have begun with the object, and have not all ended. */
        private boolean isResuming(ResourceObject given) {
            return handlers.changes().stream()
                    .anyMatch(handler ->
                            handler.isInitial() && stored.progress().fetch(handler.id(), given.node()) != null);
        }

        ObjectOutlook tell() {
            List<HandlerOutlook> outlooks = new ArrayList<>();
            ProgressState progress = progress(false);
            for (RegisteredHandler handler : registry.handlers()) {
                if (handler.declaration().selector().matches(object.resource())) {
                    Verdict verdict = verdict(handler, progress);
                    outlooks.add(new HandlerOutlook(handler.id(), handler.kind(), null, verdict));
                    addSubHandlers(handler, progress, verdict, outlooks);
                }
            }
            List<String> undoables = stored.stepMarks().undoables(object.node()).stream()
                    .map(StepMarks.Undoable::declared)
                    .distinct()
                    .toList();
            return new ObjectOutlook(cause, finalizer, undoables, pause, retry, outlooks, handlers.handlesStates());
        }

        /**
         * As a cycle would begin it.
         *
         * @param nothingNew true if handlers know all changes which others than the operator have made
         */
        private ProgressState progress(boolean nothingNew) {
            ProgressState progress = ProgressState.load(
                    stored.progress(), cause.reason(), handlers.changes(), new HashSet<>(), object.node());
            if (cause instanceof Cause.Handleable handleable) {
                List<RegisteredHandler> selected = selected(handleable);
                progress.activate(selected, circumstances.now());
                var _ = progress.takeOver(selected, circumstances.now(), id -> nothingNew);
            }
            return progress;
        }

        /** Those of the change that its filters let pass, or may. */
        private List<RegisteredHandler> selected(Cause.Handleable handleable) {
            InvocationCause.Changing changing = new InvocationCause.Changing(handleable);
            return handlers.changes().stream()
                    .filter(handler -> HandlerSelection.isForReason(handler, handleable))
                    .filter(handler -> HandlerSelection.mismatch(handler, object, changing, true) == null)
                    .toList();
        }

        /** Those that are called with each event, or may be. */
        private List<RegisteredHandler> selectedOfEvents() {
            InvocationCause asked = new InvocationCause.Spawning(object::node, null);
            return handlers.events().stream()
                    .filter(handler -> HandlerSelection.mismatch(handler, object, asked, false) == null)
                    .toList();
        }

        /** Why none of them is called; null if they are. */
        private static @Nullable String conflict(List<RegisteredHandler> selected) {
            List<RegisteredHandler> surely = selected.stream()
                    .filter(handler -> !HandlerSelection.testsInCode(handler))
                    .toList();
            return surely.stream()
                    .flatMap(one -> surely.stream().map(other -> HandlerSelection.conflict(one, other)))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
        }

        /** True if it takes the user's code to tell whether the handler is called, or refused beside another one. */
        private static boolean testsInCode(RegisteredHandler handler, List<RegisteredHandler> selected) {
            return HandlerSelection.testsInCode(handler)
                    || selected.stream().anyMatch(other -> HandlerSelection.conflict(handler, other) != null);
        }

        private Verdict verdict(RegisteredHandler handler, ProgressState progress) {
            if (handler.kind().isAdmission()) {
                return new HandlerOutlook.Depends("requests: the API server asks it before it stores an object");
            }
            if (circumstances.missingRight() != null) {
                return new HandlerOutlook.RightMissing(circumstances.missingRight());
            }
            if (circumstances.unwatched() != null) {
                return new HandlerOutlook.NotWatched(circumstances.unwatched());
            }
            // A deletion goes on, unless that is paused, too.
            boolean goesOn = handler.kind() == HandlerKind.INDEX
                    || (handler.kind() == HandlerKind.DELETE && pause == Interventions.Pause.HANDLERS);
            if (pause.holds(object.node()) && !goesOn) {
                return new HandlerOutlook.Paused(pause);
            }
            return switch (handler.kind()) {
                case RESUME, CREATE, UPDATE, DELETE, FIELD -> ofChange(handler, progress);
                case DAEMON, TIMER -> beside(handler);
                case RECONCILE -> ofChildren(handler);
                case CHILD -> new HandlerOutlook.Depends("memory: it is called when something happens to a child");
                case EVENT -> ofEvent(handler);
                case INDEX, VALIDATE, MUTATE -> whenever(handler, EACH_EVENT);
            };
        }

        // Handlers of changes.

        private Verdict ofChange(RegisteredHandler handler, ProgressState progress) {
            return switch (cause) {
                case Cause.Informational informational -> ofNothing(handler, informational);
                case Cause.Handleable handleable -> {
                    String refusal = refusal(handleable);
                    yield refusal == null
                            ? orRetriedAfterwards(handler, ofHandleable(handler, handleable, progress))
                            : new HandlerOutlook.Refused(refusal);
                }
            };
        }

        /** Why nothing is handled; null if it is. */
        private @Nullable String refusal(Cause.Handleable handleable) {
            String refusal = stored.refusal(object, handleable);
            boolean surely = handleable.reason() != Reason.DELETE || finalizer == FinalizerOutlook.NONE;
            return refusal == null && surely ? conflict(selected(handleable)) : refusal;
        }

        private Verdict orRetriedAfterwards(RegisteredHandler handler, Verdict verdict) {
            boolean meant = retryAfterwards != null
                    && handler.kind() != HandlerKind.DELETE
                    && (retryAfterwards.isForUnsuccessful() || retryAfterwards.names(handler.id()));
            return meant && !(verdict instanceof HandlerOutlook.WouldRun) && metadataMismatch(handler) == null
                    ? new HandlerOutlook.Depends("the change: the retry that was asked for follows it")
                    : verdict;
        }

        private Verdict ofNothing(RegisteredHandler handler, Cause.Informational noticed) {
            if (noticed.reason() != Reason.NOOP) {
                return new HandlerOutlook.DeletionHeld(finalizers());
            }
            FailedHandlers failures = stored.interventions().failures(object.node());
            if (failures.ids().contains(handler.id())) {
                return new HandlerOutlook.Failed(failures.stopped(handler.id()), failures.message(handler.id()));
            }
            if (retry != null
                    && retry.isForUnsuccessful()
                    && !circumstances.starting()
                    && handler.kind() != HandlerKind.DELETE) {
                FilterMismatch mismatch = metadataMismatch(handler);
                return mismatch == null
                        ? new HandlerOutlook.Depends("memory: a retry was asked for, and it may have failed for good")
                        : new HandlerOutlook.Mismatch(mismatch);
            }
            return handler.isInitial()
                    ? onceAfterStart(handler, InvocationCause.of(noticed))
                    : new HandlerOutlook.WrongCause(
                            noticed.reason(), "nothing that matters has changed since the object was handled");
        }

        /**
         * The filter that keeps the object from the handler, whatever change a retry makes again; null if none does.
         */
        private @Nullable FilterMismatch metadataMismatch(RegisteredHandler handler) {
            FilterMismatch mismatch = HandlerSelection.mismatch(handler, object, InvocationCause.of(cause), false);
            return mismatch instanceof FilterMismatch.OfMetadata ? mismatch : null;
        }

        private List<String> finalizers() {
            JsonNode found = object.node().path("metadata").path("finalizers");
            return found.values().stream().map(each -> each.asString("")).toList();
        }

        private Verdict onceAfterStart(RegisteredHandler handler, InvocationCause asked) {
            FilterMismatch mismatch = HandlerSelection.mismatch(handler, object, asked, false);
            return mismatch == null
                    ? new HandlerOutlook.Depends("memory: it is called once after each start of the operator")
                    : new HandlerOutlook.Mismatch(mismatch);
        }

        private Verdict ofHandleable(RegisteredHandler handler, Cause.Handleable handleable, ProgressState progress) {
            InvocationCause.Changing changing = new InvocationCause.Changing(handleable);
            if (!HandlerSelection.isForReason(handler, handleable)) {
                // A new object has not been there at the start; one whose creation is made again may have been.
                boolean mayResume = handler.isInitial()
                        && !initial
                        && (handleable.reason() == Reason.CREATE
                                ? creationAgain
                                : HandlerSelection.isForReason(handler, initially(handleable)));
                return mayResume
                        ? onceAfterStart(handler, changing)
                        : new HandlerOutlook.WrongCause(handleable.reason(), whyWrong(handler, handleable));
            }
            FilterMismatch mismatch = HandlerSelection.mismatch(handler, object, changing, true);
            if (mismatch != null) {
                return new HandlerOutlook.Mismatch(mismatch);
            }
            if (handleable.reason() == Reason.DELETE && finalizer == FinalizerOutlook.REMOVE) {
                return new HandlerOutlook.WrongCause(
                        handleable.reason(),
                        "no handler needs the finalizer, which is removed; optional handlers are not waited for");
            }
            Verdict verdict = ofRecord(handler, handleable, progress.record(handler));
            if (!circumstances.starting()
                    && !verdict.equals(
                            ofRecord(handler, handleable, progress(true).record(handler)))) {
                return new HandlerOutlook.Depends(
                        "memory: it begins afresh, unless only the operator itself has changed the object");
            }
            if (!(verdict instanceof HandlerOutlook.WouldRun)) {
                return verdict;
            }
            if (testsInCode(handler, selected(handleable))) {
                return new HandlerOutlook.Depends("a filter in code");
            }
            return handleable.reason() == Reason.DELETE && finalizer == FinalizerOutlook.DEPENDS
                    ? new HandlerOutlook.Depends(
                            "what else holds the object: a daemon, a child, or a handler with a filter in code")
                    : verdict;
        }

        private static Cause.Handleable initially(Cause.Handleable handleable) {
            return new Cause.Handleable(handleable.reason(), true, handleable.change());
        }

        private static String whyWrong(RegisteredHandler handler, Cause.Handleable actual) {
            String happened = switch (actual.reason()) {
                case CREATE -> "the object was not handled before: that is its creation";
                case UPDATE -> "the object has changed since it was handled: that is an update";
                case DELETE -> "the object is being deleted";
                default -> "the operator has started: the object is resumed";
            };
            return happened + ", and " + handler.kind().annotation() + " is not for that";
        }

        private Verdict ofRecord(RegisteredHandler handler, Cause.Handleable handleable, ProgressRecord record) {
            Verdict unfinished = ofUnfinished(record, handler.options().retries());
            if (unfinished != null && !(unfinished instanceof HandlerOutlook.Waits && !isInDoubt(record))) {
                return unfinished;
            }
            Instant due = unfinished instanceof HandlerOutlook.Waits waits ? waits.until() : circumstances.now();
            RetryDecision refusal = RetryPolicy.of(
                            handler, RetryPolicy.countingLateness(handler, record, due), due, defaultBackoff)
                    .checkLimits();
            if (refusal != null) {
                return new HandlerOutlook.GivenUp(due, refusal.line());
            }
            if (unfinished != null) {
                return unfinished;
            }
            Occasion start = handler.isInitial() ? Occasion.START : Occasion.CHANGE;
            return new HandlerOutlook.WouldRun(
                    retried.contains(handler.id()) ? Occasion.RETRY : start,
                    handleable.reason(),
                    new InvocationCause.Changing(handleable).diff(handler.field()),
                    record.retries() + 1,
                    handler.options().retries());
        }

        /** True if one of its steps is in doubt: somebody has to ask for a retry, and its limits begin anew then. */
        private boolean isInDoubt(ProgressRecord record) {
            return record.subrefs().stream()
                    .map(id -> stored.progress().fetch(id, object.node()))
                    .anyMatch(each -> each != null && each.stepOrNothing().intent());
        }

        /** What the record says of a handler that is not due; null if it is. */
        private @Nullable Verdict ofUnfinished(ProgressRecord record, @Nullable Integer attemptsMax) {
            String message = record.message() == null ? "" : record.message();
            if (record.success()) {
                return new HandlerOutlook.Done(record.stopped());
            }
            if (record.failure()) {
                Instant at = record.stopped();
                return new HandlerOutlook.Failed(at == null ? "" : KubernetesTimestamps.format(at), message);
            }
            Instant now = circumstances.now();
            return record.isDue(now)
                    ? null
                    : new HandlerOutlook.Waits(now.plus(record.delay(now)), record.retries() + 1, attemptsMax, message);
        }

        /** Those that the stored record of their parent names. */
        private void addSubHandlers(
                RegisteredHandler parent, ProgressState progress, Verdict ofParent, List<HandlerOutlook> outlooks) {
            boolean active = ofParent instanceof HandlerOutlook.WouldRun
                    || ofParent instanceof HandlerOutlook.Waits
                    || ofParent instanceof HandlerOutlook.Depends;
            ProgressRecord record = active ? progress.activeRecord(parent.id()) : null;
            for (String id : record == null ? List.<String>of() : record.subrefs()) {
                ProgressRecord own = stored.progress().fetch(id, object.node());
                Verdict known = own == null ? null : ofUnfinished(own, null);
                Verdict verdict =
                        known == null ? new HandlerOutlook.Depends("the call of the handler that declares it") : known;
                outlooks.add(new HandlerOutlook(id, parent.kind(), parent.id(), verdict));
            }
        }

        // Handlers that are called whatever has changed.

        private Verdict beside(RegisteredHandler handler) {
            return DeletionState.isRequested(object.node())
                    ? ofDeletion("what runs beside it ends")
                    : whenever(handler, "it runs beside the object, unless it has ended by itself");
        }

        private Verdict ofChildren(RegisteredHandler handler) {
            return DeletionState.isRequested(object.node())
                    ? ofDeletion("children are made for it no more")
                    : whenever(
                            handler, "it is called when the object or a child is not as it was left by the last call");
        }

        private Verdict ofDeletion(String consequence) {
            return new HandlerOutlook.WrongCause(cause.reason(), "the object is being deleted: " + consequence);
        }

        private Verdict ofEvent(RegisteredHandler handler) {
            List<RegisteredHandler> selected = selectedOfEvents();
            String conflict = conflict(selected);
            if (conflict != null) {
                return new HandlerOutlook.Refused(conflict);
            }
            return selected.contains(handler) && testsInCode(handler, selected)
                    ? new HandlerOutlook.Depends("a filter in code")
                    : whenever(handler, EACH_EVENT);
        }

        /** The state is all that such handlers are asked about. */
        private Verdict whenever(RegisteredHandler handler, String when) {
            InvocationCause asked = new InvocationCause.Spawning(object::node, null);
            FilterMismatch mismatch = HandlerSelection.mismatch(handler, object, asked, false);
            if (mismatch != null) {
                return new HandlerOutlook.Mismatch(mismatch);
            }
            if (HandlerSelection.testsInCode(handler)) {
                return new HandlerOutlook.Depends("a filter in code");
            }
            return circumstances.starting()
                    ? new HandlerOutlook.WouldRun(
                            Occasion.START,
                            Reason.NOOP,
                            new JsonDiff(List.of()),
                            1,
                            handler.options().retries())
                    : new HandlerOutlook.Depends("memory: " + when);
        }

        // The finalizer.

        /** What is sure, and what depends on things that cannot be known here. */
        private FinalizerOutlook finalizer(boolean held) {
            if (circumstances.unwatched() != null) {
                return FinalizerOutlook.NONE;
            }
            if (FinalizerDecision.isLeftAlone(handlers)) {
                return stored.finalizer().isOn(object.node()) ? FinalizerOutlook.STAYS : FinalizerOutlook.NONE;
            }
            if (held) {
                return FinalizerOutlook.NONE;
            }
            FinalizerDecision.Step atLeast = new KnownNeeds(false).step();
            return atLeast != new KnownNeeds(true).step()
                    ? FinalizerOutlook.DEPENDS
                    : switch (atLeast) {
                        case NONE -> FinalizerOutlook.NONE;
                        case ADD -> FinalizerOutlook.ADD;
                        case REMOVE -> FinalizerOutlook.REMOVE;
                    };
        }

        /** What needs the finalizer, if all that is not known says yes, or says no. */
        private final class KnownNeeds implements FinalizerDecision.Needs {
            private final boolean unknown;

            KnownNeeds(boolean unknown) {
                this.unknown = unknown;
            }

            FinalizerDecision.Step step() {
                return new FinalizerDecision(this, stored.finalizer()).step(situationIn(object));
            }

            @Override
            public Situation situationIn(ResourceObject state) {
                return new Situation(state, cause, any(handlers.changes(), InvocationCause.of(cause), state));
            }

            private boolean any(List<RegisteredHandler> some, InvocationCause asked, ResourceObject state) {
                return some.stream()
                        .anyMatch(handler -> HandlerSelection.mismatch(handler, state, asked, false) == null
                                && (unknown || !HandlerSelection.testsInCode(handler)));
            }

            @Override
            public boolean anyDaemonHolds() {
                return unknown
                        && !circumstances.starting()
                        && !handlers.background().isEmpty();
            }

            @Override
            public boolean matchesDaemons(ResourceObject state) {
                return any(handlers.background(), new InvocationCause.Spawning(state::node, null), state);
            }

            @Override
            public boolean childrenNeedFinalizer(ResourceObject state) {
                if (DeletionState.isRequested(state.node()) && !unknown) {
                    return false;
                }
                List<RegisteredHandler> ordered = handlers.children().stream()
                        .filter(handler -> handler.kind() == HandlerKind.RECONCILE)
                        .filter(handler -> handler.options().ordered())
                        .toList();
                return any(ordered, new InvocationCause.Reconciling(state.node(), null), state);
            }

            @Override
            public boolean handlersNeedFinalizer(ResourceObject state, Cause asked) {
                return any(
                        handlers.changes().stream()
                                .filter(RegisteredHandler::needsFinalizer)
                                .toList(),
                        InvocationCause.of(asked),
                        state);
            }
        }
    }
}
