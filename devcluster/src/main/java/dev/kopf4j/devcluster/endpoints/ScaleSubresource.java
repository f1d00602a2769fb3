package dev.kopf4j.devcluster.endpoints;

import dev.kopf4j.devcluster.conversion.ScaleConversion;
import dev.kopf4j.devcluster.conversion.StorageConversion;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.registry.ApplyVerb;
import dev.kopf4j.devcluster.registry.GetAndListVerbs;
import dev.kopf4j.devcluster.registry.PatchVerb;
import dev.kopf4j.devcluster.registry.UpdateVerb;
import dev.kopf4j.devcluster.registry.VerbResult;
import dev.kopf4j.devcluster.request.RequestBody;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.request.WriteOptionsValidation;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.status.StatusDetails;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The scale subresource: a narrow view of an object's replicas. Thread-safe. */
final class ScaleSubresource {
    private static final String API_VERSION = "autoscaling/v1";
    private final GetAndListVerbs getAndListVerbs;
    private final UpdateVerb updateVerb;
    private final ApplyVerb applyVerb;

    ScaleSubresource(GetAndListVerbs getAndListVerbs, UpdateVerb updateVerb, ApplyVerb applyVerb) {
        this.getAndListVerbs = getAndListVerbs;
        this.updateVerb = updateVerb;
        this.applyVerb = applyVerb;
    }

    VerbResult answer(ResourceRequest resourceRequest) {
        return switch (resourceRequest.request().method()) {
            case "GET" -> get(resourceRequest);
            case "PUT" -> {
                ObjectNode sent = sent(resourceRequest);
                yield change(resourceRequest, shown -> sent);
            }
            case "PATCH" -> patch(resourceRequest);
            case "POST" -> throw ApiException.verbNotSupported("create", resourceRequest.statusDetails());
            default -> throw ApiException.verbNotSupported("delete", resourceRequest.statusDetails());
        };
    }

    private VerbResult get(ResourceRequest resourceRequest) {
        ScaleConversion view = new ScaleConversion(resourceRequest.resource());
        ObjectNode object = StorageConversion.tree(resourceRequest.resource(), getAndListVerbs.get(resourceRequest));
        if (!view.isSet(object)) {
            throw ApiException.internal("the spec replicas field \"" + view.wantedPath() + "\" does not exist");
        }
        return new VerbResult(200, view.of(object));
    }

    private static ObjectNode sent(ResourceRequest resourceRequest) {
        WriteOptionsValidation.check(resourceRequest.request(), "UpdateOptions");
        if (!(RequestBody.document(resourceRequest) instanceof ObjectNode sent)) {
            throw ApiException.badRequest("the object provided is unrecognized (must be of type Scale)");
        }
        String apiVersion = Json.string(sent, "apiVersion");
        if (!apiVersion.isEmpty() && !apiVersion.equals(API_VERSION)) {
            throw ApiException.badRequest("the API version in the data (" + apiVersion
                    + ") does not match the expected API version (" + API_VERSION + ")");
        }
        String kind = Json.string(sent, "kind");
        if (!kind.isEmpty() && !kind.equals("Scale")) {
            throw ApiException.badRequest(kind + " in version \"v1\" cannot be handled as a Scale: no kind \"" + kind
                    + "\" is registered for version \"" + API_VERSION + "\"");
        }
        UpdateVerb.checkNames(resourceRequest, sent);
        return sent;
    }

    private VerbResult patch(ResourceRequest resourceRequest) {
        if (RequestBody.mediaType(resourceRequest.request()).equals("application/apply-patch+yaml")) {
            return apply(resourceRequest);
        }
        UpdateVerb.ObjectEdit patch = PatchVerb.edit(resourceRequest);
        return change(resourceRequest, shown -> {
            ObjectNode scale = patch.apply(shown);
            UpdateVerb.checkNames(resourceRequest, scale);
            return scale;
        });
    }

    /** An applied scale is an applied object that has nothing but the number of replicas. */
    private VerbResult apply(ResourceRequest resourceRequest) {
        ScaleConversion view = new ScaleConversion(resourceRequest.resource());
        VerbResult verbResult = applyVerb.apply(resourceRequest, "Scale", API_VERSION, scale -> {
            ObjectNode object = Json.object();
            object.put("apiVersion", resourceRequest.resource().apiVersion())
                    .put("kind", resourceRequest.resource().kind());
            object.set("metadata", scale.path("metadata"));
            view.set(object, wanted(resourceRequest, view, scale));
            return object;
        });
        return new VerbResult(200, view.of(verbResult.object()));
    }

    private VerbResult change(ResourceRequest resourceRequest, UpdateVerb.ObjectEdit edit) {
        ScaleConversion view = new ScaleConversion(resourceRequest.resource());
        VerbResult verbResult = updateVerb.change(resourceRequest, present -> {
            ObjectNode scale = edit.apply(view.of(present));
            String version = Json.string(scale, "metadata", "resourceVersion");
            if (!version.isEmpty()) {
                Json.child(present, "metadata").put("resourceVersion", version);
            }
            view.set(present, wanted(resourceRequest, view, scale));
            return present;
        });
        return new VerbResult(200, view.of(verbResult.object()));
    }

    private static long wanted(ResourceRequest resourceRequest, ScaleConversion view, ObjectNode scale) {
        JsonNode replicas = scale.path("spec").path("replicas");
        Resource resource = resourceRequest.resource();
        if (resource.isCustom() && !replicas.isIntegralNumber()) {
            throw ApiException.badRequest("the spec replicas field \"" + view.wantedPath() + "\" cannot be empty");
        }
        long wanted = replicas.longValue(0);
        if (wanted < 0 && !resource.isCustom()) { // the rules of custom kinds tell the rest
            throw ApiException.invalid(
                    new StatusDetails("autoscaling", "Scale", resourceRequest.name()),
                    List.of(FieldError.invalid(
                            "spec.replicas", String.valueOf(wanted), "must be greater than or equal to 0")));
        }
        return wanted;
    }
}
