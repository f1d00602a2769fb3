package dev.kopf4j.devcluster.registry.write;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.TooLargeNumberException;
import dev.kopf4j.devcluster.patch.StrategicMergePatch;
import dev.kopf4j.devcluster.request.RequestBody;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.request.WriteOptionsValidation;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.value.DecodingException;
import dev.kopf4j.json.JsonPatch;
import dev.kopf4j.json.MergePatch;
import java.util.List;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Applies patches to objects, except server-side apply. Pure. */
public final class PatchEdits {
    private static final String JSON_PATCH = "application/json-patch+json";
    private static final String MERGE_PATCH = "application/merge-patch+json";
    /** {@code maxJSONPatchOperations} in {@code pkg/endpoints/handlers/patch.go} of the apiserver library, v1.33. */
    private static final int OPERATIONS_MAX = 10_000;

    static final String STRATEGIC_MERGE_PATCH = "application/strategic-merge-patch+json";

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
                ArrayNode operations = operations(request);
                yield present -> operate(present, operations);
            }
            case MERGE_PATCH -> {
                ObjectNode patch = object(request);
                yield present -> {
                    MergePatch.applyInto(present, patch);
                    return present;
                };
            }
            default -> {
                ObjectNode patch = object(request);
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
        if (operations.size() > OPERATIONS_MAX) {
            throw ApiException.tooLarge("Request entity too large: The allowed maximum operations in a JSON patch is "
                    + OPERATIONS_MAX + ", got " + operations.size());
        }
        try {
            if (JsonPatch.apply(present, operations, Json::kept) instanceof ObjectNode patched) {
                return patched;
            }
            throw ApiException.unprocessable();
        } catch (JsonPatch.Failed e) {
            throw ApiException.unprocessable();
        }
    }

    static boolean isStrategic(ResourceRequest request) {
        return RequestBody.mediaType(request.request()).equals(STRATEGIC_MERGE_PATCH);
    }

    /** A patch that is an object. */
    static ObjectNode object(ResourceRequest request) {
        JsonNode document = document(request, Json::parseRequest);
        if (document instanceof ObjectNode object) {
            return object;
        }
        throw undecodable(document, "map[string]interface {}");
    }

    private static ArrayNode operations(ResourceRequest request) {
        JsonNode document = document(request, Json::parseWritten);
        if (!(document instanceof ArrayNode array)) {
            throw undecodable(document, "[]handlers.jsonPatchOp");
        }
        for (JsonNode operation : array) {
            if (!operation.isObject()) {
                throw undecodable(operation, "handlers.jsonPatchOp");
            }
        }
        return array;
    }

    private static JsonNode document(ResourceRequest request, Function<byte[], JsonNode> reading) {
        try {
            return reading.apply(request.request().body());
        } catch (TooLargeNumberException e) {
            throw ApiException.badRequest("error decoding patch: " + e.getMessage());
        } catch (JacksonException e) {
            throw ApiException.badRequest("error decoding patch: " + e.getOriginalMessage());
        }
    }

    private static ApiException undecodable(JsonNode document, String type) {
        return ApiException.badRequest("error decoding patch: json: cannot unmarshal "
                + DecodingException.word(document) + " into Go value of type " + type);
    }
}
