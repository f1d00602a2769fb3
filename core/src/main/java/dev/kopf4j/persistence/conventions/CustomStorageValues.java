package dev.kopf4j.persistence.conventions;

import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.json.MergePatch;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** Converts between trees and the plain maps of custom storages. Pure. */
public final class CustomStorageValues {
    private CustomStorageValues() {}

    @SuppressWarnings("unchecked")
    public static Map<String, Object> plain(ObjectNode tree) {
        return (Map<String, Object>) Objects.requireNonNull(Json.toJava(tree));
    }

    /**
     * Converts what a custom storage has returned.
     *
     * @param storage the storage, for the message
     */
    public static ObjectNode tree(Map<String, ? extends @Nullable Object> answer, Object storage) {
        try {
            return (ObjectNode) Json.fromJava(answer);
        } catch (JsonConversionException e) {
            throw new IllegalStateException(
                    "storage " + storage.getClass().getName() + " has answered what is not JSON: " + e.getMessage(), e);
        }
    }

    public static void merge(Map<String, ? extends @Nullable Object> answer, ObjectNode patch, Object storage) {
        MergePatch.mergeInto(patch, tree(answer, storage));
    }
}
