package dev.kopf4j.devcluster.request;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Reads the options of a DELETE: {@code pkg/endpoints/handlers/delete.go} of the apiserver library, v1.33. Pure. */
public final class DeleteOptionsBody {
    private static final List<String> FIELDS =
            List.of("gracePeriodSeconds", "preconditions", "orphanDependents", "propagationPolicy", "dryRun");

    private DeleteOptionsBody() {}

    /** What a client gave: in the body, or else in the query. */
    static JsonNode given(ApiRequest request) {
        if (request.body().length == 0) {
            return inQuery(request);
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

    /** {@code Convert_url_Values_To_v1_DeleteOptions} in {@code pkg/apis/meta/v1} of apimachinery, v1.33. */
    private static ObjectNode inQuery(ApiRequest request) {
        ObjectNode options = Json.object();
        String grace = request.parameter("gracePeriodSeconds");
        if (!grace.isEmpty()) {
            options.put("gracePeriodSeconds", seconds(grace));
        }
        for (String field : List.of("uid", "resourceVersion")) {
            if (!request.parameter(field).isEmpty()) {
                Json.child(options, "preconditions").put(field, request.parameter(field));
            }
        }
        if (request.query().containsKey("orphanDependents")) {
            options.put("orphanDependents", request.flag("orphanDependents"));
        }
        if (!request.parameter("propagationPolicy").isEmpty()) {
            options.put("propagationPolicy", request.parameter("propagationPolicy"));
        }
        List<String> dryRun = request.query().getOrDefault("dryRun", List.of());
        if (!dryRun.isEmpty()) {
            options.set("dryRun", Json.array(dryRun));
        }
        return options;
    }

    private static long seconds(String text) {
        if (!text.matches("-?[0-9]{1,18}")) {
            throw ApiException.badRequest("strconv.ParseInt: parsing \"" + text + "\": invalid syntax");
        }
        return Long.parseLong(text);
    }

    /** The options as admission reviews show them: what the client gave. */
    public static ObjectNode shown(ApiRequest request) {
        ObjectNode shown = Json.object().put("kind", "DeleteOptions").put("apiVersion", "meta.k8s.io/v1");
        JsonNode given = given(request);
        for (String field : FIELDS) {
            if (given.has(field)) {
                shown.set(field, given.get(field));
            }
        }
        return shown;
    }
}
