package dev.kopf4j.devcluster.rest;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.CustomKind;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.schema.Defaulting;
import dev.kopf4j.devcluster.schema.MetadataFields;
import dev.kopf4j.devcluster.schema.Pruning;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.type.Codec;
import dev.kopf4j.devcluster.type.StructType;
import dev.kopf4j.devcluster.type.TypeMismatch;
import dev.kopf4j.devcluster.type.TypeTable;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Turns what a client sent into an object of the kind: type, unknown fields, field types of the metadata. */
final class Decoder {
    private Decoder() {}

    /** The object of a create or update. */
    static ObjectNode decode(Call call) {
        JsonNode document = Bodies.document(call);
        Resource resource = call.resource();
        if (!(document instanceof ObjectNode object)) {
            throw ApiException.badRequest("the object provided is unrecognized (must be of type " + resource.kind()
                    + "): couldn't get version/kind; json parse error: the body is no object");
        }
        checkType(call, object);
        List<String> strict = new ArrayList<>(Duplicates.in(call.request()));
        strict.addAll(clean(resource, object));
        FieldValidation.of(call.request()).report(strict, call.warnings(), found -> {
            throw ApiException.badRequest(resource.kind() + " in version \"" + resource.version()
                    + "\" cannot be handled as a " + resource.kind() + ": strict decoding error: " + found);
        });
        return object;
    }

    /** Drops unknown fields and checks metadata types; returns the words on unknown fields. */
    static List<String> clean(Resource resource, ObjectNode object) {
        return clean(resource, object, true);
    }

    /** The same; nulls where none may be are dropped or kept, as validation will see them. */
    static List<String> clean(Resource resource, ObjectNode object, boolean dropNulls) {
        checkMetadata(resource, object);
        List<String> unknown = new ArrayList<>();
        CustomKind custom = resource.custom();
        if (custom != null) {
            Pruning.prune(custom.schema(), object, unknown, embedded -> checkMetadata(resource, embedded));
            if (dropNulls) {
                Defaulting.dropNulls(custom.schema(), object);
            }
        } else {
            TypeTable.get().of(resource).ifPresent(type -> canonicalize(resource, type, object, unknown));
        }
        ObjectNode metadata = (ObjectNode) object.get("metadata");
        for (String name : List.copyOf(metadata.propertyNames())) {
            if (!MetadataFields.NAMES.contains(name)) {
                metadata.remove(name);
                unknown.add("metadata." + name);
            }
        }
        return unknown.stream()
                .sorted()
                .map(path -> "unknown field \"" + path + "\"")
                .collect(Collectors.toCollection(ArrayList::new));
    }

    private static void canonicalize(Resource resource, StructType type, ObjectNode object, List<String> unknown) {
        try {
            ObjectNode canonical = Codec.canonical(type, object, unknown);
            object.removeAll();
            object.setAll(canonical);
        } catch (TypeMismatch e) {
            throw ApiException.badRequest(resource.kind() + " in version \"" + resource.version()
                    + "\" cannot be handled as a " + resource.kind() + ": " + e.getMessage());
        }
    }

    private static void checkMetadata(Resource resource, ObjectNode object) {
        JsonNode given = object.path("metadata");
        if (!given.isMissingNode() && !given.isNull() && !given.isObject()) {
            throw unmarshalled(resource, given, "value of type v1.ObjectMeta");
        }
        Json.child(object, "metadata");
        MetadataTypes.check(resource, object);
    }

    private static ApiException unmarshalled(Resource resource, JsonNode wrong, String into) {
        return ApiException.badRequest(resource.kind() + " in version \"" + resource.version()
                + "\" cannot be handled as a " + resource.kind() + ": json: cannot unmarshal "
                + wrong.getNodeType().name().toLowerCase(Locale.ROOT) + " into Go " + into);
    }

    private static void checkType(Call call, ObjectNode object) {
        Resource resource = call.resource();
        for (String name : List.of("kind", "apiVersion")) {
            JsonNode value = object.path(name);
            if (!value.isMissingNode() && !value.isNull() && !value.isString()) {
                throw unmarshalled(resource, value, "struct field ." + name + " of type string");
            }
        }
        String kind = Json.string(object, "kind");
        String apiVersion = Json.string(object, "apiVersion");
        if (resource.isCustom()) {
            checkCustomType(call, object, kind, apiVersion);
        } else if (!kind.isEmpty() && !kind.equals(resource.kind())) {
            throw ApiException.badRequest(kind + " in version \"" + apiVersion.substring(apiVersion.indexOf('/') + 1)
                    + "\" cannot be handled as a " + resource.kind() + ": converting (" + apiVersion + "." + kind
                    + ") to (" + resource.apiVersion() + "." + resource.kind() + "): unknown conversion");
        } else if (!apiVersion.isEmpty() && !apiVersion.equals(resource.apiVersion())) {
            throw wrongVersion(apiVersion, resource);
        }
        object.put("kind", resource.kind());
        object.put("apiVersion", resource.apiVersion());
    }

    private static void checkCustomType(Call call, ObjectNode object, String kind, String apiVersion) {
        Resource resource = call.resource();
        if (kind.isEmpty() || apiVersion.isEmpty()) {
            throw ApiException.badRequest("the object provided is unrecognized (must be of type " + resource.kind()
                    + "): Object '" + (kind.isEmpty() ? "Kind" : "apiVersion") + "' is missing in '" + Json.text(object)
                    + "'");
        }
        if (!apiVersion.equals(resource.apiVersion())) {
            for (String name : object.propertyNames()) {
                if (!name.equals("kind") && !name.equals("apiVersion") && !name.equals("metadata")) {
                    call.warnings().add("unknown field \"" + name + "\"");
                }
            }
            throw wrongVersion(apiVersion, resource);
        }
        if (!kind.equals(resource.kind())) {
            throw ApiException.badRequest(kind + " in version \"" + resource.version() + "\" cannot be handled as a "
                    + resource.kind() + ": no kind \"" + kind + "\" is registered for version \"" + apiVersion + "\"");
        }
    }

    private static ApiException wrongVersion(String apiVersion, Resource resource) {
        return ApiException.badRequest("the API version in the data (" + apiVersion
                + ") does not match the expected API version (" + resource.apiVersion() + ")");
    }
}
