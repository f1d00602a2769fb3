package dev.kopf4j.devcluster.request;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads the body of a DELETE: {@code pkg/endpoints/handlers/delete.go} of the apiserver library, v1.33. Pure. */
public final class DeleteOptionsBody {
    private static final List<String> FIELDS =
            List.of("gracePeriodSeconds", "preconditions", "orphanDependents", "propagationPolicy", "dryRun");

    private DeleteOptionsBody() {}

    /** The options in a body; an empty object if there are none. */
    static JsonNode read(ApiRequest request) {
        if (request.body().length == 0) {
            return Json.object();
        }
        JsonNode body = parse(request);
        String kind = Json.string(body, "kind");
        if (!kind.isEmpty() && !kind.equals("DeleteOptions")) {
            throw ApiException.plain500("no kind \"" + kind + "\" is registered for version \""
                    + Json.string(body, "apiVersion") + "\" in scheme");
        }
        return body;
    }

    private static JsonNode parse(ApiRequest request) {
        String type = RequestBody.mediaType(request);
        if (type.endsWith("protobuf")) {
            return RequestBody.protobuf(request);
        }
        if (type.endsWith("yaml")) {
            return RequestBody.yaml(request);
        }
        try {
            return Json.parseRequest(request.body());
        } catch (JacksonException e) {
            throw ApiException.plain500("couldn't get version/kind; json parse error: " + e.getOriginalMessage());
        }
    }

    /** The options as admission reviews show them: what the client gave, in the body and the query. */
    public static ObjectNode shown(ApiRequest request) {
        ObjectNode shown = Json.object().put("kind", "DeleteOptions").put("apiVersion", "meta.k8s.io/v1");
        JsonNode body = read(request);
        for (String field : FIELDS) {
            if (body.has(field)) {
                shown.set(field, body.get(field));
            }
        }
        String policy = request.parameter("propagationPolicy");
        if (!policy.isEmpty()) {
            shown.put("propagationPolicy", policy);
        }
        String grace = request.parameter("gracePeriodSeconds");
        if (!grace.isEmpty()) {
            shown.put("gracePeriodSeconds", Long.parseLong(grace));
        }
        if (request.query().containsKey("dryRun")) {
            shown.set("dryRun", Json.array(List.of("All")));
        }
        return shown;
    }
}
