package dev.kopf4j.engine.handling.change;

import dev.kopf4j.SubHandlersUnfinishedException;
import dev.kopf4j.engine.handling.context.InvocationCause;
import dev.kopf4j.engine.handling.invocation.CallEnd;
import dev.kopf4j.engine.handling.progress.Outcome;
import dev.kopf4j.engine.handling.progress.RetryDecision;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.engine.handling.selection.HandlerSelection;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.event.Level;

/**
 * Calls the sub-handlers that one call of a handler declares: when that call asks for it, or after its end. Confined to
 * the object's worker.
 */
final class SubHandlerCalls {
    private final ChangeCycleState cycle;
    private final ChangeHandlerCalls calls;
    private final RegisteredHandler parent;
    private final List<RegisteredHandler> lineage;
    private final InvocationCause.Changing cause;
    private final PatchContent parentPatch;
    private final Platform platform;
    private final Monitor monitor;
    private final DeclaredSubHandlers declared;

    /**
     * None is declared yet.
     *
     * @param calls makes the calls of the cycle
     * @param cause of the parent's call
     * @param parentPatch what the parent wants to change
     */
    SubHandlerCalls(
            ChangeCycleState cycle,
            ChangeHandlerCalls calls,
            RegisteredHandler parent,
            List<RegisteredHandler> ancestors,
            InvocationCause.Changing cause,
            PatchContent parentPatch) {
        this.cycle = cycle;
        this.calls = calls;
        this.parent = parent;
        this.lineage = new ArrayList<>(ancestors);
        this.lineage.add(parent);
        this.cause = cause;
        this.parentPatch = parentPatch;
        this.platform = cycle.handling().platform();
        this.monitor = platform.monitor();
        this.declared = new DeclaredSubHandlers(parent, monitor);
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

    /** Calls those that are due of the sub-handlers that are declared by now. */
    void call() throws InterruptedException {
        InvocationCause.Changing narrowed = cause.within(parent.field());
        List<RegisteredHandler> children = HandlerSelection.ofParent(
                declared.take(),
                cycle.checkpoint().resourceObject(),
                narrowed,
                cycle.handling().contexts());
        cycle.progress()
                .activateChildren(
                        children, lineage, cycle.checkpoint().resourceObject().node(), platform.now());
        // What the parent wants to change so far is seen by its children.
        cycle.checkpoint().patch().add(parentPatch);
        parentPatch.clear();
        calls.call(children, lineage, narrowed);
        declared.complete(cycle.progress().delay(children, platform.now()).orElse(null));
    }

    /**
     * The parent's call has ended. A parent is finished only when its sub-handlers are, whatever its function has made
     * of the signal.
     *
     * @return the retry of the parent if some are unfinished; null if all are finished, or the call has failed
     *     otherwise
     */
    @Nullable RetryDecision finish(CallEnd end) throws InterruptedException {
        if (end instanceof CallEnd.Returned && declared.hasUnexecuted()) {
            call();
        }
        boolean ended = end instanceof CallEnd.Returned
                || (end instanceof CallEnd.Threw(var exception) && exception instanceof SubHandlersUnfinishedException);
        Duration delay = ended ? declared.unfinished().orElse(null) : null;
        return delay == null
                ? null
                // The text is what Python's operators write there.
                : new RetryDecision(
                        new Outcome.Retry(delay, "None"),
                        Level.DEBUG,
                        parent + " has unfinished sub-handlers. Will retry soon.",
                        null);
    }
}
