package dev.kopf4j.object;

import dev.kopf4j.json.Json;
import dev.kopf4j.json.MergePatch;
import dev.kopf4j.object.ConditionChanges.ConditionChange;
import dev.kopf4j.runtime.Task.TaskEndError;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Changes of one object that wait to be sent: a merge patch, what is said of single conditions, which is sent together
 * with it, and transformations that are applied after it. Confined to one thread, but for {@link #change},
 * {@link #take} and {@link #handOver}: threads of handlers may outlive their calls.
 */
public final class PatchContent {
    private @Nullable ObjectNode merge;
    private @Nullable ConditionChanges conditions;
    private final List<PatchTransformation> transformations = new ArrayList<>();
    private @Nullable List<Contribution> contributions;
    private final int transformationsBefore;
    private boolean handedOver;

    /** Makes an empty content. */
    public PatchContent() {
        this(0);
    }

    private PatchContent(int transformationsBefore) {
        this.transformationsBefore = transformationsBefore;
    }

    /** Makes an empty content for a handler that is called after others have wanted these changes. */
    public static PatchContent after(PatchContent... others) {
        int before = 0;
        for (PatchContent other : others) {
            before += other.pendingTransformations();
        }
        return new PatchContent(before);
    }

    /** How many transformations of handlers wait, those of others before it included. */
    synchronized int pendingTransformations() {
        int pending = transformationsBefore;
        for (PatchTransformation each : transformations) {
            pending += each.isFrameworkPatch() ? 0 : 1;
        }
        return pending;
    }

    /**
     * Changes it for the handler that it was given to.
     *
     * @throws IllegalStateException if it was handed over: nobody would send the change
     */
    synchronized void change(Runnable change) {
        if (handedOver) {
            throw new IllegalStateException("the patch is changed after the call of its handler has ended, which is too"
                    + " late: wait in the handler for threads that change it");
        }
        change.run();
    }

    /** Moves the changes into another content. */
    public synchronized PatchContent take() {
        PatchContent taken = new PatchContent();
        taken.add(this);
        clear();
        return taken;
    }

    /** The same content, which the handler cannot change any more. */
    public synchronized PatchContent handOver() {
        handedOver = true;
        return this;
    }

    /** The merge patch; may be changed in place. */
    public ObjectNode merge() {
        ObjectNode known = merge;
        if (known == null) {
            known = Json.object();
            merge = known;
        }
        return known;
    }

    /** What is said of single conditions. */
    public ConditionChanges conditions() {
        return conditions == null ? ConditionChanges.NONE : conditions;
    }

    /**
     * Says something of a condition in place of what was said of it before; nothing if the object has it so.
     *
     * @param body the object without the changes that are here
     * @return true if something is to be changed
     */
    public boolean say(ConditionChange change, ObjectNode body) {
        ConditionChanges said = changeableConditions();
        said.forget(change.type());
        ConditionChanges alone = new ConditionChanges();
        alone.add(change);
        boolean differs = alone.differenceTo(preview(body)) != null;
        if (differs) {
            said.add(change);
        }
        return differs;
    }

    /**
     * Adds what one handler wants to change. Whose it is stays known: the server may refuse it, and nothing else.
     *
     * @param handler its id
     */
    public void add(String handler, PatchContent wanted) {
        if (!wanted.isEmpty()) {
            addContributions(List.of(new Contribution(handler, wanted)));
            addChanges(wanted);
        }
    }

    /** What each handler wants to change, in the order of the calls; it is a part of all that is here. */
    public List<Contribution> contributions() {
        return contributions == null ? List.of() : List.copyOf(contributions);
    }

    private void addContributions(List<Contribution> more) {
        if (!more.isEmpty()) {
            List<Contribution> known = contributions;
            if (known == null) {
                known = new ArrayList<>();
                contributions = known;
            }
            known.addAll(more);
        }
    }

    private ConditionChanges changeableConditions() {
        ConditionChanges known = conditions;
        if (known == null) {
            known = new ConditionChanges();
            conditions = known;
        }
        return known;
    }

    /** The transformations in their order. */
    public List<PatchTransformation> transformations() {
        return List.copyOf(transformations);
    }

    /** Adds a transformation after the others. */
    public void transform(PatchTransformation patchTransformation) {
        transformations.add(patchTransformation);
    }

    /** Removes a transformation. */
    public void remove(PatchTransformation patchTransformation) {
        transformations.remove(patchTransformation);
    }

    /** Adds later changes, which win over the ones that are here. */
    public void add(PatchContent later) {
        addContributions(later.contributions());
        addChanges(later);
    }

    private void addChanges(PatchContent later) {
        if (later.merge != null) {
            MergePatch.mergeInto(merge(), later.merge);
        }
        if (!later.conditions().isEmpty()) {
            changeableConditions().addAll(later.conditions());
        }
        transformations.addAll(later.transformations);
    }

    /** True if there is nothing to change. */
    public boolean isEmpty() {
        return (merge == null || merge.isEmpty()) && conditions().isEmpty() && transformations.isEmpty();
    }

    /** Forgets everything. */
    public void clear() {
        merge = null;
        conditions = null;
        transformations.clear();
        contributions = null;
    }

    /**
     * Returns the object with the merge patch applied, but without the transformations; shares unchanged nodes with it.
     */
    public ObjectNode preview(ObjectNode body) {
        ObjectNode merged = merge == null || merge.isEmpty() ? body : MergePatch.overlay(body, merge);
        return conditions().madeTo(merged);
    }

    /** Returns the object with the merge patch and the transformations applied. */
    public ObjectNode previewAll(ObjectNode body) {
        return transformed(preview(body), _ -> {}); // failures are reported when the patch is sent
    }

    /**
     * Returns the object with the transformations applied. One that fails would fail again: it is left out, so that it
     * does not hold up the rest.
     *
     * @param failed hears of each failure
     */
    public ObjectNode transformed(ObjectNode body, Consumer<? super Throwable> failed) {
        ObjectNode state = body;
        for (PatchTransformation patchTransformation : transformations) {
            ObjectNode copy = state.deepCopy();
            try {
                patchTransformation.apply(copy);
                state = copy;
            } catch (Throwable e) {
                TaskEndError.letThrough(e);
                failed.accept(e);
            }
        }
        return state;
    }

    /** True if there are transformations, which a merge patch cannot express. */
    public boolean hasTransformations() {
        return !transformations.isEmpty();
    }

    /** True if it is to be written only if the object still has the version that the patch itself names. */
    public boolean isForOneVersion() {
        ObjectNode known = merge;
        return known != null
                && !known.path("metadata").path("resourceVersion").asString("").isEmpty();
    }

    /** Returns what is here beside some other contents that are parts of it. */
    public PatchContent without(List<PatchContent> parts) {
        PatchContent rest = new PatchContent();
        rest.addChanges(this);
        for (PatchContent part : parts) {
            if (part.merge != null) {
                MergePatch.remove(part.merge, rest.merge());
            }
            if (rest.conditions != null) {
                rest.conditions.forgetAll(part.conditions());
            }
            rest.transformations.removeAll(part.transformations);
        }
        return rest;
    }

    /**
     * What one handler wants to change.
     *
     * @param handler its id
     * @param content the changes; they are not changed any more
     */
    public record Contribution(String handler, PatchContent content) {}

    /**
     * A change of an object in place. It must be idempotent: if the object has changed in between, it is applied again
     * to the newer state.
     */
    @FunctionalInterface
    public interface PatchTransformation {
        /** Changes the tree. */
        void apply(ObjectNode body);

        /** True if the framework needs this change, whatever happens to the changes that handlers want. */
        default boolean isFrameworkPatch() {
            return false;
        }

        /** Marks a change as one that the framework needs. */
        static PatchTransformation frameworkPatch(PatchTransformation change) {
            return new PatchTransformation() {
                @Override
                public void apply(ObjectNode body) {
                    change.apply(body);
                }

                @Override
                public boolean isFrameworkPatch() {
                    return true;
                }
            };
        }
    }
}
