package dev.kopf4j.devcluster.rest;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.patch.JsonPatch;
import dev.kopf4j.devcluster.patch.MergePatch;
import dev.kopf4j.devcluster.patch.StrategicMergePatch;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.Cause;
import dev.kopf4j.devcluster.status.Subject;
import dev.kopf4j.devcluster.type.TypeMismatch;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The verb patch. Thread-safe. */
final class Patching {
    private final Updating updating;
    private final Applying applying;

    Patching(Updating updating, Applying applying) {
        this.updating = updating;
        this.applying = applying;
    }

    Answer patch(Call call) {
        if (Bodies.mediaType(call.request()).equals("application/apply-patch+yaml")) {
            return applying.apply(call);
        }
        Updating.Change edit = edit(call);
        return updating.change(call, present -> accept(call, edit.apply(present)));
    }

    /** What a patch, not an applied one, does with an object. */
    static Updating.Change edit(Call call) {
        Resource resource = call.resource();
        return switch (Bodies.mediaType(call.request())) {
            case "application/merge-patch+json" -> {
                WriteOptions.check(call.request(), "PatchOptions");
                ObjectNode patch = object(call);
                yield present -> {
                    MergePatch.apply(present, patch);
                    return present;
                };
            }
            case "application/json-patch+json" -> {
                WriteOptions.check(call.request(), "PatchOptions");
                ArrayNode operations = operations(call);
                yield present -> operate(present, operations);
            }
            case "application/strategic-merge-patch+json" -> {
                if (resource.isCustom()) {
                    throw ApiException.unsupportedMediaType(accepted(resource));
                }
                WriteOptions.check(call.request(), "PatchOptions");
                ObjectNode patch = object(call);
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
    private static ObjectNode accept(Call call, ObjectNode patched) {
        Resource resource = call.resource();
        String kind = Json.string(patched, "kind");
        String apiVersion = Json.string(patched, "apiVersion");
        boolean same = kind.equals(resource.kind()) && apiVersion.equals(resource.apiVersion());
        if (!same && !resource.isCustom()) {
            throw refused(patched, "unable to decode " + apiVersion + ", Kind=" + kind + " into " + resource.kind());
        }
        if (!kind.equals(resource.kind())) {
            throw ApiException.invalid(
                    new Subject(resource.group(), kind, call.name()),
                    List.of(Cause.invalidString("kind", kind, "must be " + resource.kind())));
        }
        if (!Json.string(patched, "apiVersion").equals(resource.apiVersion())) {
            throw ApiException.invalid(
                    resource.kindSubject(call.name()),
                    List.of(Cause.invalidString(
                            "apiVersion", Json.string(patched, "apiVersion"), "must be " + resource.apiVersion())));
        }
        List<String> unknown = new ArrayList<>(Duplicates.in(call.request()));
        unknown.addAll(clean(resource, patched));
        FieldValidation.of(call.request()).report(unknown, call.warnings(), found -> {
            throw refused(patched, "strict decoding error: " + found);
        });
        ObjectNode metadata = MetadataTypes.metadata(patched);
        String name = Json.string(metadata, "name");
        if (!name.equals(call.name())) {
            throw ApiException.badRequest(
                    "the name of the object (" + name + ") does not match the name on the URL (" + call.name() + ")");
        }
        Creating.checkNamespace(call, metadata);
        return patched;
    }

    private static List<String> clean(Resource resource, ObjectNode patched) {
        try {
            return Decoder.clean(resource, patched);
        } catch (ApiException e) {
            throw refused(patched, String.valueOf(e.getMessage()));
        }
    }

    private static ApiException refused(ObjectNode patched, String reason) {
        return ApiException.invalid(
                new Subject("", "", ""), List.of(Cause.invalidString("patch", Json.text(patched), reason)));
    }

    private static JsonNode document(Call call) {
        try {
            return Json.parse(call.request().body());
        } catch (JacksonException e) {
            throw ApiException.badRequest("error decoding patch: " + e.getOriginalMessage());
        }
    }

    private static ObjectNode object(Call call) {
        JsonNode document = document(call);
        if (document instanceof ObjectNode object) {
            return object;
        }
        throw undecodable(document, "map[string]interface {}");
    }

    private static ArrayNode operations(Call call) {
        JsonNode document = document(call);
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
        return ApiException.badRequest("error decoding patch: json: cannot unmarshal " + TypeMismatch.word(document)
                + " into Go value of type " + type);
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
