package dev.kopf4j.devcluster.registry.write;

import dev.kopf4j.devcluster.patch.JsonPatch;
import dev.kopf4j.devcluster.patch.MergePatch;
import dev.kopf4j.devcluster.patch.StrategicMergePatch;
import dev.kopf4j.devcluster.request.RequestBody;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.request.WriteOptionsValidation;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import java.util.List;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Applies patches to objects, except server-side apply. Pure. */
public final class PatchEdits {
    private static final String JSON_PATCH = "application/json-patch+json";
    private static final String MERGE_PATCH = "application/merge-patch+json";
    private static final String STRATEGIC_MERGE_PATCH = "application/strategic-merge-patch+json";

    private PatchEdits() {}

    /**
     * The edit of a patch request.
     *
     * @param kind the kind of what is patched, which a strategic merge patch does not change
     * @param apiVersion its version
     */
    public static ObjectEdit of(ResourceRequest request, String kind, String apiVersion) {
        Resource resource = request.resource();
        String type = RequestBody.mediaType(request.request());
        if (!accepted(resource).contains(type) || type.equals(ApplyVerb.MEDIA_TYPE)) {
            throw ApiException.unsupportedMediaType(accepted(resource));
        }
        WriteOptionsValidation.check(request.request(), "PatchOptions");
        return switch (type) {
            case JSON_PATCH -> {
                ArrayNode operations = PatchBody.operations(request);
                yield present -> operate(present, operations);
            }
            case MERGE_PATCH -> {
                ObjectNode patch = PatchBody.object(request);
                yield present -> {
                    MergePatch.apply(present, patch);
                    return present;
                };
            }
            default -> {
                ObjectNode patch = PatchBody.object(request);
                yield present -> StrategicMergePatch.apply(resource, present, patch)
                        .put("kind", kind)
                        .put("apiVersion", apiVersion);
            }
        };
    }

    private static List<String> accepted(Resource resource) {
        return resource.isCustom()
                ? List.of(JSON_PATCH, MERGE_PATCH, ApplyVerb.MEDIA_TYPE)
                : List.of(JSON_PATCH, MERGE_PATCH, STRATEGIC_MERGE_PATCH, ApplyVerb.MEDIA_TYPE);
    }

    private static ObjectNode operate(ObjectNode present, ArrayNode operations) {
        try {
            if (JsonPatch.apply(present, operations) instanceof ObjectNode patched) {
                return patched;
            }
            throw ApiException.unprocessable();
        } catch (JsonPatch.Failed e) {
            throw ApiException.unprocessable();
        }
    }
}
