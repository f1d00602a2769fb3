package dev.kopf4j.engine.processing;

import dev.kopf4j.StopReason;
import dev.kopf4j.engine.cause.DeletionState;
import dev.kopf4j.engine.daemon.ObjectDaemons;
import dev.kopf4j.engine.daemon.OperatorDaemons;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The daemons and timers of one object, as one of its cycles sees them. Confined. */
final class CycleDaemons {
    private final ResourceProcessing processing;
    private final ObjectMemory slot;
    private final ResourceObject resourceObject;
    private @Nullable List<RegisteredHandler> wanted;

    CycleDaemons(ResourceProcessing serving, ObjectMemory slot, ResourceObject resourceObject) {
        this.processing = serving;
        this.slot = slot;
        this.resourceObject = resourceObject;
    }

    /**
     * Asks those of an object in deletion to stop, be the state old or new: there is no way back. Most of them end at
     * once. What they have changed is a version to be seen before anything else is done.
     */
    void stopIfDeleted() throws InterruptedException {
        ObjectDaemons known = slot.daemons;
        if (known == null) {
            return;
        }
        known.acknowledgeEnds();
        if (DeletionState.isRequested(resourceObject.node())) {
            known.see(resourceObject.node());
            known.stop(StopReason.RESOURCE_DELETED);
            var _ = known.awaitEnd(processing.platform().after(operatorDaemons().instantExit()));
        }
        String version = known.takePatchedVersion();
        if (version != null) {
            processing.consistencyCheck().expectVersion(slot, resourceObject.node(), version);
        }
    }

    /** True if some run or should run. */
    boolean anyRunningOrWanted() {
        return isRunning() || !wanted().isEmpty();
    }

    /** True if some run that were not left behind. */
    boolean isRunning() {
        ObjectDaemons known = slot.daemons;
        return known != null && known.isRunning();
    }

    /** True if an object in that state must not vanish without their being stopped before. */
    boolean needsFinalizer(ResourceObject state) {
        return isRunning() || !wanted(state).isEmpty();
    }

    /** True if some belong to an object in that state, be it in deletion or not. */
    boolean anyMatching(ResourceObject state) {
        return !fitting(state).isEmpty();
    }

    /** The state is the newest one: stops what does not fit to it, before it is looked who needs the finalizer. */
    void stopMismatching() {
        if (slot.daemons != null && !DeletionState.isRequested(resourceObject.node())) {
            slot.daemons.stopMismatching(wanted());
        }
    }

    /** The state is the newest one, and has the finalizer: starts what fits to it. */
    void startMatching() {
        List<RegisteredHandler> fitting = wanted();
        if (DeletionState.isRequested(resourceObject.node()) || (fitting.isEmpty() && slot.daemons == null)) {
            return;
        }
        ObjectDaemons known = slot.daemons;
        if (known == null) {
            known = operatorDaemons().of(processing.resource(), slot.uid, slot.reference, processing.subjects(slot));
            slot.daemons = known;
        }
        known.startMatching(resourceObject.node(), fitting, this::essence);
        if (known.isUnused()) {
            slot.daemons = null;
        }
    }

    private ObjectNode essence(ObjectNode body) {
        return processing
                .environment()
                .changes()
                .detector()
                .change(body, processing.handlers().backgroundFields())
                .newEssence();
    }

    /** Those that the object should have as it is; asked for once, as filters may be the user's code. */
    private List<RegisteredHandler> wanted() {
        List<RegisteredHandler> known = wanted;
        if (known == null) {
            known = wanted(resourceObject);
            wanted = known;
        }
        return known;
    }

    /** An object in deletion is left alone. */
    private List<RegisteredHandler> wanted(ResourceObject state) {
        return DeletionState.isRequested(state.node()) ? List.of() : fitting(state);
    }

    private List<RegisteredHandler> fitting(ResourceObject state) {
        List<RegisteredHandler> handlers = processing.handlers().background();
        if (handlers.isEmpty()) {
            return List.of();
        }
        List<RegisteredHandler> matching =
                processing.environment().daemonCalls().matching(handlers, state);
        return slot.daemons == null ? matching : slot.daemons.wanted(matching);
    }

    private OperatorDaemons operatorDaemons() {
        return processing.environment().operatorDaemons();
    }
}
