package dev.kopf4j.devcluster.endpoints;

import dev.kopf4j.devcluster.conversion.ScaleConversion;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.RequestNameValidation;
import dev.kopf4j.devcluster.request.RequestBody;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.request.WriteOptionsValidation;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.status.StatusDetails;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Scales that clients send: {@code ValidateScale} in {@code pkg/apis/autoscaling/validation/validation.go}, v1.33.
 * Pure.
 */
final class ScaleBody {
    static final String KIND = "Scale";
    static final String API_VERSION = "autoscaling/v1";

    private ScaleBody() {}

    /** The scale of an update. */
    static ObjectNode read(ResourceRequest request) {
        WriteOptionsValidation.check(request.request(), "UpdateOptions");
        if (!(RequestBody.document(request) instanceof ObjectNode sent)) {
            throw ApiException.badRequest("the object provided is unrecognized (must be of type Scale)");
        }
        String apiVersion = Json.string(sent, "apiVersion");
        if (!apiVersion.isEmpty() && !apiVersion.equals(API_VERSION)) {
            throw ApiException.badRequest("the API version in the data (" + apiVersion
                    + ") does not match the expected API version (" + API_VERSION + ")");
        }
        String kind = Json.string(sent, "kind");
        if (!kind.isEmpty() && !kind.equals(KIND)) {
            throw ApiException.badRequest(kind + " in version \"v1\" cannot be handled as a Scale: no kind \"" + kind
                    + "\" is registered for version \"" + API_VERSION + "\"");
        }
        RequestNameValidation.check(request, sent);
        return sent;
    }

    /** The replicas that a scale wants. A negative number is left to the schema of a custom kind. */
    static long replicas(ResourceRequest request, ScaleConversion view, ObjectNode scale) {
        JsonNode replicas = scale.path("spec").path("replicas");
        boolean custom = request.resource().isCustom();
        if (custom && !replicas.isIntegralNumber()) {
            throw ApiException.badRequest("the spec replicas field \"" + view.wantedPath() + "\" cannot be empty");
        }
        long wanted = replicas.longValue(0);
        if (wanted < 0 && !custom) {
            throw ApiException.invalid(
                    new StatusDetails("autoscaling", KIND, request.name()),
                    List.of(FieldError.invalid(
                            "spec.replicas", String.valueOf(wanted), "must be greater than or equal to 0")));
        }
        return wanted;
    }
}
