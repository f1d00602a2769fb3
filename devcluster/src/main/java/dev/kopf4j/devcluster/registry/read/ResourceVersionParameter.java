package dev.kopf4j.devcluster.registry.read;

import dev.kopf4j.devcluster.registry.ServerContext;
import dev.kopf4j.devcluster.status.ApiException;

/**
 * The query parameter {@code resourceVersion}, with the failures of {@code ParseResourceVersion} in
 * {@code pkg/storage/api_object_versioner.go} and {@code NewTooLargeResourceVersionError} in
 * {@code pkg/storage/errors.go} of the apiserver library, v1.33. Pure.
 */
final class ResourceVersionParameter {
    private ResourceVersionParameter() {}

    static boolean isReadable(String version) {
        return version.matches("[0-9]{1,18}");
    }

    static void checkReadable(String version) {
        if (!isReadable(version)) {
            throw ApiException.plain500(problem(version));
        }
    }

    static String problem(String version) {
        return "resourceVersion: Invalid value: \"" + version + "\": strconv.ParseUint: parsing \"" + version
                + "\": invalid syntax";
    }

    static void checkNotFuture(String version, ServerContext state) {
        long current = state.objectStore().version();
        if (Long.parseLong(version) > current) {
            throw ApiException.versionTooLarge(version, current);
        }
    }
}
