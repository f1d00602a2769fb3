package dev.kopf4j.devcluster.registry.write;

import dev.kopf4j.devcluster.conversion.StorageConversion;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.Resource;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Refuses objects that are too large for etcd: {@code max-request-bytes}, and {@code isTooLargeError} in
 * {@code pkg/endpoints/handlers/rest.go} of the apiserver library, v1.33. Pure.
 */
final class StorageLimit {
    private static final int MAX_REQUEST = 1536 << 10;

    /** What its client does not even send. */
    private static final int MAX_MESSAGE = 2 << 20;

    private StorageLimit() {}

    /** An object ready for the store; if it is too large, it loses its managed fields. */
    static StoredObject store(Resource resource, ObjectNode object) {
        StoredObject ready = StorageConversion.store(resource, object);
        if (length(resource, ready) <= MAX_REQUEST) {
            return ready;
        }
        Json.child(object, "metadata").remove("managedFields");
        StoredObject smaller = StorageConversion.store(resource, object);
        long length = length(resource, smaller);
        if (length > MAX_REQUEST) {
            throw ApiException.plain500(
                    length > MAX_MESSAGE
                            ? "rpc error: code = ResourceExhausted desc = trying to send message larger than max ("
                                    + length + " vs. " + MAX_MESSAGE + ")"
                            : "etcdserver: request is too large");
        }
        return smaller;
    }

    /** About what etcd would get: JSON of custom objects, the shorter protobuf of built-in ones. */
    private static long length(Resource resource, StoredObject object) {
        return resource.isCustom() || object.length() <= MAX_REQUEST ? object.length() : content(object.tree());
    }

    private static long content(JsonNode value) {
        if (value.isString()) {
            return value.stringValue().getBytes(StandardCharsets.UTF_8).length + 2L;
        }
        long sum = 2;
        for (JsonNode element : value.isArray() ? value : Json.array()) {
            sum += content(element);
        }
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            sum += content(field.getValue()) + 2;
        }
        return sum;
    }
}
