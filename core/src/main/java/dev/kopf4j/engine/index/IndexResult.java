package dev.kopf4j.engine.index;

import dev.kopf4j.Memo;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
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

    /**
     * Makes keys of an index safe from later changes: an entry whose key has changed would never be found again. Pure.
     */
    static final class IndexKey {
        private IndexKey() {}

        /**
         * The key itself, or a copy that cannot be changed but is equal to it, for lists, sets, maps and text buffers.
         *
         * @throws IllegalArgumentException if nothing but the very same instance would be equal to it
         */
        static @Nullable Object frozen(@Nullable Object key) {
            Object frozen = switch (key) {
                case null -> null;
                case List<?> list -> Collections.unmodifiableList(addAll(list, new ArrayList<>(list.size())));
                case Set<?> set -> Collections.unmodifiableSet(addAll(set, new LinkedHashSet<>()));
                case Map<?, ?> map -> frozen(map);
                case CharSequence text -> text.toString();
                default -> checked(key);
            };
            if (frozen != null) {
                // A key whose hash fails must fail here, where it can be told which function has made it.
                int _ = frozen.hashCode();
            }
            return frozen;
        }

        private static <C extends Collection<@Nullable Object>> C addAll(Collection<?> from, C to) {
            from.forEach(element -> to.add(frozen(element)));
            return to;
        }

        private static Object frozen(Map<?, ?> map) {
            Map<@Nullable Object, @Nullable Object> copy = new LinkedHashMap<>();
            map.forEach((key, value) -> copy.put(frozen(key), frozen(value)));
            return Collections.unmodifiableMap(copy);
        }

        private static Object checked(Object key) {
            if (key.getClass().isArray() || key instanceof Collection) {
                throw new IllegalArgumentException(
                        "the key is a " + key.getClass().getTypeName()
                                + ", which is equal to no other one, so that it could never be looked up; use a list, a record, or text");
            }
            return key;
        }
    }
}
