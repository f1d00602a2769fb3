package dev.kopf4j.engine.cycle;

import dev.kopf4j.Handler;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.SubHandlers;
import dev.kopf4j.SubHandlersUnfinishedException;
import dev.kopf4j.engine.call.HandlerAttempt;
import dev.kopf4j.engine.call.HandlerSelection;
import dev.kopf4j.engine.call.InvocationCause;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.call.RetryPolicy.CallEnd;
import dev.kopf4j.engine.call.RetryPolicy.Outcome;
import dev.kopf4j.engine.call.RetryPolicy.RetryDecision;
import dev.kopf4j.engine.declaration.DeclaredOptions;
import dev.kopf4j.engine.declaration.HandlerDeclaration;
import dev.kopf4j.engine.declaration.HandlerDeclarationRules;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import dev.kopf4j.engine.declaration.RegisteredHandler.SubHandlerMethod;
import dev.kopf4j.hierarchy.CurrentHandlerContext;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.persistence.progress.ProgressPersistence;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task.TaskEndError;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls the sub-handlers that one call of a handler declares: when that call asks for it, or after its end.
 *
 * <p>Under {@code asap} each call of the parent calls one of them. Under {@code inOrder} the next one follows within
 * the same call as long as {@code asap} would call the parent next, and would tell it of the same change: that call is
 * saved, and nothing else. Otherwise the parent's call ends with sub-handlers left, as it would there.
 *
 * <p>Confined to the object's worker.
 */
final class SubHandlerCalls {
    private final HandlerRounds rounds;
    private final ProgressCheckpoint checkpoint;
    private final @Nullable SubHandlerCalls outer;
    private final RegisteredHandler parent;
    private final ProgressRecord parentRecord;
    private final InvocationCause.Changing cause;
    private final PatchContent parentPatch;
    private final Platform platform;
    private final Monitor monitor;
    private final DeclaredSubHandlers declared;
    private final int changes;
    private List<RegisteredHandler> taken = List.of();
    private List<RegisteredHandler> selected = List.of();
    private boolean goOnLater;
    private boolean waitsUnlimited;
    private boolean repeatedIsTold;

    /**
     * None is declared yet.
     *
     * @param rounds makes the calls of the cycle
     * @param outer the calls of the sub-handlers of which the parent is one; null if it is no sub-handler
     * @param parentRecord how far the parent had come when its call began
     * @param cause of the parent's call
     * @param parentPatch what the parent wants to change
     */
    SubHandlerCalls(
            HandlerRounds rounds,
            @Nullable SubHandlerCalls outer,
            RegisteredHandler parent,
            ProgressRecord parentRecord,
            InvocationCause.Changing cause,
            PatchContent parentPatch) {
        this.rounds = rounds;
        this.checkpoint = rounds.checkpoint();
        this.outer = outer;
        this.parent = parent;
        this.parentRecord = parentRecord;
        this.cause = cause;
        this.parentPatch = parentPatch;
        this.platform = rounds.processor().platform();
        this.monitor = platform.monitor();
        this.declared =
                new DeclaredSubHandlers(parent, rounds.processor().stored().progress(), monitor);
        this.changes = rounds.present().changes();
    }

    /** Where the parent declares them. */
    DeclaredSubHandlers declared() {
        return declared;
    }

    /** Guards what is declared; notified of requests. */
    Monitor monitor() {
        return monitor;
    }

    /** True if the parent's call waits for its sub-handlers to be called. */
    boolean isRequested() {
        return declared.isRequested();
    }

    /** True if some are left that can be called in the same cycle, by another call of the parent. */
    boolean goOnLater() {
        return goOnLater;
    }

    /** Calls those that are due of the sub-handlers that are declared by now. */
    void call() throws InterruptedException {
        taken = declared.take();
        HandlerLifecycle lifecycle =
                declared.lifecycle().orElseGet(() -> rounds.processor().lifecycle());
        boolean joined = rounds.areJoined() && lifecycle.equals(HandlerLifecycle.IN_ORDER);
        List<RegisteredHandler> planned;
        try {
            select();
            planned = joined ? List.of() : rounds.planned(selected, lifecycle);
        } catch (Throwable e) {
            TaskEndError.letThrough(e);
            // A filter or the lifecycle has failed. The parent declared it, so this attempt of the parent has failed.
            declared.executed(null, e);
            return;
        }
        // What the parent wants to change so far is seen by its children.
        checkpoint.addition().add(parentPatch.take());
        if (joined) {
            callJoined();
        } else {
            rounds.callPlanned(planned, this, narrowed());
        }
        declared.executed(delay(), null);
    }

    private void callJoined() throws InterruptedException {
        goOnLater = false;
        RegisteredHandler next = checkpoint.isOvertaken() ? null : rounds.next(selected);
        while (next != null) {
            rounds.call(next, this, narrowed());
            if (rounds.mustEnd() || checkpoint.isOvertaken() || rounds.next(selected) == null) {
                return;
            }
            showParents();
            if (!rounds.goOn()) {
                return;
            }
            if (!isParentNext()) {
                goOnLater = true;
                return;
            }
            saveCalls();
            goOnLater = !canSelect();
            next = goOnLater ? null : rounds.next(selected);
        }
    }

    /** Selects those whose filters let the object pass as the present round has found it. */
    private void select() {
        ResourceObject object = checkpoint.found();
        selected = HandlerSelection.ofParent(
                taken, object, narrowed(), rounds.processor().calls().contexts(), this::tellOfRepeated);
        rounds.progress().activateChildren(selected, lineage(), object.node(), platform.now());
    }

    private void tellOfRepeated(String id) {
        if (!repeatedIsTold) {
            repeatedIsTold = true;
            checkpoint
                    .stored()
                    .localLogger()
                    .warn(
                            "{} declares the sub-handler '{}' more than once: only the first one is called. If all are to be,"
                                    + " give each an id of its own.",
                            parent,
                            id);
        }
    }

    /** False if a filter fails with the state that earlier calls have left: the next call of the parent will tell. */
    private boolean canSelect() {
        try {
            select();
            return true;
        } catch (Throwable e) {
            TaskEndError.letThrough(e);
            Throwable told = Platform.tellable(e);
            checkpoint.stored().localLogger().debug("The filters of the sub-handlers have failed: {}", told, told);
            return false;
        }
    }

    private InvocationCause.Changing narrowed() {
        return cause.within(parent.field());
    }

    /** The parent, and those above it; it comes last. */
    List<RegisteredHandler> lineage() {
        List<RegisteredHandler> lineage = outer == null ? new ArrayList<>() : outer.lineage();
        lineage.add(parent);
        return lineage;
    }

    /** The call of a sub-handler has ended so: if no limit makes an end of it, none makes an end of its parents. */
    void ended(Outcome outcome) {
        waitsUnlimited |= outcome instanceof Outcome.Retry(var _, var _, boolean anew) && anew;
    }

    private boolean isParentNext() {
        return changes == rounds.present().changes() && parent.equals(nextAmongParents());
    }

    private @Nullable RegisteredHandler nextAmongParents() {
        if (outer == null) {
            return rounds.next(rounds.present().selected());
        }
        if (!outer.isParentNext() || !outer.canSelect()) {
            return null;
        }
        return rounds.next(outer.selected);
    }

    private void saveCalls() {
        rounds.memory().addSavedCall(parent);
        if (outer != null) {
            outer.saveCalls();
        }
    }

    /** Gives the parents whose calls go on the records that a request would store now. */
    void showParents() {
        if (!taken.isEmpty()) {
            showAllParents();
        }
    }

    /** The same, whether sub-handlers are called or only steps are made. */
    void showAllParents() {
        Duration delay = delay();
        Outcome unfinished = Outcome.Retry.withSubHandlers(delay == null ? Duration.ZERO : delay, false);
        rounds.progress().add(parent, parentRecord, unfinished, platform.now());
        if (outer != null) {
            outer.showAllParents();
        }
    }

    private @Nullable Duration delay() {
        return rounds.delay(selected).orElse(null);
    }

    /**
     * The parent's call has ended. A parent is finished only when its sub-handlers are, even if its function has
     * swallowed the exception that says so.
     *
     * @return the retry of the parent if some are unfinished; null if all are finished, or the call has failed
     *     otherwise
     */
    @Nullable RetryDecision finish(CallEnd end, HandlerAttempt attempt) throws InterruptedException {
        if (end instanceof CallEnd.Delivered && declared.hasUnexecuted()) {
            call();
        }
        Throwable failure = declared.failure().orElse(null);
        if (failure != null && end instanceof CallEnd.Delivered) {
            return attempt.threw(failure);
        }
        boolean ended = end instanceof CallEnd.Delivered
                || (end instanceof CallEnd.Threw(var exception) && exception instanceof SubHandlersUnfinishedException);
        Duration delay = ended ? declared.unfinished().orElse(null) : null;
        return delay == null ? null : attempt.unfinished(delay, waitsUnlimited);
    }

    /**
     * The sub-handlers that one call of a handler declares. The call's thread declares them and asks for their
     * execution; the object's worker, which waits for the call, executes them: progress stays confined to the worker.
     * Thread-safe.
     */
    static final class DeclaredSubHandlers implements SubHandlers {
        private final RegisteredHandler parent;
        private final ProgressPersistence storage;
        private final Monitor monitor;
        private final List<RegisteredHandler> declared = new ArrayList<>();
        private int executed;
        private boolean requested;
        private boolean closed;
        private @Nullable HandlerLifecycle lifecycle;
        private @Nullable Duration unfinished;
        private @Nullable Throwable failure;

        /**
         * None.
         *
         * @param storage keeps their progress
         */
        DeclaredSubHandlers(RegisteredHandler parent, ProgressPersistence storage, Monitor monitor) {
            this.parent = parent;
            this.storage = storage;
            this.monitor = monitor;
        }

        @Override
        public void add(String id, Consumer<? super Options> options, Handler handler) {
            if (handler == null) {
                throw new HandlerDeclarationException("sub-handler '" + parent.id() + "/" + id + "' is null");
            }
            DeclaredOptions.Sub given = new DeclaredOptions.Sub();
            options.accept(given);
            HandlerDeclaration declaration =
                    given.declare(parent.kind(), parent.declaration().selector(), id);
            add(new RegisteredHandler(
                    declaration, parent.id() + "/" + id, handler, handler, parent.subHandlerMethods()));
        }

        @Override
        public void addMethod(String method, @Nullable String id, @Nullable Object param) {
            SubHandlerMethod found = parent.subHandlerMethods().get(method);
            if (found == null) {
                throw new HandlerDeclarationException("there is no method '" + method
                        + "' with @SubHandler in the class of "
                        + parent + "; there are "
                        + parent.subHandlerMethods().keySet().stream().sorted().toList());
            }
            String own = id == null ? found.id() : id;
            HandlerDeclaration declaration = new HandlerDeclaration(
                    parent.kind(), parent.declaration().selector(), List.of(), own, param, found.options());
            add(new RegisteredHandler(
                    declaration,
                    parent.id() + "/" + own,
                    found.function(),
                    found.invoker(),
                    parent.subHandlerMethods()));
        }

        /** A sub-handler's call would wait for that of its parent, which waits for it. */
        private void refuseAnotherCall() {
            String caller = CurrentHandlerContext.handlerId();
            if (caller != null && !caller.equals(parent.id())) {
                throw new HandlerDeclarationException(
                        "the sub-handlers of '" + parent.id() + "' were used in the call of '" + caller
                                + "': take those of that call's own context, as in context.subHandlers()");
            }
        }

        private void add(RegisteredHandler child) {
            HandlerDeclarationRules.checkSubHandler(child);
            HandlerDeclarationRules.checkId(child, storage);
            monitor.locked(() -> {
                refuseIfClosed();
                declared.add(child);
            });
        }

        @Override
        public void execute() throws InterruptedException {
            executeBy(null);
        }

        @Override
        public void execute(HandlerLifecycle wanted) throws InterruptedException {
            executeBy(wanted);
        }

        private void executeBy(@Nullable HandlerLifecycle wanted) throws InterruptedException {
            refuseAnotherCall();
            monitor.locked(() -> {
                lifecycle = wanted;
                requested = true;
            });
            monitor.awaitTrue(() -> !requested || closed, Deadline.NEVER);
            monitor.locked(this::refuseIfClosed);
            throwFailure();
            if (unfinished().isPresent()) {
                throw new SubHandlersUnfinishedException(parent.toString());
            }
        }

        private void refuseIfClosed() {
            if (closed) {
                throw new IllegalStateException(
                        "the call of " + parent + " has ended: its sub-handlers are not executed any more");
            }
        }

        private void throwFailure() {
            switch (failure().orElse(null)) {
                case RuntimeException exception -> throw exception;
                case Error error -> throw error;
                case null, default -> {}
            }
        }

        /** Why the sub-handlers could not be executed, through a fault of the parent; empty if they could. */
        Optional<Throwable> failure() {
            return monitor.locked(() -> Optional.ofNullable(failure));
        }

        /** True if the call waits for its sub-handlers to be executed. */
        boolean isRequested() {
            return requested;
        }

        /** The lifecycle that was asked for with the execution; empty for that of the parent. */
        Optional<HandlerLifecycle> lifecycle() {
            return monitor.locked(() -> Optional.ofNullable(lifecycle));
        }

        /** All sub-handlers that were declared so far. */
        List<RegisteredHandler> take() {
            return monitor.locked(() -> {
                executed = declared.size();
                return List.copyOf(declared);
            });
        }

        /** True if some were declared after the last execution, or without any. */
        boolean hasUnexecuted() {
            return monitor.locked(() -> executed < declared.size());
        }

        /**
         * The worker has executed what there was.
         *
         * @param delay when to call the parent again; null if all are finished
         * @param cause why they could not be executed, as their declarations fail; null if they could
         */
        void executed(@Nullable Duration delay, @Nullable Throwable cause) {
            monitor.locked(() -> {
                unfinished = delay;
                failure = cause;
                lifecycle = null;
                requested = false;
            });
        }

        /** The call has ended, or nobody waits for it any more. */
        void close() {
            monitor.locked(() -> {
                closed = true;
                requested = false;
            });
        }

        /** When to call the parent again; empty if all sub-handlers are finished, or there are none. */
        Optional<Duration> unfinished() {
            return monitor.locked(() -> Optional.ofNullable(unfinished));
        }
    }
}
