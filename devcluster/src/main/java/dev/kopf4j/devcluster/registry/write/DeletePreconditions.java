package dev.kopf4j.devcluster.registry.write;

import dev.kopf4j.devcluster.request.DeleteOptions;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.StatusDetails;
import dev.kopf4j.devcluster.storage.StoredObject;

/**
 * Checks the uid and version that a client expects of the object that it deletes: {@code Preconditions.Check} in
 * {@code pkg/storage/interfaces.go} and {@code pkg/registry/rest/delete.go} of the apiserver library, v1.33. Pure.
 */
final class DeletePreconditions {
    private DeletePreconditions() {}

    static void check(StatusDetails details, DeleteOptions options, StoredObject current) {
        if (!options.uid().isEmpty() && !options.uid().equals(current.uid())) {
            throw ApiException.conflict(
                    details,
                    "the UID in the precondition (" + options.uid() + ") does not match the UID in record ("
                            + current.uid() + "). The object might have been deleted and then recreated");
        }
        if (!options.version().isEmpty() && !options.version().equals(String.valueOf(current.version()))) {
            throw ApiException.conflict(
                    details,
                    "the ResourceVersion in the precondition (" + options.version()
                            + ") does not match the ResourceVersion in record (" + current.version()
                            + "). The object might have been modified");
        }
    }
}
