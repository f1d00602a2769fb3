package dev.kopf4j.devcluster.registry.write;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.JsonEquality;
import dev.kopf4j.devcluster.meta.ObjectMetaTypes;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.strategy.ObjectDraft;
import dev.kopf4j.devcluster.strategy.ResourceStrategy;
import java.util.List;
import java.util.Objects;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sets the metadata of updated objects that only the server may change: {@code BeforeUpdate} in
 * {@code pkg/registry/rest/update.go} of the apiserver library, v1.33. Pure.
 */
final class UpdatedObjectMetadata {
    private static final List<String> ALWAYS_KEPT = List.of("creationTimestamp", "generation");
    private static final List<String> KEPT_IF_MISSING =
            List.of("uid", "deletionTimestamp", "deletionGracePeriodSeconds", "managedFields");

    private UpdatedObjectMetadata() {}

    /** Takes fields from the stored object. */
    static void keepServerFields(ObjectNode before, ObjectNode next) {
        ObjectNode metadata = ObjectMetaTypes.metadata(next);
        JsonNode former = before.path("metadata");
        ALWAYS_KEPT.forEach(field -> keep(metadata, former, field));
        for (String field : KEPT_IF_MISSING) {
            if (!metadata.has(field)) {
                keep(metadata, former, field);
            }
        }
    }

    private static void keep(ObjectNode metadata, JsonNode former, String field) {
        JsonNode value = former.get(field);
        if (value == null) {
            metadata.remove(field);
        } else {
            metadata.set(field, value);
        }
    }

    /** Counts {@code metadata.generation} if the part of the object that it counts has changed. */
    static void countGeneration(ObjectDraft draft, ResourceStrategy strategy) {
        Resource resource = draft.resource();
        ObjectNode before = Objects.requireNonNull(draft.before());
        if (resource.resourceTraits().generation()
                && !JsonEquality.same(
                        strategy.generationPart(resource, before), strategy.generationPart(resource, draft.next()))) {
            ObjectNode metadata = Json.child(draft.next(), "metadata");
            metadata.put("generation", metadata.path("generation").longValue(0) + 1);
        }
    }
}
