package dev.kopf4j.devcluster.conversion;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.CustomConverter;
import dev.kopf4j.devcluster.resource.CustomKind;
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
 * Converts stored objects to the form of a resource: usually the same, otherwise with other field names, by another
 * schema, or by a webhook, for which the caller waits. {@link dev.kopf4j.devcluster.status.ApiException} if that fails.
 */
public final class StorageConversion {
    private StorageConversion() {}

    /** Whether the resource shows the stored bytes without conversion. */
    public static boolean asStored(Resource resource) {
        CustomKind custom = resource.custom();
        return custom == null ? !BuiltinConversion.has(resource) : custom.storedAsServed();
    }

    /** Whether reading objects of the resource may fail: their stored version may be gone, or a webhook does. */
    public static boolean mayFail(Resource resource) {
        CustomKind custom = resource.custom();
        return custom != null && !custom.storedAsServed();
    }

    /** Whether reading or writing objects of the resource may wait for a webhook. */
    public static boolean mayWait(Resource resource) {
        CustomKind custom = resource.custom();
        return custom != null
                && custom.versions().converter().isPresent()
                && !(custom.storedAsServed() && resource.isStored());
    }

    /** The object as a fresh tree. */
    public static ObjectNode tree(Resource resource, StoredObject object) {
        CustomKind custom = resource.custom();
        if (custom != null && !custom.storedAsServed()) {
            return new VersionConversion(resource, custom.versions()).read(object);
        }
        return BuiltinConversion.shown(resource, object.tree(resource.apiVersion(), resource.kind()));
    }

    /** An object of the resource, ready for the store. */
    public static StoredObject store(Resource resource, ObjectNode object) {
        CustomKind custom = resource.custom();
        if (custom == null) {
            return StoredObject.of(BuiltinConversion.stored(resource, object));
        }
        boolean uniform =
                custom.storedAsServed() && custom.versions().converter().isEmpty();
        ObjectNode stored = uniform ? object : new VersionConversion(resource, custom.versions()).write(object);
        return StoredObject.sorted(stored, custom.versions().storage());
    }

    /**
     * Whether a write of an object that nobody has changed leaves what is stored as it is. It does not if that is in
     * another version, or gets other defaults now: {@code GuaranteedUpdate} in {@code pkg/storage/etcd3/store.go} of
     * the apiserver library, v1.33.
     */
    public static boolean isCurrent(Resource resource, StoredObject stored, ObjectNode object) {
        CustomKind custom = resource.custom();
        if (custom == null) {
            return true;
        }
        boolean sameVersion = stored.schemaVersion().equals(custom.versions().storage());
        return sameVersion && (custom.storedAsServed() || stored.hasTextOf(store(resource, object)));
    }

    /** What a write answers: usually what was written, but after a conversion what is read again. */
    public static ObjectNode written(Resource resource, ObjectNode next, StoredObject stored) {
        if (mayFail(resource) && !resource.isStored()) {
            return tree(resource, stored);
        }
        ((ObjectNode) next.get("metadata")).put("resourceVersion", String.valueOf(stored.version()));
        return next;
    }

    /**
     * Reads and writes stored objects of a kind: they are pruned and get defaults by the schema of the version that
     * they were stored in, and are then converted and pruned by the other one: {@code crdConversionRESTOptionsGetter}
     * in {@code pkg/apiserver/customresource_handler.go} and {@code ConvertToVersion} in
     * {@code pkg/apiserver/conversion/converter.go} of the apiextensions-apiserver, v1.33.
     */
    private record VersionConversion(Resource resource, CustomVersions versions) {
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
            return convert(object.deepCopy(), resource.version(), versions.storage());
        }

        /** An object in another version; it is changed. */
        private ObjectNode convert(ObjectNode object, String from, String to) {
            if (from.equals(to)) {
                return object;
            }
            ObjectNode converted = versions.converter()
                    .map(converter -> byWebhook(converter, object, apiVersion(to)))
                    .orElseGet(() -> object.put("apiVersion", apiVersion(to)));
            coerce(converted, to);
            return converted;
        }

        /** The object in another version; webhooks see no resource version. */
        private static ObjectNode byWebhook(CustomConverter converter, ObjectNode sent, String apiVersion) {
            JsonNode version = Json.child(sent, "metadata").remove("resourceVersion");
            ObjectNode converted = converter.convert(sent, apiVersion);
            if (version != null) {
                Json.child(converted, "metadata").set("resourceVersion", version);
            }
            return converted;
        }

        private void coerce(ObjectNode object, String version) {
            SchemaPruning.prune(schema(version), object, new ArrayList<>());
        }

        private StructuralSchema schema(String version) {
            StructuralSchema schema = versions.schemas().get(version);
            if (schema == null) {
                throw ApiException.plain500(
                        "request to convert CR from an invalid group/version: " + apiVersion(version));
            }
            return schema;
        }

        private String apiVersion(String version) {
            return resource.group() + "/" + version;
        }
    }
}
