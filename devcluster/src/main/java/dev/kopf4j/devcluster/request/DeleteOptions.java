package dev.kopf4j.devcluster.request;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.status.StatusDetails;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * How something is to be deleted.
 *
 * @param policy Background, Foreground or Orphan; empty when the client leaves it to the object and its kind
 * @param uid the uid that it must have, or empty
 * @param version the version that it must have, or empty
 * @param grace the seconds of grace that the client wants, if it said
 */
public record DeleteOptions(String policy, String uid, String version, Optional<Long> grace, boolean dryRun) {
    private static final Set<String> POLICIES = Set.of("Foreground", "Background", "Orphan");

    public static DeleteOptions of(ApiRequest request) {
        JsonNode body = body(request);
        boolean dryRun = body.path("dryRun").size() > 0 || request.query().containsKey("dryRun");
        String policy = Json.string(body, "propagationPolicy");
        if (policy.isEmpty()) {
            policy = request.parameter("propagationPolicy");
        }
        JsonNode orphan = orphan(request, body);
        check(request, body, policy, orphan);
        if (orphan.isBoolean()) {
            policy = orphan.booleanValue() ? "Orphan" : "Background";
        }
        return new DeleteOptions(
                policy,
                Json.string(body, "preconditions", "uid"),
                Json.string(body, "preconditions", "resourceVersion"),
                grace(request, body),
                dryRun);
    }

    private static JsonNode orphan(ApiRequest request, JsonNode body) {
        String parameter = request.parameter("orphanDependents");
        return parameter.isEmpty()
                ? body.path("orphanDependents")
                : Json.parse(String.valueOf(parameter.equals("true")));
    }

    private static void check(ApiRequest request, JsonNode body, String policy, JsonNode orphan) {
        WriteOptionsValidation.check(request, "DeleteOptions");
        List<FieldError> causes = new ArrayList<>();
        if (body.path("dryRun")
                .valueStream()
                .anyMatch(each -> !each.asString("").equals("All"))) {
            causes.add(FieldError.notSupported("dryRun", Json.text(body.path("dryRun")), List.of("All")));
        }
        if (!policy.isEmpty() && orphan.isBoolean()) {
            causes.add(FieldError.invalidString(
                    "propagationPolicy", policy, "orphanDependents and deletionPropagation cannot be both set"));
        } else if (!policy.isEmpty() && !POLICIES.contains(policy)) {
            causes.add(FieldError.notSupported(
                    "propagationPolicy",
                    FieldError.quote(policy),
                    List.of("Foreground", "Background", "Orphan", "nil")));
        }
        if (!causes.isEmpty()) {
            throw ApiException.invalid(new StatusDetails("meta.k8s.io", "DeleteOptions", ""), causes);
        }
    }

    private static Optional<Long> grace(ApiRequest request, JsonNode body) {
        JsonNode inBody = body.path("gracePeriodSeconds");
        if (inBody.isIntegralNumber()) {
            return Optional.of(inBody.longValue());
        }
        String parameter = request.parameter("gracePeriodSeconds");
        if (parameter.isEmpty()) {
            return Optional.empty();
        }
        if (!parameter.matches("-?[0-9]{1,18}")) {
            throw ApiException.badRequest("strconv.ParseInt: parsing \"" + parameter + "\": invalid syntax");
        }
        return Optional.of(Long.parseLong(parameter));
    }

    private static JsonNode body(ApiRequest request) {
        if (request.body().length == 0) {
            return Json.object();
        }
        JsonNode body = parse(request);
        String kind = Json.string(body, "kind");
        if (kind.equals("Eviction")) {
            return body.path("deleteOptions").isObject() ? body.path("deleteOptions") : Json.object();
        }
        if (!kind.isEmpty() && !kind.equals("DeleteOptions")) {
            throw ApiException.plain500("no kind \"" + kind + "\" is registered for version \""
                    + Json.string(body, "apiVersion") + "\" in scheme");
        }
        return body;
    }

    private static JsonNode parse(ApiRequest request) {
        if (RequestBody.mediaType(request).endsWith("protobuf")) {
            return RequestBody.protobuf(request);
        }
        if (RequestBody.mediaType(request).endsWith("yaml")) {
            return RequestBody.yaml(request);
        }
        try {
            return Json.parse(request.body());
        } catch (JacksonException e) {
            throw ApiException.plain500("couldn't get version/kind; json parse error: " + e.getOriginalMessage());
        }
    }

    /** The options as admission reviews show them: what the client gave. */
    public static ObjectNode shown(ApiRequest request) {
        ObjectNode shown = Json.object().put("kind", "DeleteOptions").put("apiVersion", "meta.k8s.io/v1");
        JsonNode body = body(request);
        for (String field :
                List.of("gracePeriodSeconds", "preconditions", "orphanDependents", "propagationPolicy", "dryRun")) {
            if (body.has(field)) {
                shown.set(field, body.get(field));
            }
        }
        if (!request.parameter("propagationPolicy").isEmpty()) {
            shown.put("propagationPolicy", request.parameter("propagationPolicy"));
        }
        if (!request.parameter("gracePeriodSeconds").isEmpty()) {
            shown.put("gracePeriodSeconds", Long.parseLong(request.parameter("gracePeriodSeconds")));
        }
        if (request.query().containsKey("dryRun")) {
            shown.set("dryRun", Json.array(List.of("All")));
        }
        return shown;
    }
}
