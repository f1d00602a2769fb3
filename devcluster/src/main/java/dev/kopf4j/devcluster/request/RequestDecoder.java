package dev.kopf4j.devcluster.request;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.ObjectMetaTypes;
import dev.kopf4j.devcluster.resource.CustomKind;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.schema.ObjectMetaFields;
import dev.kopf4j.devcluster.schema.SchemaDefaulting;
import dev.kopf4j.devcluster.schema.SchemaPruning;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.types.BuiltinTypes;
import dev.kopf4j.devcluster.types.CanonicalCodec;
import dev.kopf4j.devcluster.types.StructType;
import dev.kopf4j.devcluster.value.DecodingException;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Decodes the body of a request into an object of its kind: checks the type, drops unknown fields, checks the types of
 * the metadata. The messages are those of {@code pkg/runtime/serializer} of apimachinery, v1.33.
 */
public final class RequestDecoder {
    private RequestDecoder() {}

    /** The object of a create or update. */
    public static ObjectNode decode(ResourceRequest resourceRequest) {
        JsonNode document = RequestBody.document(resourceRequest);
        Resource resource = resourceRequest.resource();
        if (!(document instanceof ObjectNode object)) {
            throw ApiException.badRequest("the object provided is unrecognized (must be of type " + resource.kind()
                    + "): couldn't get version/kind; json parse error: the body is no object");
        }
        checkType(resourceRequest, object);
        List<String> unknown = clean(resource, object);
        checkWholeNumbers(resourceRequest);
        List<String> strict = new ArrayList<>();
        if (resource.isCustom()) {
            strict.addAll(DuplicateFields.in(resourceRequest.request()));
            strict.addAll(unknown);
        } else {
            strict.addAll(DuplicateFields.withUnknown(resourceRequest.request(), unknown));
        }
        FieldValidation.of(resourceRequest.request()).report(strict, resourceRequest.warnings(), found -> {
            throw ApiException.badRequest(resource.kind() + " in version \"" + resource.version()
                    + "\" cannot be handled as a " + resource.kind() + ": strict decoding error: " + found);
        });
        return object;
    }

    /**
     * Go's JSON reads no 1.0 into a field that is an integer; YAML becomes JSON by way of real numbers, and is not
     * asked.
     */
    private static void checkWholeNumbers(ResourceRequest resourceRequest) {
        byte[] body = resourceRequest.request().body();
        if (resourceRequest.resource().isCustom()
                || !RequestBody.isJson(resourceRequest.request())
                || !Json.hasReals(body)) {
            return;
        }
        ObjectNode written = (ObjectNode) Json.parseWritten(body);
        BuiltinTypes.get()
                .of(resourceRequest.resource())
                .ifPresent(type -> canonicalize(resourceRequest.resource(), type, written, new ArrayList<>()));
    }

    /** Drops unknown fields and checks the types of the metadata; returns messages about the unknown fields. */
    public static List<String> clean(Resource resource, ObjectNode object) {
        return clean(resource, object, true);
    }

    /**
     * The same.
     *
     * @param dropNulls whether to remove nulls from fields that are not nullable; otherwise validation reports them
     */
    public static List<String> clean(Resource resource, ObjectNode object, boolean dropNulls) {
        checkMetadata(resource, object);
        keepReset((ObjectNode) object.get("metadata"));
        List<String> unknown = new ArrayList<>();
        CustomKind custom = resource.custom();
        if (custom != null) {
            SchemaPruning.prune(
                    custom.structuralSchema(), object, unknown, embedded -> checkMetadata(resource, embedded));
            if (dropNulls) {
                SchemaDefaulting.dropNulls(custom.structuralSchema(), object);
            }
        } else {
            BuiltinTypes.get().of(resource).ifPresent(type -> canonicalize(resource, type, object, unknown));
        }
        ObjectNode metadata = (ObjectNode) object.get("metadata");
        for (String name : List.copyOf(metadata.propertyNames())) {
            if (!ObjectMetaFields.NAMES.contains(name)) {
                metadata.remove(name);
                unknown.add("metadata." + name);
            }
        }
        if (custom != null) {
            decodeMetadata(resource, metadata, unknown);
        }
        return unknown.stream()
                .sorted()
                .map(path -> "unknown field \"" + path + "\"")
                .collect(Collectors.toCollection(ArrayList::new));
    }

    /** An empty list of managers resets them, as one with an empty entry does, which no canonical form drops. */
    private static void keepReset(ObjectNode metadata) {
        if (metadata.path("managedFields") instanceof ArrayNode array && array.isEmpty()) {
            array.addObject();
        }
    }

    /** Brings the metadata of a custom object in the form of its type. */
    private static void decodeMetadata(Resource resource, ObjectNode metadata, List<String> unknown) {
        List<String> unknownHere = new ArrayList<>();
        canonicalize(resource, BuiltinTypes.get().type("meta.v1.ObjectMeta"), metadata, unknownHere);
        unknownHere.forEach(path -> unknown.add("metadata." + path));
        metadata.removeIf(JsonNode::isNull);
    }

    private static void canonicalize(Resource resource, StructType type, ObjectNode object, List<String> unknown) {
        ObjectNode canonical = canonical(resource.kind(), resource.version(), type, object, unknown);
        object.removeAll();
        object.setAll(canonical);
    }

    private static ObjectNode canonical(
            String kind, String version, StructType type, ObjectNode object, List<String> unknown) {
        try {
            return CanonicalCodec.canonical(type, object, unknown);
        } catch (DecodingException e) {
            throw ApiException.badRequest(
                    kind + " in version \"" + version + "\" cannot be handled as a " + kind + ": " + e.getMessage());
        }
    }

    /** Refuses the body of a subresource that does not have the form of its kind, with 400. */
    public static void check(String group, String version, String kind, ObjectNode object) {
        StructType type = BuiltinTypes.get().of(group, version, kind).orElseThrow();
        canonical(kind, version, type, object, new ArrayList<>());
    }

    private static void checkMetadata(Resource resource, ObjectNode object) {
        JsonNode given = object.path("metadata");
        if (!given.isMissingNode() && !given.isNull() && !given.isObject()) {
            throw unmarshalled(resource, given, "value of type v1.ObjectMeta");
        }
        Json.child(object, "metadata");
        ObjectMetaTypes.check(resource, object);
    }

    private static ApiException unmarshalled(Resource resource, JsonNode wrong, String into) {
        return ApiException.badRequest(resource.kind() + " in version \"" + resource.version()
                + "\" cannot be handled as a " + resource.kind() + ": json: cannot unmarshal "
                + wrong.getNodeType().name().toLowerCase(Locale.ROOT) + " into Go " + into);
    }

    private static void checkType(ResourceRequest resourceRequest, ObjectNode object) {
        Resource resource = resourceRequest.resource();
        for (String name : List.of("kind", "apiVersion")) {
            JsonNode value = object.path(name);
            if (!value.isMissingNode() && !value.isNull() && !value.isString()) {
                throw unmarshalled(resource, value, "struct field ." + name + " of type string");
            }
        }
        String kind = Json.string(object, "kind");
        String apiVersion = Json.string(object, "apiVersion");
        if (resource.isCustom()) {
            checkCustomType(resourceRequest, object, kind, apiVersion);
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

    private static void checkCustomType(
            ResourceRequest resourceRequest, ObjectNode object, String kind, String apiVersion) {
        Resource resource = resourceRequest.resource();
        if (kind.isEmpty() || apiVersion.isEmpty()) {
            throw ApiException.badRequest("the object provided is unrecognized (must be of type " + resource.kind()
                    + "): Object '" + (kind.isEmpty() ? "Kind" : "apiVersion") + "' is missing in '" + Json.text(object)
                    + "'");
        }
        if (!apiVersion.equals(resource.apiVersion())) {
            for (String name : object.propertyNames()) {
                if (!name.equals("kind") && !name.equals("apiVersion") && !name.equals("metadata")) {
                    resourceRequest.warnings().add("unknown field \"" + name + "\"");
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
