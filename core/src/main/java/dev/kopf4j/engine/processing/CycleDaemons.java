package dev.kopf4j.engine.processing;

import dev.kopf4j.StopReason;
import dev.kopf4j.engine.cause.DeletionState;
import dev.kopf4j.engine.daemon.ObjectDaemons;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The daemons and timers of one object, as one of its cycles sees them. Confined. */
final class CycleDaemons {
    private final ResourceProcessing processing;
    private final ObjectMemory memory;
    private final ResourceObject resourceObject;
    private @Nullable List<RegisteredHandler> wanted;

    CycleDaemons(ResourceProcessing processing, ObjectMemory memory, ResourceObject resourceObject) {
        this.processing = processing;
        this.memory = memory;
        this.resourceObject = resourceObject;
    }

    /**
     * Asks the daemons of an object in deletion to stop, whether its state is the newest or not: a deletion cannot be
     * undone. Most end at once. If they have changed the object, that version must be seen before anything else
     * happens.
     */
    void stopIfDeleted() throws InterruptedException {
        ObjectDaemons known = memory.daemons();
        if (known == null) {
            return;
        }
        known.acknowledgeEnds();
        if (DeletionState.isRequested(resourceObject.node())) {
            known.see(resourceObject.node());
            known.stop(StopReason.RESOURCE_DELETED);
            Duration instantExit = processing.operatorDaemons().instantExit();
            var _ = known.awaitEnd(processing.platform().after(instantExit));
        }
        String version = known.takePatchedVersion();
        if (version != null) {
            processing.consistencyCheck().expectVersion(memory, resourceObject.node(), version);
        }
    }

    /** True if some run or should run. */
    boolean anyRunningOrWanted() {
        return isRunning() || !wanted().isEmpty();
    }

    /** True if some run, apart from those that were abandoned. */
    boolean isRunning() {
        ObjectDaemons known = memory.daemons();
        return known != null && known.isRunning();
    }

    /**
     * True if an object in that state needs the finalizer, because daemons or timers must be stopped before it is
     * deleted.
     */
    boolean needsFinalizer(ResourceObject state) {
        return isRunning() || !wanted(state).isEmpty();
    }

    /** True if some match an object in that state, whether it is in deletion or not. */
    boolean anyMatching(ResourceObject state) {
        return !matching(state).isEmpty();
    }

    /** True if the same daemons and timers should run beside an object in that state. */
    boolean areThoseOf(ResourceObject state) {
        return wanted(state).equals(wanted());
    }

    /** Stops those that no longer match the newest state. Called before the finalizer is decided. */
    void stopMismatching() {
        ObjectDaemons known = memory.daemons();
        if (known != null && !DeletionState.isRequested(resourceObject.node())) {
            known.stopMismatching(wanted());
        }
    }

    /** Starts those that match the newest state. Called when the object has the finalizer. */
    void startMatching() {
        List<RegisteredHandler> matching = wanted();
        ObjectDaemons known = memory.daemons();
        if (DeletionState.isRequested(resourceObject.node()) || (matching.isEmpty() && known == null)) {
            return;
        }
        if (known == null) {
            known = processing
                    .operatorDaemons()
                    .of(processing.resource(), memory.uid(), memory.reference(), processing.objects(memory));
            memory.remember(known);
        }
        known.startMatching(resourceObject.node(), matching, processing.changes()::daemonEssenceOf);
        if (known.isUnused()) {
            memory.forgetDaemons();
        }
    }

    /**
     * The handling of a change goes on: the object does not count as unchanged before its handlers have ended.
     *
     * @param changed true if anything has changed; false if handlers are called for the start of the operator only
     */
    void changeIsHandled(boolean changed) {
        ObjectDaemons known = memory.daemons();
        if (changed && known != null) {
            known.changeIsHandled();
        }
    }

    /**
     * The daemons and timers that should run beside the object as it is. The filters are asked once, as they may be the
     * user's code.
     */
    private List<RegisteredHandler> wanted() {
        List<RegisteredHandler> known = wanted;
        if (known == null) {
            known = wanted(resourceObject);
            wanted = known;
        }
        return known;
    }

    /** Answers none for an object in deletion. */
    private List<RegisteredHandler> wanted(ResourceObject state) {
        return DeletionState.isRequested(state.node()) ? List.of() : matching(state);
    }

    private List<RegisteredHandler> matching(ResourceObject state) {
        List<RegisteredHandler> matching = processing.matchingDaemons(state);
        ObjectDaemons known = memory.daemons();
        return known == null || matching.isEmpty() ? matching : known.wanted(matching);
    }
}
