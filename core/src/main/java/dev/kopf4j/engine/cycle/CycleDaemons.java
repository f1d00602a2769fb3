package dev.kopf4j.engine.cycle;

import dev.kopf4j.BindingException;
import dev.kopf4j.StopReason;
import dev.kopf4j.engine.call.HandlerSelection;
import dev.kopf4j.engine.call.InvocationCause;
import dev.kopf4j.engine.call.ResourceObject;
import dev.kopf4j.engine.cause.DeletionState;
import dev.kopf4j.engine.daemon.ObjectDaemons;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * The daemons and timers of the object of one cycle: which should run beside it, and how they are started and stopped.
 * Confined to the object's worker; used once.
 */
final class CycleDaemons {
    private final ObjectCycle cycle;
    private final ObjectProcessor processor;
    private final ObjectMemory memory;
    private final ResourceObject object;

    /** Those that match the object of the cycle; null before anybody has asked. */
    private @Nullable List<RegisteredHandler> matching;
    /** Those of which it was told that a filter has failed. */
    private Set<String> failedFilters = Set.of();

    CycleDaemons(ObjectCycle cycle) {
        this.cycle = cycle;
        this.processor = cycle.processor();
        this.memory = cycle.memory();
        this.object = cycle.object();
    }

    /** Somebody has paused the object: no call of a daemon or a timer begins. */
    void holdBack() {
        ObjectDaemons known = memory.daemons();
        if (known != null) {
            known.acknowledgeEnds();
            known.holdBack();
        }
    }

    /** Nobody has paused the object: what was held back begins. */
    void letGo() {
        ObjectDaemons known = memory.daemons();
        if (known != null) {
            known.letGo();
        }
    }

    /**
     * The handling of a change goes on: the idle time of timers begins anew. As in Kopf, it does with each cycle, and
     * what is a cycle there is a round here: the handling tells it when it begins and ends, and {@link HandlerRounds}
     * between two rounds. While a handler works for longer than the idle time, the timer is called.
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
     * Asks the daemons of an object in deletion to stop, whether its state is the newest or not: a deletion cannot be
     * undone. Most end at once.
     */
    void stopIfDeleted() throws InterruptedException {
        ObjectDaemons known = memory.daemons();
        if (known == null) {
            return;
        }
        known.acknowledgeEnds();
        if (DeletionState.isRequested(object.node())) {
            known.see(object.node());
            known.stop(StopReason.RESOURCE_DELETED);
            Duration instantExit = processor.cycles().daemons().instantExit();
            var _ = known.awaitEnd(processor.platform().after(instantExit));
        }
    }

    /** If daemons have changed the object, that version must be seen before anything else happens. */
    void expectTheirVersion() {
        ObjectDaemons known = memory.daemons();
        String version = known == null ? null : known.takePatchedVersion();
        if (version != null) {
            processor.consistencyCheck().expectVersion(memory, object.node(), version);
        }
    }

    /** Stops those that no longer match the newest state. Called before the finalizer is decided. */
    void stopMismatching() {
        ObjectDaemons known = memory.daemons();
        if (known != null && !DeletionState.isRequested(object.node())) {
            known.stopMismatching(wanted());
        }
    }

    /** Starts those that match the newest state. Called when the object has the finalizer. */
    void startMatching() {
        List<RegisteredHandler> matching = wanted();
        ObjectDaemons known = memory.daemons();
        if (DeletionState.isRequested(object.node()) || (matching.isEmpty() && known == null)) {
            return;
        }
        if (known == null) {
            known = processor
                    .cycles()
                    .daemons()
                    .of(processor.resource(), memory.uid(), memory.reference(), processor.objects(memory));
            memory.remember(known);
        }
        known.startMatching(object.node(), matching, this::essenceOf);
        if (known.isUnused()) {
            memory.forgetDaemons();
        }
    }

    /** True if any holds the object: if any runs, apart from those that were abandoned. */
    boolean anyHolds() {
        ObjectDaemons known = memory.daemons();
        return known != null && known.anyHolds();
    }

    /** True if any makes steps that the handlers of the deletion have to take back. */
    boolean anyMakesUndoable() {
        ObjectDaemons known = memory.daemons();
        return known != null && known.anyMakesUndoable();
    }

    /** The daemons and timers that should run beside the object as it is. */
    List<RegisteredHandler> wanted() {
        return wanted(object);
    }

    /** Those that should run beside the object in that state: none if it is in deletion. */
    List<RegisteredHandler> wanted(ResourceObject state) {
        return DeletionState.isRequested(state.node()) ? List.of() : matching(state);
    }

    /**
     * Those that match the object in that state, whether it is in deletion or not. For the object of the cycle, the
     * filters are asked once, as they may be the user's code.
     */
    @SuppressWarnings("ReferenceEquality") // an equal state is asked about anew, as its filters may say something else
    List<RegisteredHandler> matching(ResourceObject state) {
        if (state != object) {
            return ask(state);
        }
        List<RegisteredHandler> known = matching;
        if (known == null) {
            known = ask(object);
            matching = known;
        }
        return known;
    }

    /** The part of a state that matters to daemons and timers: the usual one, and the fields that they name. */
    private ObjectNode essenceOf(ObjectNode body) {
        return processor.stored().detector().essence(body, processor.handlers().backgroundFields());
    }

    private List<RegisteredHandler> ask(ResourceObject state) {
        List<RegisteredHandler> all = processor.handlers().background();
        if (all.isEmpty()) {
            return List.of();
        }
        List<RegisteredHandler> passed = HandlerSelection.concerned(
                all,
                state,
                new InvocationCause.Spawning(state::node, null),
                processor.calls().contexts(),
                (handler, failure) -> asBeforeItsFilterFailed(state, handler, failure));
        ObjectDaemons known = memory.daemons();
        return known == null || passed.isEmpty() ? passed : known.wanted(passed);
    }

    /** A daemon or timer whose filter fails is neither started nor stopped: the filter is asked again later. */
    private @Nullable RegisteredHandler asBeforeItsFilterFailed(
            ResourceObject state, RegisteredHandler handler, Throwable failure) {
        Duration pause = processor.cycles().settings().execution().defaultBackoff();
        ObjectDaemons known = memory.daemons();
        if (known != null && known.wanted(List.of(handler)).isEmpty()) {
            // It has ended for good: whatever its filter says, it does not begin.
            return null;
        }
        boolean runs = known != null && known.runs(handler);
        // No repetition makes a parameter fit.
        boolean asksAgain = !(failure instanceof BindingException);
        if (!failedFilters.contains(handler.id())) {
            failedFilters = Stream.concat(failedFilters.stream(), Stream.of(handler.id()))
                    .collect(Collectors.toUnmodifiableSet());
            state.logger()
                    .error(
                            "A filter of {} has failed, so that it is not {}; the filter is asked again {}: {}",
                            handler,
                            runs ? "stopped" : "started",
                            asksAgain ? "in " + pause.toSeconds() + " seconds" : "when the object has changed",
                            processor.told(failure));
        }
        if (asksAgain) {
            cycle.wakeWithin(pause);
        }
        return runs ? handler : null;
    }
}
