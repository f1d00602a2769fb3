package dev.kopf4j.testing;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Makes whole objects of a version: what the schema has, and the metadata that a stored object has. Pure. */
final class GeneratedObject {
    private GeneratedObject() {}

    static Map<String, @Nullable Object> make(DefinedVersion version, SchemaValues values, int number) {
        Map<String, @Nullable Object> object = new LinkedHashMap<>();
        object.put("apiVersion", version.apiVersion());
        object.put("kind", version.kind());
        object.put("metadata", metadata(version, number));
        values.object(version.schema(), "").forEach(object::putIfAbsent);
        return object;
    }

    private static Map<String, Object> metadata(DefinedVersion version, int number) {
        Map<String, Object> metadata = new LinkedHashMap<>();
        metadata.put("name", "object-" + number);
        if (version.namespaced()) {
            metadata.put("namespace", "default");
        }
        metadata.put("uid", "uid-" + number);
        metadata.put("resourceVersion", "1");
        metadata.put("generation", 1);
        metadata.put("creationTimestamp", "2026-01-01T00:00:00Z");
        metadata.put("labels", Map.of("app", "round-trip"));
        metadata.put("annotations", Map.of("example.com/note", "round trip", "kopf.zalando.org/fn", "{}"));
        metadata.put("finalizers", List.of("kopf.zalando.org/KopfFinalizerMarker"));
        return metadata;
    }
}
