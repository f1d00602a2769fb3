package dev.kopf4j.engine.index;

import dev.kopf4j.Memo;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What an index function has returned, as it goes into the index. Immutable, as far as the values are.
 *
 * @param values the object's values by their keys, at least one or none at all
 */
public record IndexResult(Map<@Nullable Object, @Nullable Object> values) {
    /**
     * Maps give values by keys, which are frozen; everything else, memos too, is a value under the key null.
     *
     * @return null if nothing is to be changed: the function has returned null, or an empty optional
     * @throws IllegalArgumentException if a key cannot be looked up
     */
    static @Nullable IndexResult of(@Nullable Object returned) {
        return switch (returned) {
            case null -> null;
            case Optional<?> optional -> of(optional.orElse(null));
            case Memo memo -> new IndexResult(Collections.singletonMap(null, memo));
            case Map<?, ?> map -> new IndexResult(keyed(map));
            default -> new IndexResult(Collections.singletonMap(null, returned));
        };
    }

    private static Map<@Nullable Object, @Nullable Object> keyed(Map<?, ?> map) {
        Map<@Nullable Object, @Nullable Object> values = LinkedHashMap.newLinkedHashMap(map.size());
        map.forEach((key, value) -> values.put(IndexKey.frozen(key), value));
        return Collections.unmodifiableMap(values);
    }
}
