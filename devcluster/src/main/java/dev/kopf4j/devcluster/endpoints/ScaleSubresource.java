package dev.kopf4j.devcluster.endpoints;

import dev.kopf4j.devcluster.conversion.ScaleConversion;
import dev.kopf4j.devcluster.conversion.StorageConversion;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.RequestNameValidation;
import dev.kopf4j.devcluster.registry.VerbResult;
import dev.kopf4j.devcluster.registry.read.GetVerb;
import dev.kopf4j.devcluster.registry.write.ApplyVerb;
import dev.kopf4j.devcluster.registry.write.ObjectEdit;
import dev.kopf4j.devcluster.registry.write.PatchEdits;
import dev.kopf4j.devcluster.registry.write.UpdateVerb;
import dev.kopf4j.devcluster.request.RequestBody;
import dev.kopf4j.devcluster.request.RequestDecoder;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.request.WriteOptionsValidation;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.status.StatusDetails;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The scale subresource, a narrow view of the replicas of an object: {@code ScaleREST} in
 * {@code pkg/registry/apps/deployment/storage/storage.go} and {@code pkg/registry/customresource/etcd.go} of the
 * apiextensions-apiserver, v1.33. Thread-safe.
 */
final class ScaleSubresource {
    private static final String KIND = "Scale";
    private static final String API_VERSION = "autoscaling/v1";

    private final GetVerb getVerb;
    private final UpdateVerb updateVerb;
    private final ApplyVerb applyVerb;

    ScaleSubresource(GetVerb getVerb, UpdateVerb updateVerb, ApplyVerb applyVerb) {
        this.getVerb = getVerb;
        this.updateVerb = updateVerb;
        this.applyVerb = applyVerb;
    }

    VerbResult answer(ResourceRequest request) {
        return switch (request.request().method()) {
            case "GET" -> get(request);
            case "PUT" -> {
                ObjectNode sent = readBody(request);
                yield change(request, shown -> sent);
            }
            case "PATCH" -> ApplyVerb.isWanted(request) ? apply(request) : patch(request);
            case "POST" -> throw ApiException.verbNotSupported("create", request.statusDetails());
            default -> throw ApiException.verbNotSupported("delete", request.statusDetails());
        };
    }

    private VerbResult get(ResourceRequest request) {
        ScaleConversion view = new ScaleConversion(request.resource());
        ObjectNode object = StorageConversion.tree(request.resource(), getVerb.get(request));
        if (!view.isSet(object)) {
            throw ApiException.internal("the spec replicas field \"" + view.wantedPath() + "\" does not exist");
        }
        return new VerbResult(200, view.of(object));
    }

    private VerbResult patch(ResourceRequest request) {
        ObjectEdit patch = PatchEdits.of(request, KIND, API_VERSION);
        return change(request, shown -> {
            ObjectNode scale = patch.apply(shown);
            RequestNameValidation.check(request, scale);
            return scale;
        });
    }

    /** An applied scale is an applied object that has nothing but the number of replicas. */
    private VerbResult apply(ResourceRequest request) {
        Resource resource = request.resource();
        if (resource.isCustom()) { // a scale of a custom kind has no converter: asked of kube-apiserver v1.33
            throw ApiException.plain500("failed to create manager for existing fields: failed to convert live object"
                    + " (/; autoscaling/v1, Kind=Scale) to proper version: request to convert CR to an invalid"
                    + " group/version: autoscaling/v1");
        }
        ScaleConversion view = new ScaleConversion(resource);
        VerbResult result = applyVerb.apply(request, KIND, API_VERSION, scale -> {
            ObjectNode object = Json.object();
            object.put("apiVersion", resource.apiVersion()).put("kind", resource.kind());
            object.set("metadata", scale.path("metadata"));
            view.set(object, replicas(request, view, scale));
            return object;
        });
        return new VerbResult(200, view.of(result.object()));
    }

    private VerbResult change(ResourceRequest request, ObjectEdit edit) {
        ScaleConversion view = new ScaleConversion(request.resource());
        VerbResult result = updateVerb.change(request, present -> {
            ObjectNode scale = edit.apply(view.of(present));
            String version = Json.string(scale, "metadata", "resourceVersion");
            if (!version.isEmpty()) {
                Json.child(present, "metadata").put("resourceVersion", version);
            }
            view.set(present, replicas(request, view, scale));
            return present;
        });
        return new VerbResult(200, view.of(result.object()));
    }

    /**
     * The scale of an update: {@code ValidateScale} in {@code pkg/apis/autoscaling/validation/validation.go}, v1.33.
     */
    private static ObjectNode readBody(ResourceRequest request) {
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
    private static long replicas(ResourceRequest request, ScaleConversion view, ObjectNode scale) {
        RequestDecoder.check("autoscaling", "v1", KIND, scale);
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
