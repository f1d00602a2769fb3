package dev.kopf4j.engine.processing;

import dev.kopf4j.engine.cause.DeletionState;
import dev.kopf4j.engine.children.ChildrenMemory;
import dev.kopf4j.engine.children.ParentChildren;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.runtime.Deadline;

/** The children of one object, as one of its cycles sees them. Confined. */
final class CycleChildren {
    private final ResourceProcessing processing;
    private final ObjectMemory memory;

    CycleChildren(ResourceProcessing processing, ObjectMemory memory) {
        this.processing = processing;
        this.memory = memory;
    }

    private ParentChildren children() {
        return processing.children();
    }

    /** True if something has to be done for them, whatever has happened to the object itself. */
    boolean areDisturbed() {
        ChildrenMemory known = memory.children();
        return known != null && children().isDisturbed(known);
    }

    /** True if an object in that state needs the finalizer, because its children have to be deleted before it. */
    boolean needFinalizer(ResourceObject state) {
        if (memory.children() == null) {
            return false;
        }
        return DeletionState.isRequested(state.node())
                ? children().holdsDeletion(state)
                : children().needsFinalizer(state);
    }

    /** True if the object, which is being deleted, has to wait for them. */
    boolean holdDeletion(ResourceObject state) {
        return memory.children() != null && children().holdsDeletion(state);
    }

    /** Does all that there is to do for them; adds to the patch, and says when the next cycle is due. */
    void handle(ResourceObject state, CyclePatch cyclePatch, NextCycle nextCycle) throws InterruptedException {
        ChildrenMemory known = memory.children();
        if (known == null) {
            return;
        }
        Deadline again =
                children().handle(state, processing.changes().essenceOf(state.node()), known, cyclePatch.patch());
        if (!again.isNever()) {
            nextCycle.wakeBy(again);
        }
    }
}
