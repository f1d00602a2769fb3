package dev.kopf4j.engine.cycle;

import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.MergePatch;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.object.PatchContent.PatchTransformation;
import dev.kopf4j.persistence.StorageLocations;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Knows which part of a patch is the framework's: progress, the last-handled state, the finalizer. This part has to be
 * written even if the server refuses the changes of handlers. Pure.
 *
 * @param places where the framework keeps what it remembers
 */
public record FrameworkPatch(StorageLocations places) {
    private static final FieldPath ANNOTATIONS = FieldPath.of("metadata", "annotations");

    /** The framework's part of a patch. */
    public PatchContent extractFrom(PatchContent patch) {
        PatchContent own = new PatchContent();
        JsonNode all = ANNOTATIONS.resolve(patch.merge());
        if (all instanceof ObjectNode texts) {
            texts.properties().stream()
                    .filter(entry -> places.includes(entry.getKey()))
                    .forEach(entry -> ANNOTATIONS.append(entry.getKey()).ensure(own.merge(), entry.getValue()));
        }
        places.fields().forEach(field -> copy(field, patch, own));
        patch.transformations().stream()
                .filter(PatchTransformation::isFrameworkPatch)
                .forEach(own::transform);
        return own;
    }

    /** True if the patch changes nothing but the framework's part and the status. */
    public boolean coversAllButStatus(PatchContent patch) {
        return patch.transformations().stream().allMatch(PatchTransformation::isFrameworkPatch)
                && patch.merge().properties().stream()
                        .allMatch(stanza -> stanza.getKey().equals("status")
                                || (stanza.getKey().equals("metadata") && isOwn(stanza.getValue())));
    }

    private boolean isOwn(JsonNode metadata) {
        return metadata.properties().stream()
                .allMatch(entry -> entry.getKey().equals("annotations")
                        && entry.getValue().propertyNames().stream().allMatch(places::includes));
    }

    /**
     * Makes the framework's merge part a transformation, so that it is sent together with the others of the framework
     * or not at all.
     */
    public void moveIntoTransformation(PatchContent patch) {
        ObjectNode own = extractFrom(patch).merge();
        if (!own.isEmpty()) {
            MergePatch.remove(own, patch.merge());
            patch.transform(PatchTransformation.frameworkPatch(body -> {
                ObjectNode merged = MergePatch.apply(body.deepCopy(), own);
                body.removeAll();
                body.setAll(merged);
            }));
        }
    }

    private static void copy(FieldPath field, PatchContent patch, PatchContent own) {
        JsonNode parent = new FieldPath(field.keys().subList(0, field.keys().size() - 1)).resolve(patch.merge());
        JsonNode value = parent == null ? null : parent.get(field.keys().getLast());
        if (value != null) {
            field.ensure(own.merge(), value);
        }
    }
}
