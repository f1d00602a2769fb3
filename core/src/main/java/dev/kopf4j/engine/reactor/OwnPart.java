package dev.kopf4j.engine.reactor;

import dev.kopf4j.json.FieldPath;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.object.Transformation;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What of a patch is the framework's: progress, the last-handled state, the finalizer. It has to be written even where
 * the server refuses what handlers want. Pure.
 *
 * @param annotations which annotations are the framework's
 */
public record OwnPart(Predicate<String> annotations) {
    private static final FieldPath ANNOTATIONS = FieldPath.of("metadata", "annotations");
    private static final FieldPath STATUS = FieldPath.of("status", "kopf");

    /** The framework's part of a patch. */
    PatchContent of(PatchContent patch) {
        PatchContent own = new PatchContent();
        JsonNode all = ANNOTATIONS.resolve(patch.merge());
        if (all instanceof ObjectNode texts) {
            texts.properties().stream()
                    .filter(entry -> annotations.test(entry.getKey()))
                    .forEach(entry -> ANNOTATIONS.append(entry.getKey()).ensure(own.merge(), entry.getValue()));
        }
        @Nullable JsonNode status = STATUS.resolve(patch.merge());
        if (status != null) {
            STATUS.ensure(own.merge(), status);
        }
        patch.transformations().stream().filter(Transformation::isOwn).forEach(own::transform);
        return own;
    }
}
