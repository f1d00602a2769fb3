package dev.kopf4j.devcluster.registry.write;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.request.ResourceRequest;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/**
 * Checks the uid and version that a client expects of the object that it writes:
 * {@code pkg/registry/generic/registry/store.go} of the apiserver library, v1.33. Pure.
 */
final class WritePreconditions {
    private WritePreconditions() {}

    /**
     * Refuses an object that names another uid, with 409.
     *
     * @param uid the stored uid; empty if there is no object
     */
    static void checkUid(ResourceRequest request, ObjectNode sent, String uid) {
        String wanted = Json.string(sent, "metadata", "uid");
        if (!wanted.isEmpty() && !wanted.equals(uid)) {
            throw ApiException.conflict(
                    request.statusDetails(),
                    "Precondition failed: UID in precondition: " + wanted + ", UID in object meta: " + uid);
        }
    }

    /**
     * Refuses an object without a version with 422, unless its kind allows that, and one of another version with 409.
     * Version 0 means none.
     */
    static void checkVersion(ResourceRequest request, ObjectNode next, StoredObject current) {
        String version = Json.string(next, "metadata", "resourceVersion");
        if (version.isEmpty() || version.equals("0")) {
            if (request.resource().resourceTraits().unconditionalUpdate()) {
                Json.child(next, "metadata").put("resourceVersion", String.valueOf(current.version()));
                return;
            }
            throw ApiException.invalid(
                    request.statusDetails(),
                    List.of(FieldError.invalid("metadata.resourceVersion", "0x0", "must be specified for an update")));
        }
        if (!version.matches("[0-9]{1,18}")) {
            throw ApiException.plain500("strconv.ParseUint: parsing \"" + version + "\": invalid syntax");
        }
        if (Long.parseLong(version) != current.version()) {
            throw ApiException.modified(request.statusDetails());
        }
    }
}
