package dev.kopf4j.devcluster.registry.write;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.TooLargeNumberException;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.value.DecodingException;
import java.util.function.Function;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The bodies of patches. Pure. */
final class PatchBody {
    private PatchBody() {}

    static ObjectNode object(ResourceRequest request) {
        JsonNode document = document(request, Json::parseRequest);
        if (document instanceof ObjectNode object) {
            return object;
        }
        throw undecodable(document, "map[string]interface {}");
    }

    static ArrayNode operations(ResourceRequest request) {
        JsonNode document = document(request, Json::parsePatch);
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
