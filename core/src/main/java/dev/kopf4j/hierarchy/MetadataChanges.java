package dev.kopf4j.hierarchy;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Names, namespaces and labels in metadata. Pure functions: each changes the given map and nothing else. */
public final class MetadataChanges {
    private static final String NAME = "name";
    private static final String GENERATE_NAME = "generateName";
    private static final String NAMESPACE = "namespace";
    private static final String LABELS = "labels";

    private MetadataChanges() {}

    /** Sets labels. Labels that exist already keep their values, unless {@code forced}. */
    public static void label(Map<String, @Nullable Object> metadata, Map<String, String> labels, boolean forced) {
        if (labels.isEmpty()) {
            return;
        }
        Map<Object, @Nullable Object> result = new LinkedHashMap<>();
        if (metadata.get(LABELS) instanceof Map<?, ?> present) {
            result.putAll(present);
        }
        labels.forEach((key, value) -> {
            if (forced || !result.containsKey(key)) {
                result.put(key, value);
            }
        });
        metadata.put(LABELS, result);
    }

    /** Sets the name ({@code strict}) or its prefix of an object that has neither; of any object if {@code forced}. */
    public static void name(Map<String, @Nullable Object> metadata, String name, boolean forced, boolean strict) {
        if (!forced && (isPresent(metadata, NAME) || isPresent(metadata, GENERATE_NAME))) {
            return;
        }
        metadata.put(strict ? NAME : GENERATE_NAME, strict ? name : name + "-");
        metadata.remove(strict ? GENERATE_NAME : NAME);
    }

    /** Sets the namespace of an object that has none; of any object if {@code forced}. Null removes the namespace. */
    public static void namespace(Map<String, @Nullable Object> metadata, @Nullable String namespace, boolean forced) {
        if (!forced && metadata.get(NAMESPACE) != null) {
            return;
        }
        if (namespace == null) {
            metadata.remove(NAMESPACE);
        } else {
            metadata.put(NAMESPACE, namespace);
        }
    }

    private static boolean isPresent(Map<String, @Nullable Object> metadata, String key) {
        return metadata.get(key) instanceof String text && !text.isEmpty();
    }
}
