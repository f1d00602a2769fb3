package dev.kopf4j.object;

import dev.kopf4j.json.Json;
import dev.kopf4j.json.MergePatch;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** Changes of one object that wait to be sent: a merge patch, and transformations to be made after it. Confined. */
public final class PatchContent {
    private final ObjectNode merge = Json.object();
    private final List<Transformation> transformations = new ArrayList<>();

    /** Nothing to change. */
    public PatchContent() {}

    /** The merge patch; may be changed in place. */
    public ObjectNode merge() {
        return merge;
    }

    /** The transformations in their order. */
    public List<Transformation> transformations() {
        return List.copyOf(transformations);
    }

    /** Adds a transformation behind the others. */
    public void transform(Transformation transformation) {
        transformations.add(transformation);
    }

    /** Adds all transformations behind the others. */
    public void transformAll(List<Transformation> more) {
        transformations.addAll(more);
    }

    /** Takes a transformation out. */
    public void remove(Transformation transformation) {
        transformations.remove(transformation);
    }

    /** Adds later changes: they win over the ones that are here. */
    public void add(PatchContent later) {
        MergePatch.mergeInto(merge, later.merge);
        transformations.addAll(later.transformations);
    }

    /** True if there is nothing to change. */
    public boolean isEmpty() {
        return merge.isEmpty() && transformations.isEmpty();
    }

    /** Forgets everything. */
    public void clear() {
        merge.removeAll();
        transformations.clear();
    }

    /** The object as it will look, as far as the merge patch tells. */
    public ObjectNode preview(ObjectNode body) {
        return merge.isEmpty() ? body : MergePatch.apply(body, merge);
    }
}
