package dev.kopf4j.engine.handling.change;

import dev.kopf4j.HandlerLifecycle;
import dev.kopf4j.OperatorSettings;
import dev.kopf4j.engine.cause.Cause;
import dev.kopf4j.engine.cause.CauseDetector;
import dev.kopf4j.engine.handling.context.ContextFactory;
import dev.kopf4j.engine.handling.context.InvocationCause;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.invocation.HandlerRunner;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import dev.kopf4j.engine.handling.rerun.LastHandledState;
import dev.kopf4j.engine.handling.selection.HandlerSelection;
import dev.kopf4j.persistence.progress.ProgressStorage;
import dev.kopf4j.runtime.Platform;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the handling of changes needs for all objects. Thread-safe.
 *
 * @param settings when handlers are called, and when their progress is written
 * @param detector tells what happened
 * @param lastHandled stores the states in which objects were handled last
 * @param progress where the handlers' progress is stored
 * @param runner calls handlers
 * @param contexts makes their contexts
 */
public record ChangeHandling(
        OperatorSettings.Execution settings,
        CauseDetector detector,
        LastHandledState lastHandled,
        ProgressStorage progress,
        HandlerRunner runner,
        ContextFactory contexts) {
    /** The time and the tasks of the calls. */
    Platform platform() {
        return runner.platform();
    }

    /** Which of the due handlers are called in one cycle. */
    HandlerLifecycle lifecycle() {
        return settings.lifecycle();
    }

    /** True if any handler could be interested in the object; other objects are left without a trace. */
    public boolean concernsAny(List<RegisteredHandler> handlers, ResourceObject object, Cause cause) {
        InvocationCause invocationCause = invocationCause(cause);
        for (RegisteredHandler handler : handlers) {
            if (HandlerSelection.concerns(handler, object, invocationCause, contexts)) {
                return true;
            }
        }
        return false;
    }

    /** True if a handler wants to be called before the object is deleted. */
    public boolean needsFinalizer(List<RegisteredHandler> handlers, ResourceObject object, Cause cause) {
        InvocationCause invocationCause = invocationCause(cause);
        for (RegisteredHandler handler : handlers) {
            if (handler.needsFinalizer() && HandlerSelection.concerns(handler, object, invocationCause, contexts)) {
                return true;
            }
        }
        return false;
    }

    private static InvocationCause invocationCause(Cause cause) {
        return switch (cause) {
            case Cause.Handleable handleable -> new InvocationCause.Changing(handleable);
            case Cause.Informational(var reason, var change) -> new InvocationCause.Noticing(reason, change);
        };
    }

    /** Adds to the patch the removal of the annotation or field by which an older Python operator wakes itself up. */
    public void removeTouch(ObjectNode body, ObjectNode patch) {
        progress.touch(body, patch, null);
    }
}
