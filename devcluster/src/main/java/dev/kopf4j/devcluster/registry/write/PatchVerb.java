package dev.kopf4j.devcluster.registry.write;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.ObjectMetaTypes;
import dev.kopf4j.devcluster.registry.RequestNameValidation;
import dev.kopf4j.devcluster.registry.VerbResult;
import dev.kopf4j.devcluster.request.DuplicateFields;
import dev.kopf4j.devcluster.request.FieldValidation;
import dev.kopf4j.devcluster.request.RequestDecoder;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.status.StatusDetails;
import dev.kopf4j.devcluster.types.BuiltinTypes;
import dev.kopf4j.devcluster.types.CanonicalCodec;
import dev.kopf4j.devcluster.value.DecodingException;
import dev.kopf4j.json.SortedKeys;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The verb patch: {@code pkg/endpoints/handlers/patch.go} of the apiserver library, v1.33. Thread-safe. */
public final class PatchVerb {
    private final UpdateVerb updateVerb;
    private final ApplyVerb applyVerb;

    /** Patches by these verbs. */
    public PatchVerb(UpdateVerb updateVerb, ApplyVerb applyVerb) {
        this.updateVerb = updateVerb;
        this.applyVerb = applyVerb;
    }

    /** Patches the object of a request; the media type of the body selects the format. */
    public VerbResult patch(ResourceRequest request) {
        if (ApplyVerb.isWanted(request)) {
            return applyVerb.apply(request);
        }
        Resource resource = request.resource();
        ObjectEdit edit = PatchEdits.of(request, resource.kind(), resource.apiVersion());
        return updateVerb.change(request, present -> decode(request, edit.apply(present)));
    }

    /** Decodes and checks a patched object like one that a client sent. */
    private static ObjectNode decode(ResourceRequest request, ObjectNode patched) {
        checkType(request, patched);
        List<String> unknown = new ArrayList<>(DuplicateFields.in(request.request()));
        unknown.addAll(clean(request, patched));
        FieldValidation.of(request.request()).report(unknown, request.warnings(), found -> {
            throw refused(request, patched, "strict decoding error: " + found);
        });
        RequestNameValidation.checkPresent(request, ObjectMetaTypes.metadata(patched));
        return patched;
    }

    private static void checkType(ResourceRequest request, ObjectNode patched) {
        Resource resource = request.resource();
        String kind = Json.string(patched, "kind");
        String apiVersion = Json.string(patched, "apiVersion");
        boolean same = kind.equals(resource.kind()) && apiVersion.equals(resource.apiVersion());
        if (!same && !resource.isCustom()) {
            throw refused(
                    request, patched, "unable to decode " + apiVersion + ", Kind=" + kind + " into " + resource.kind());
        }
        if (!kind.equals(resource.kind())) {
            throw ApiException.invalid(
                    new StatusDetails(resource.group(), kind, request.name()),
                    List.of(FieldError.invalidString("kind", kind, "must be " + resource.kind())));
        }
        if (!apiVersion.equals(resource.apiVersion())) {
            throw ApiException.invalid(
                    resource.kindSubject(request.name()),
                    List.of(FieldError.invalidString("apiVersion", apiVersion, "must be " + resource.apiVersion())));
        }
    }

    private static List<String> clean(ResourceRequest request, ObjectNode patched) {
        Resource resource = request.resource();
        try {
            return RequestDecoder.clean(resource, patched);
        } catch (ApiException e) {
            String message = String.valueOf(e.getMessage());
            throw refused(
                    request,
                    patched,
                    PatchEdits.isStrategic(request) ? mapMessage(resource, patched, message) : message);
        }
    }

    /** A strategic merge patch makes a map, which no decoder of JSON reads. */
    private static String mapMessage(Resource resource, ObjectNode patched, String otherwise) {
        try {
            BuiltinTypes.get()
                    .of(resource)
                    .ifPresent(type -> CanonicalCodec.canonical(type, patched, new ArrayList<>()));
            return otherwise;
        } catch (DecodingException e) {
            return e.mapMessage();
        }
    }

    /** Of a patched object of a built-in kind, too, the first keys are sorted: patches are applied to maps. */
    private static ApiException refused(ResourceRequest request, ObjectNode patched, String reason) {
        String value = PatchEdits.isStrategic(request)
                ? goText(PatchEdits.object(request))
                : Json.text(request.resource().isCustom() ? SortedKeys.of(patched) : SortedKeys.ofTopLevel(patched));
        return ApiException.invalid(
                new StatusDetails("", "", ""), List.of(FieldError.invalidString("patch", value, reason)));
    }

    private static String goText(JsonNode value) {
        return switch (value) {
            case ObjectNode object ->
                SortedKeys.of(object).properties().stream()
                        .map(field -> field.getKey() + ":" + goText(field.getValue()))
                        .collect(Collectors.joining(" ", "map[", "]"));
            case ArrayNode array ->
                array.valueStream().map(PatchVerb::goText).collect(Collectors.joining(" ", "[", "]"));
            default -> value.isNull() ? "<nil>" : value.asString();
        };
    }
}
