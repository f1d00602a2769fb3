package dev.kopf4j.engine.index;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Makes keys of an index safe from later changes: an entry whose key has changed would never be found again. Pure. */
final class IndexKey {
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
