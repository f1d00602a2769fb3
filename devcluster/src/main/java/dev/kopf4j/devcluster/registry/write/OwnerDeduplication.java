package dev.kopf4j.devcluster.registry.write;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.ObjectMetaTypes;
import dev.kopf4j.devcluster.request.ResourceRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Removes owner references that are there twice, with a warning: {@code dedupOwnerReferencesAndAddWarning} in
 * {@code pkg/endpoints/handlers/create.go} of the apiserver library, v1.33. Pure.
 */
final class OwnerDeduplication {
    private OwnerDeduplication() {}

    /** Removes them from what a client sent. */
    static void beforeAdmission(ResourceRequest request, ObjectNode object) {
        apply(request, object, "");
    }

    /** Removes them after webhooks; for patches, this is the only time. */
    static void afterAdmission(ResourceRequest request, ObjectNode object) {
        apply(request, object, " after mutating admission happens");
    }

    private static void apply(ResourceRequest request, ObjectNode object, String when) {
        ObjectNode metadata = ObjectMetaTypes.metadata(object);
        if (metadata.path("ownerReferences").size() < 2) {
            return;
        }
        Set<JsonNode> seen = new HashSet<>();
        List<String> duplicates = new ArrayList<>();
        ArrayNode left = Json.array();
        for (JsonNode owner : metadata.path("ownerReferences")) {
            if (seen.add(owner)) {
                left.add(owner);
            } else {
                duplicates.add(Json.string(owner, "uid"));
            }
        }
        if (!duplicates.isEmpty()) {
            metadata.set("ownerReferences", left);
            request.warnings()
                    .add(".metadata.ownerReferences contains duplicate entries" + when
                            + "; API server dedups owner references in 1.20+, and may reject such requests as early as"
                            + " 1.24; please fix your requests; duplicate UID(s) observed: "
                            + String.join(", ", duplicates));
        }
    }
}
