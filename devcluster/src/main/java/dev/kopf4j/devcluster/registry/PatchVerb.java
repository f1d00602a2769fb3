package dev.kopf4j.devcluster.registry;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.ObjectMetaTypes;
import dev.kopf4j.devcluster.patch.JsonPatch;
import dev.kopf4j.devcluster.patch.MergePatch;
import dev.kopf4j.devcluster.patch.StrategicMergePatch;
import dev.kopf4j.devcluster.request.DuplicateFields;
import dev.kopf4j.devcluster.request.FieldValidation;
import dev.kopf4j.devcluster.request.RequestBody;
import dev.kopf4j.devcluster.request.RequestDecoder;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.request.WriteOptionsValidation;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.status.StatusDetails;
import dev.kopf4j.devcluster.value.DecodingException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The verb patch. Thread-safe. */
public final class PatchVerb {
    private final UpdateVerb updateVerb;
    private final ApplyVerb applyVerb;

    public PatchVerb(UpdateVerb updateVerb, ApplyVerb applyVerb) {
        this.updateVerb = updateVerb;
        this.applyVerb = applyVerb;
    }

    public VerbResult patch(ResourceRequest resourceRequest) {
        if (RequestBody.mediaType(resourceRequest.request()).equals("application/apply-patch+yaml")) {
            return applyVerb.apply(resourceRequest);
        }
        UpdateVerb.ObjectEdit edit = edit(resourceRequest);
        return updateVerb.change(resourceRequest, present -> accept(resourceRequest, edit.apply(present)));
    }

    /** What a patch, not an applied one, does with an object. */
    public static UpdateVerb.ObjectEdit edit(ResourceRequest resourceRequest) {
        Resource resource = resourceRequest.resource();
        return switch (RequestBody.mediaType(resourceRequest.request())) {
            case "application/merge-patch+json" -> {
                WriteOptionsValidation.check(resourceRequest.request(), "PatchOptions");
                ObjectNode patch = object(resourceRequest);
                yield present -> {
                    MergePatch.apply(present, patch);
                    return present;
                };
            }
            case "application/json-patch+json" -> {
                WriteOptionsValidation.check(resourceRequest.request(), "PatchOptions");
                ArrayNode operations = operations(resourceRequest);
                yield present -> operate(present, operations);
            }
            case "application/strategic-merge-patch+json" -> {
                if (resource.isCustom()) {
                    throw ApiException.unsupportedMediaType(accepted(resource));
                }
                WriteOptionsValidation.check(resourceRequest.request(), "PatchOptions");
                ObjectNode patch = object(resourceRequest);
                yield present -> typed(resource, StrategicMergePatch.apply(resource, present, patch));
            }
            default -> throw ApiException.unsupportedMediaType(accepted(resource));
        };
    }

    /** A strategic patch fills a typed object, which knows its kind by itself. */
    private static ObjectNode typed(Resource resource, ObjectNode patched) {
        boolean scale = Json.string(patched, "kind").equals("Scale");
        return scale ? patched : patched.put("kind", resource.kind()).put("apiVersion", resource.apiVersion());
    }

    private static List<String> accepted(Resource resource) {
        List<String> types = new ArrayList<>(List.of("application/json-patch+json", "application/merge-patch+json"));
        if (!resource.isCustom()) {
            types.add("application/strategic-merge-patch+json");
        }
        types.add("application/apply-patch+yaml");
        return types;
    }

    /** A patched object goes through the same door as one that was sent as a whole. */
    private static ObjectNode accept(ResourceRequest resourceRequest, ObjectNode patched) {
        Resource resource = resourceRequest.resource();
        String kind = Json.string(patched, "kind");
        String apiVersion = Json.string(patched, "apiVersion");
        boolean same = kind.equals(resource.kind()) && apiVersion.equals(resource.apiVersion());
        if (!same && !resource.isCustom()) {
            throw refused(patched, "unable to decode " + apiVersion + ", Kind=" + kind + " into " + resource.kind());
        }
        if (!kind.equals(resource.kind())) {
            throw ApiException.invalid(
                    new StatusDetails(resource.group(), kind, resourceRequest.name()),
                    List.of(FieldError.invalidString("kind", kind, "must be " + resource.kind())));
        }
        if (!Json.string(patched, "apiVersion").equals(resource.apiVersion())) {
            throw ApiException.invalid(
                    resource.kindSubject(resourceRequest.name()),
                    List.of(FieldError.invalidString(
                            "apiVersion", Json.string(patched, "apiVersion"), "must be " + resource.apiVersion())));
        }
        List<String> unknown = new ArrayList<>(DuplicateFields.in(resourceRequest.request()));
        unknown.addAll(clean(resource, patched));
        FieldValidation.of(resourceRequest.request()).report(unknown, resourceRequest.warnings(), found -> {
            throw refused(patched, "strict decoding error: " + found);
        });
        ObjectNode metadata = ObjectMetaTypes.metadata(patched);
        String name = Json.string(metadata, "name");
        if (!name.equals(resourceRequest.name())) {
            throw ApiException.badRequest("the name of the object (" + name + ") does not match the name on the URL ("
                    + resourceRequest.name() + ")");
        }
        CreateVerb.checkNamespace(resourceRequest, metadata);
        return patched;
    }

    private static List<String> clean(Resource resource, ObjectNode patched) {
        try {
            return RequestDecoder.clean(resource, patched);
        } catch (ApiException e) {
            throw refused(patched, String.valueOf(e.getMessage()));
        }
    }

    private static ApiException refused(ObjectNode patched, String reason) {
        return ApiException.invalid(
                new StatusDetails("", "", ""), List.of(FieldError.invalidString("patch", Json.text(patched), reason)));
    }

    private static JsonNode document(ResourceRequest resourceRequest) {
        try {
            return Json.parse(resourceRequest.request().body());
        } catch (JacksonException e) {
            throw ApiException.badRequest("error decoding patch: " + e.getOriginalMessage());
        }
    }

    private static ObjectNode object(ResourceRequest resourceRequest) {
        JsonNode document = document(resourceRequest);
        if (document instanceof ObjectNode object) {
            return object;
        }
        throw undecodable(document, "map[string]interface {}");
    }

    private static ArrayNode operations(ResourceRequest resourceRequest) {
        JsonNode document = document(resourceRequest);
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

    private static ApiException undecodable(JsonNode document, String type) {
        return ApiException.badRequest("error decoding patch: json: cannot unmarshal "
                + DecodingException.word(document) + " into Go value of type " + type);
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
