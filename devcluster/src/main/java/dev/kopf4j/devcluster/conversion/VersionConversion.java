package dev.kopf4j.devcluster.conversion;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.CustomConverter;
import dev.kopf4j.devcluster.resource.CustomVersions;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.schema.SchemaDefaulting;
import dev.kopf4j.devcluster.schema.SchemaPruning;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.ArrayList;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Reads and writes stored objects of a kind whose definition names a converter: they are pruned and get defaults by the
 * schema of the version that they were stored in, and are then converted and pruned by the other one:
 * {@code crdConversionRESTOptionsGetter} in {@code pkg/apiserver/customresource_handler.go} and
 * {@code ConvertToVersion} in {@code pkg/apiserver/conversion/converter.go} of the apiextensions-apiserver, v1.33.
 */
record VersionConversion(Resource resource, CustomVersions versions, CustomConverter converter) {
    ObjectNode read(StoredObject object) {
        String from = object.schemaVersion().isEmpty() ? versions.storage() : object.schemaVersion();
        ObjectNode tree = object.tree(apiVersion(from), resource.kind());
        coerce(tree, from);
        ObjectNode metadata = (ObjectNode) tree.remove("metadata");
        SchemaDefaulting.apply(schema(from), tree);
        tree.set("metadata", metadata);
        return convert(tree, from, resource.version());
    }

    ObjectNode write(ObjectNode object) {
        return convert(object, resource.version(), versions.storage());
    }

    /** The object in another version; webhooks see no resource version. */
    private ObjectNode convert(ObjectNode object, String from, String to) {
        if (from.equals(to)) {
            return object;
        }
        ObjectNode sent = object.deepCopy();
        JsonNode version = Json.child(sent, "metadata").remove("resourceVersion");
        ObjectNode converted = converter.convert(sent, apiVersion(to));
        if (version != null) {
            Json.child(converted, "metadata").set("resourceVersion", version);
        }
        coerce(converted, to);
        return converted;
    }

    private void coerce(ObjectNode object, String version) {
        SchemaPruning.prune(schema(version), object, new ArrayList<>());
    }

    private StructuralSchema schema(String version) {
        StructuralSchema schema = versions.schemas().get(version);
        if (schema == null) {
            throw ApiException.plain500("request to convert CR from an invalid group/version: " + apiVersion(version));
        }
        return schema;
    }

    private String apiVersion(String version) {
        return resource.group() + "/" + version;
    }
}
