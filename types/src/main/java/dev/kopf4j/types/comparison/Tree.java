package dev.kopf4j.types.comparison;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A mapping of a definition, read without caring what is absent. Immutable.
 *
 * @param map the mapping
 */
record Tree(Map<?, ?> map) {
    static Tree of(@Nullable Object value) {
        return new Tree(value instanceof Map<?, ?> map ? map : Map.of());
    }

    @Nullable Object get(String key) {
        return map.get(key);
    }

    boolean has(String key) {
        return map.get(key) != null;
    }

    boolean flag(String key) {
        return Boolean.TRUE.equals(map.get(key));
    }

    String text(String key) {
        return Objects.toString(map.get(key), "");
    }

    Tree at(String key) {
        return of(map.get(key));
    }

    List<?> list(String key) {
        return map.get(key) instanceof List<?> list ? list : List.of();
    }

    /** The mappings of a list by the value of one of their keys, in order. */
    Map<String, Tree> byKey(String key, String id) {
        Map<String, Tree> found = new LinkedHashMap<>();
        list(key).forEach(each -> found.put(of(each).text(id), of(each)));
        return found;
    }

    /** The mappings in it by their keys, in order. */
    Map<String, Tree> trees() {
        Map<String, Tree> found = new LinkedHashMap<>();
        map.forEach((key, value) -> found.put(String.valueOf(key), of(value)));
        return found;
    }
}
