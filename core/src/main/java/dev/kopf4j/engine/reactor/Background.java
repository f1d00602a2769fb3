package dev.kopf4j.engine.reactor;

import dev.kopf4j.StopReason;
import dev.kopf4j.engine.cause.Deletion;
import dev.kopf4j.engine.daemon.Daemons;
import dev.kopf4j.engine.daemon.ObjectDaemons;
import dev.kopf4j.engine.handling.context.Subject;
import dev.kopf4j.engine.handling.registration.RegisteredHandler;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The daemons and timers of one object, as one of its cycles sees them. Confined. */
final class Background {
    private final ObjectServing serving;
    private final ObjectSlot slot;
    private final Subject subject;
    private @Nullable List<RegisteredHandler> wanted;

    Background(ObjectServing serving, ObjectSlot slot, Subject subject) {
        this.serving = serving;
        this.slot = slot;
        this.subject = subject;
    }

    /**
     * Asks those of an object in deletion to stop, be the state old or new: there is no way back. Most of them end at
     * once. What they have changed is a version to be seen before anything else is done.
     */
    void begin() throws InterruptedException {
        ObjectDaemons known = slot.daemons;
        if (known == null) {
            return;
        }
        known.hear();
        if (Deletion.isRequested(subject.node())) {
            known.see(subject.node());
            known.stop(StopReason.RESOURCE_DELETED);
            var _ = known.awaitEnd(serving.platform().after(daemons().instantExit()));
        }
        String version = known.takePatchedVersion();
        if (version != null) {
            serving.consistency().expect(slot, subject.node(), version);
        }
    }

    /** True if some run or should run. */
    boolean concerns() {
        return isRunning() || !wanted().isEmpty();
    }

    /** True if some run that were not left behind. */
    boolean isRunning() {
        ObjectDaemons known = slot.daemons;
        return known != null && known.isRunning();
    }

    /** True if an object in that state must not vanish without their being stopped before. */
    boolean needsFinalizer(Subject state) {
        return isRunning() || !wanted(state).isEmpty();
    }

    /** True if some belong to an object in that state, be it in deletion or not. */
    boolean belongTo(Subject state) {
        return !fitting(state).isEmpty();
    }

    /** The state is the newest one: stops what does not fit to it, before it is looked who needs the finalizer. */
    void stopOthers() {
        if (slot.daemons != null && !Deletion.isRequested(subject.node())) {
            slot.daemons.stopOthers(wanted());
        }
    }

    /** The state is the newest one, and has the finalizer: starts what fits to it. */
    void follow() {
        List<RegisteredHandler> fitting = wanted();
        if (Deletion.isRequested(subject.node()) || (fitting.isEmpty() && slot.daemons == null)) {
            return;
        }
        ObjectDaemons known = slot.daemons;
        if (known == null) {
            known = daemons().of(serving.resource(), slot.uid, slot.reference, serving.subjects(slot));
            slot.daemons = known;
        }
        known.follow(subject.node(), fitting, this::essence);
        if (known.isUnused()) {
            slot.daemons = null;
        }
    }

    private ObjectNode essence(ObjectNode body) {
        return serving.processing()
                .changes()
                .detector()
                .change(body, serving.handlers().backgroundFields())
                .newEssence();
    }

    /** Those that the object should have as it is; asked for once, as filters may be the user's code. */
    private List<RegisteredHandler> wanted() {
        List<RegisteredHandler> known = wanted;
        if (known == null) {
            known = wanted(subject);
            wanted = known;
        }
        return known;
    }

    /** An object in deletion is left alone. */
    private List<RegisteredHandler> wanted(Subject state) {
        return Deletion.isRequested(state.node()) ? List.of() : fitting(state);
    }

    private List<RegisteredHandler> fitting(Subject state) {
        List<RegisteredHandler> handlers = serving.handlers().background();
        if (handlers.isEmpty()) {
            return List.of();
        }
        List<RegisteredHandler> matching = serving.processing().background().matching(handlers, state);
        return slot.daemons == null ? matching : slot.daemons.wanted(matching);
    }

    private Daemons daemons() {
        return serving.processing().daemons();
    }
}
