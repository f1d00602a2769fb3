package dev.kopf4j.cli.manifests;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Small pieces of objects, as YAML has them: maps whose order stays. Pure. */
final class Pieces {
    private Pieces() {}

    /** Keys and values in turn. */
    static Map<String, Object> map(Object... keysAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            map.put((String) keysAndValues[i], keysAndValues[i + 1]);
        }
        return map;
    }

    /** An object with its metadata. */
    static Map<String, Object> object(String apiVersion, String kind, Map<String, Object> metadata) {
        return map("apiVersion", apiVersion, "kind", kind, "metadata", metadata);
    }

    static Map<String, Object> labels(Names names) {
        return map("app.kubernetes.io/name", names.name());
    }

    /** The metadata of an object in the operator's namespace. */
    static Map<String, Object> metadata(Names names) {
        return map("namespace", names.namespace(), "name", names.name(), "labels", labels(names));
    }

    static List<Object> list(Object... values) {
        return List.of(values);
    }

    /** A map inside an object; of a list, its first element. */
    @SuppressWarnings("unchecked") // the maps here are made here
    static Map<String, Object> part(Map<String, Object> object, String... path) {
        Map<String, Object> part = object;
        for (String key : path) {
            Object value = Objects.requireNonNull(part.get(key), key);
            part = (Map<String, Object>) (value instanceof List<?> list ? list.getFirst() : value);
        }
        return part;
    }
}
