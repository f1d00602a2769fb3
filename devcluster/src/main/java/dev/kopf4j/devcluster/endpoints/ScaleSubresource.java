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
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import tools.jackson.databind.node.ObjectNode;

/**
 * The scale subresource, a narrow view of the replicas of an object: {@code ScaleREST} in
 * {@code pkg/registry/apps/deployment/storage/storage.go} and {@code pkg/registry/customresource/etcd.go} of the
 * apiextensions-apiserver, v1.33. Thread-safe.
 */
final class ScaleSubresource {
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
                ObjectNode sent = ScaleBody.read(request);
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
        ObjectEdit patch = PatchEdits.of(request, ScaleBody.KIND, ScaleBody.API_VERSION);
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
        VerbResult result = applyVerb.apply(request, ScaleBody.KIND, ScaleBody.API_VERSION, scale -> {
            ObjectNode object = Json.object();
            object.put("apiVersion", resource.apiVersion()).put("kind", resource.kind());
            object.set("metadata", scale.path("metadata"));
            view.set(object, ScaleBody.replicas(request, view, scale));
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
            view.set(present, ScaleBody.replicas(request, view, scale));
            return present;
        });
        return new VerbResult(200, view.of(result.object()));
    }
}
