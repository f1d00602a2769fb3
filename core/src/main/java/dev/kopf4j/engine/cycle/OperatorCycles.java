package dev.kopf4j.engine.cycle;

import dev.kopf4j.OperatorSettings;
import dev.kopf4j.Resource;
import dev.kopf4j.engine.call.HandlerCalls;
import dev.kopf4j.engine.children.ChildrenEnvironment;
import dev.kopf4j.engine.daemon.OperatorDaemons;
import dev.kopf4j.engine.declaration.ResourceHandlers;
import dev.kopf4j.engine.index.IndexFunctionCalls;
import dev.kopf4j.engine.steps.StepEnvironment;
import java.util.Set;

/**
 * What the cycles of all objects of an operator share. Thread-safe.
 *
 * @param settings how the operator works
 * @param stored what it stores on objects
 * @param calls calls handlers
 * @param indexing fills the indices
 * @param sender sends patches
 * @param daemons daemons and timers
 * @param children the children of objects
 * @param keptFinalizers takes the resources of whose objects it was told that the finalizer stays
 */
public record OperatorCycles(
        OperatorSettings settings,
        StoredState stored,
        HandlerCalls calls,
        IndexFunctionCalls indexing,
        PatchSender sender,
        OperatorDaemons daemons,
        ChildrenEnvironment children,
        Set<Resource> keptFinalizers) {
    /** The daemons and timers of an operator, whose changes are written as those of cycles are. */
    public static OperatorDaemons daemons(
            OperatorSettings settings, StoredState stored, HandlerCalls calls, PatchSender sender) {
        ObjectThrottling throttling = new ObjectThrottling(settings.queueing().errorDelays(), sender.failing());
        return new OperatorDaemons(
                calls.platform(),
                settings.background(),
                calls.steady(),
                OutgoingPatch.ofDaemons(sender),
                stored.steps(calls.runner(), settings.execution()),
                throttling::delayAfterConflict);
    }

    /** What the steps of handlers need. */
    StepEnvironment steps() {
        return stored.steps(calls.runner(), settings.execution());
    }

    /** Runs the cycles of the objects of one resource. */
    public ObjectProcessor processor(Resource resource, ResourceHandlers handlers) {
        return new ObjectProcessor(this, resource, handlers);
    }
}
