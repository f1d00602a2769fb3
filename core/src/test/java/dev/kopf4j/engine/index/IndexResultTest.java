package dev.kopf4j.engine.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.Memo;
import dev.kopf4j.engine.index.IndexFunctionCalls.IndexResult;
import dev.kopf4j.engine.index.IndexFunctionCalls.IndexResult.IndexKey;
import java.nio.CharBuffer;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests {@link IndexResult}: which keys and values the result of an index function means. */
@Tag("F02")
@Tag("L32")
class IndexResultTest {
    private record Place(String namespace, String name) {}

    private static Map<@Nullable Object, @Nullable Object> values(@Nullable Object returned) {
        IndexResult result = IndexResult.of(returned);
        return result == null ? Map.of("nothing", "changes") : result.values();
    }

    private static Object onlyKey(Object key) {
        Object found =
                values(Collections.singletonMap(key, "x")).keySet().iterator().next();
        return found == null ? "null" : found;
    }

    @Test
    void mapsGiveValuesByKeys() {
        assertThat(values(Map.of("a", 1, "b", 2))).isEqualTo(Map.of("a", 1, "b", 2));
        assertThat(values(new ConcurrentHashMap<>(Map.of("a", 1)))).isEqualTo(Map.of("a", 1));
        assertThat(values(Map.of())).isEmpty();
        assertThat(values(Map.of("a", Map.of("b", 1)))).isEqualTo(Map.of("a", Map.of("b", 1)));
    }

    @Test
    void nullsInMapsAreKeysAndValues() {
        Map<@Nullable String, @Nullable String> map = new HashMap<>();
        map.put("a", null);
        map.put(null, "b");
        assertThat(values(map)).isEqualTo(map);
    }

    @Test
    void everythingElseIsOneValueUnderNull() {
        Memo memo = new Memo();
        for (Object value : List.of("text", 1, true, List.of("a", "b"), Set.of("a"), new Place("ns", "x"), memo)) {
            assertThat(values(value)).isEqualTo(Collections.singletonMap(null, value));
        }
    }

    @Test
    @Tag("F04")
    void nullAndEmptyOptionalsChangeNothing() {
        assertThat(IndexResult.of(null)).isNull();
        assertThat(IndexResult.of(Optional.empty())).isNull();
        assertThat(values(Optional.of(Map.of("a", 1)))).isEqualTo(Map.of("a", 1));
    }

    @Test
    void recordsAndListsAreKeys() {
        assertThat(onlyKey(new Place("ns", "x"))).isEqualTo(new Place("ns", "x"));
        assertThat(onlyKey(List.of("ns", "x"))).isEqualTo(List.of("ns", "x"));
    }

    @Test
    void laterChangesOfMutableKeysDoNoHarm() {
        List<Object> inner = new ArrayList<>(List.of(1));
        List<Object> list = new ArrayList<>(List.of("a", inner));
        Set<Object> set = new HashSet<>(Set.of("a"));
        Map<Object, Object> map = new HashMap<>(Map.of("a", CharBuffer.wrap("b")));
        Object listKey = onlyKey(list);
        Object setKey = onlyKey(set);
        Object mapKey = onlyKey(map);
        inner.add(2);
        list.add("c");
        set.clear();
        map.clear();
        assertThat(listKey).isEqualTo(List.of("a", List.of(1)));
        assertThat(setKey).isEqualTo(Set.of("a"));
        assertThat(mapKey).isEqualTo(Map.of("a", "b"));
        assertThat(onlyKey(CharBuffer.wrap("text"))).isEqualTo("text");
    }

    @Test
    void refusesKeysThatCouldNotBeLookedUp() {
        assertThatThrownBy(() -> onlyKey(new String[] {"a"}))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("the key is a java.lang.String[], which is equal to no other one, so that it could never be"
                        + " looked up; use a list, a record, or text");
        assertThatThrownBy(() -> onlyKey(List.of(new ArrayDeque<>())))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("java.util.ArrayDeque");
    }

    @Test
    void letsTheHashOfAKeyFailBeforeAnythingIsIndexed() {
        Object broken = new Object() {
            @Override
            public boolean equals(@Nullable Object other) {
                return this == other;
            }

            @Override
            public int hashCode() {
                throw new IllegalStateException("no hash");
            }
        };
        assertThatThrownBy(() -> IndexKey.frozen(broken)).hasMessage("no hash");
    }
}
