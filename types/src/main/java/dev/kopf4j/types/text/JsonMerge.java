package dev.kopf4j.types.text;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Merges a JSON object into another (RFC 7386). Pure. */
public final class JsonMerge {
    private JsonMerge() {}

    /** The target with the patch applied; nulls remove. */
    public static Map<String, Object> apply(Map<String, Object> target, Map<?, ?> patch) {
        Map<String, Object> merged = new LinkedHashMap<>(target);
        patch.forEach((key, value) -> put(merged, String.valueOf(key), value));
        return merged;
    }

    @SuppressWarnings("unchecked") // keys of JSON are texts
    private static void put(Map<String, Object> merged, String key, @Nullable Object value) {
        switch (value) {
            case null -> merged.remove(key);
            case Map<?, ?> nested -> {
                Object before = merged.get(key);
                merged.put(key, apply(before instanceof Map<?, ?> map ? (Map<String, Object>) map : Map.of(), nested));
            }
            default -> merged.put(key, value);
        }
    }
}
