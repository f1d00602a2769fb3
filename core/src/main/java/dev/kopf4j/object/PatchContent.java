package dev.kopf4j.object;

import dev.kopf4j.json.Json;
import dev.kopf4j.json.MergePatch;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Changes of one object that wait to be sent: a merge patch, and transformations to be made after it. Confined. */
public final class PatchContent {
    private @Nullable ObjectNode merge;
    private final List<PatchTransformation> transformations = new ArrayList<>();

    /** Nothing to change. */
    public PatchContent() {}

    /** The merge patch; may be changed in place. */
    public ObjectNode merge() {
        ObjectNode known = merge;
        if (known == null) {
            known = Json.object();
            merge = known;
        }
        return known;
    }

    /** The transformations in their order. */
    public List<PatchTransformation> transformations() {
        return List.copyOf(transformations);
    }

    /** Adds a transformation behind the others. */
    public void transform(PatchTransformation patchTransformation) {
        transformations.add(patchTransformation);
    }

    /** Adds all transformations behind the others. */
    public void transformAll(List<PatchTransformation> more) {
        transformations.addAll(more);
    }

    /** Takes a transformation out. */
    public void remove(PatchTransformation patchTransformation) {
        transformations.remove(patchTransformation);
    }

    /** Adds later changes: they win over the ones that are here. */
    public void add(PatchContent later) {
        if (later.merge != null) {
            MergePatch.mergeInto(merge(), later.merge);
        }
        transformations.addAll(later.transformations);
    }

    /** True if there is nothing to change. */
    public boolean isEmpty() {
        return changesNothing() && transformations.isEmpty();
    }

    /** Forgets everything. */
    public void clear() {
        merge = null;
        transformations.clear();
    }

    /** The object as it will look, as far as the merge patch tells; shares what is not changed with the given one. */
    public ObjectNode preview(ObjectNode body) {
        return changesNothing() ? body : MergePatch.overlay(body, merge());
    }

    /** The object as it will look after all of it, the transformations included. */
    public ObjectNode previewAll(ObjectNode body) {
        ObjectNode state = preview(body);
        for (PatchTransformation patchTransformation : transformations) {
            state = preview(state, patchTransformation);
        }
        return state;
    }

    private static ObjectNode preview(ObjectNode state, PatchTransformation patchTransformation) {
        ObjectNode copy = state.deepCopy();
        try {
            patchTransformation.apply(copy);
            return copy;
        } catch (RuntimeException e) {
            // It will be left out, and that will be told, when the patch is sent.
            return state;
        }
    }

    /** True if there is something that merging cannot express. */
    public boolean hasTransformations() {
        return !transformations.isEmpty();
    }

    private boolean changesNothing() {
        return merge == null || merge.isEmpty();
    }
}
