package dev.kopf4j.engine.index;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.Index;
import dev.kopf4j.Store;
import dev.kopf4j.engine.index.IndexFunctionCalls.IndexResult;
import dev.kopf4j.engine.index.LiveIndex.IndexedValue;
import dev.kopf4j.engine.index.LiveIndex.LiveIndexStore;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SystemPlatform;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Tests {@link LiveIndex} and {@link LiveIndexStore}, also with readers and writers at the same time. */
class LiveIndexTest {
    private final LiveIndex<String, String> index = new LiveIndex<>();

    private static IndexResult result(@Nullable String... keysAndValues) {
        Map<@Nullable Object, @Nullable Object> values = new HashMap<>();
        for (int i = 0; i < keysAndValues.length; i += 2) {
            values.put(keysAndValues[i], keysAndValues[i + 1]);
        }
        return new IndexResult(values);
    }

    private Map<@Nullable String, List<String>> content() {
        Map<@Nullable String, List<String>> content = new HashMap<>();
        index.forEach((key, store) -> content.put(key, List.copyOf(store)));
        return content;
    }

    @Test
    void hasOneValueOfEachObjectUnderAKey() {
        index.replace(null, result("a", "1", "b", "1"));
        index.replace(null, result("a", "2"));
        index.replace(null, result("a", "2"));
        assertThat(content()).isEqualTo(Map.of("a", List.of("1", "2", "2"), "b", List.of("1")));
        assertThat(index).hasSize(2).containsKey("a").doesNotContainKey("c");
    }

    @Test
    void replacesTheValuesOfAnObject() {
        index.replace(null, result("a", "other"));
        IndexedValue own = index.replace(null, result("a", "1", "b", "1"));
        own = index.replace(own, result("b", "2", "c", "2"));
        assertThat(content()).isEqualTo(Map.of("a", List.of("other"), "b", List.of("2"), "c", List.of("2")));
        own = index.replace(own, result());
        assertThat(own).isNull();
        assertThat(content()).isEqualTo(Map.of("a", List.of("other")));
    }

    @Test
    void removesKeysWithoutValues() {
        IndexedValue own = index.replace(null, result("a", "1", null, "2"));
        Store<String> store = index.store("a");
        index.discard(own);
        assertThat(index).isEmpty();
        assertThat(store).isEmpty();
        assertThat(index.store("a")).isEmpty();
        assertThat(index.store("a").first()).isEmpty();
    }

    @Test
    void keepsNullsAsKeysAndValues() {
        index.replace(null, result(null, "1"));
        index.replace(null, result("a", null));
        assertThat(index.store()).containsExactly("1");
        assertThat(index.containsKey(null)).isTrue();
        assertThat(index.store("a")).hasSize(1).containsOnlyNulls();
        assertThat(index.store("a").first()).isEmpty();
        assertThat(index.keySet()).containsExactlyInAnyOrder(null, "a");
    }

    @Test
    @Tag("F09")
    void refusesChanges() {
        index.replace(null, result("a", "1"));
        Index<String, String> seen = index;
        Store<String> store = seen.store("a");
        List<Runnable> changes = List.of(
                () -> seen.put("b", store),
                () -> seen.remove("a"),
                () -> seen.remove("unknown"),
                seen::clear,
                () -> seen.putAll(Map.of("b", store)),
                () -> seen.computeIfAbsent("b", key -> store),
                () -> seen.keySet().remove("a"),
                () -> seen.values().clear(),
                () -> seen.entrySet().iterator().next().setValue(store),
                () -> store.add("2"),
                () -> store.remove("1"),
                () -> store.remove("unknown"),
                store::clear,
                () -> store.removeIf("1"::equals),
                () -> seen.store("unknown").add("2"));
        for (Runnable change : changes) {
            assertThatThrownBy(change::run).isInstanceOf(UnsupportedOperationException.class);
        }
        assertThat(content()).isEqualTo(Map.of("a", List.of("1")));
        assertThatThrownBy(() -> seen.remove("a")).hasMessageContaining("an index is read-only");
    }

    @Test
    @Tag("F09")
    void isLive() {
        IndexedValue own = index.replace(null, result("a", "1"));
        Store<String> store = index.store("a");
        index.replace(null, result("a", "2"));
        assertThat(store).containsExactly("1", "2").hasSize(2).contains("2");
        index.replace(own, result("a", "3"));
        assertThat(store).containsExactly("3", "2");
        assertThat(store.first()).contains("3");
    }

    private record Broken(String name) {
        @Override
        public int hashCode() {
            return 1;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            throw new IllegalStateException("not to be compared");
        }
    }

    @Test
    void keysThatFailLeaveNothingOfTheObject() {
        LiveIndex<Object, String> any = new LiveIndex<>();
        any.replace(null, new IndexResult(Map.of(new Broken("a"), "1")));
        IndexedValue own = any.replace(null, result("x", "1"));
        Map<@Nullable Object, @Nullable Object> values = new LinkedHashMap<>();
        values.put("x", "2");
        values.put("y", "2");
        values.put(new Broken("b"), "2");
        assertThatThrownBy(() -> any.replace(own, new IndexResult(values))).hasMessage("not to be compared");
        assertThat(any).hasSize(1).doesNotContainKey("x").doesNotContainKey("y");
    }

    @Test
    void iterationsGoOnWhereValuesAreTakenOut() {
        List<@Nullable IndexedValue> all = new ArrayList<>();
        for (String value : List.of("1", "2", "3", "4", "5")) {
            all.add(index.replace(null, result("a", value)));
        }
        Iterator<String> values = index.store("a").iterator();
        assertThat(values.next()).isEqualTo("1");
        index.discard(all.get(0));
        index.discard(all.get(2));
        index.discard(all.get(1));
        index.replace(null, result("a", "6"));
        List<String> rest = new ArrayList<>();
        values.forEachRemaining(rest::add);
        assertThat(rest).contains("4", "5", "6").doesNotContain("3");
    }

    /**
     * At 100,000 objects under one key: whatever went through all of them for each would need 5,000,000,000 steps, and
     * minutes.
     */
    @Test
    @Tag("L34")
    void costsOfAChangeDoNotDependOnTheNumberOfObjects() {
        List<@Nullable IndexedValue> all = new ArrayList<>();
        SystemPlatform platform = new SystemPlatform();
        Deadline deadline = platform.after(Duration.ofSeconds(20));
        for (int i = 0; i < 100_000; i++) {
            all.add(index.replace(null, result("all", "x", "key-" + i, "x")));
        }
        assertThat(index).hasSize(100_001);
        assertThat(index.store("all")).hasSize(100_000);
        Collections.shuffle(all, new Random(1));
        for (int i = 0; i < all.size(); i++) {
            all.set(i, index.replace(all.get(i), result("all", "y", "other-" + i, "y")));
        }
        for (int i = 0; i < 1_000_000; i++) {
            assertThat(index.get("other-" + i % 100_000) == null).isFalse();
        }
        all.forEach(index::discard);
        assertThat(index).isEmpty();
        assertThat(deadline.hasPassed(platform)).isFalse();
    }

    /**
     * What stays in the index during an iteration is seen in it exactly once, whatever comes and goes beside it. Real
     * threads: the point is what they do to each other.
     */
    @Test
    @Tag("F09")
    void readersSeeWhatStaysWhileOthersComeAndGo() throws Exception {
        AtomicBoolean ended = new AtomicBoolean();
        ExecutorService threads = Executors.newFixedThreadPool(4);
        List<Future<?>> all = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            index.replace(null, result("a", "stays-" + i));
            String name = "comes-" + i;
            all.add(threads.submit(() -> {
                while (!ended.get()) {
                    IndexedValue own = index.replace(null, result("a", name, "b", name));
                    own = index.replace(own, result("b", name, "c", name));
                    index.discard(own);
                }
            }));
        }
        all.add(threads.submit(() -> {
            try {
                for (int i = 0; i < 50_000; i++) {
                    List<String> seen = new ArrayList<>(index.store("a"));
                    assertThat(seen.stream().filter(value -> value.startsWith("stays")))
                            .containsExactlyInAnyOrder("stays-0", "stays-1", "stays-2");
                    assertThat(index.store("c").stream().allMatch(value -> value.startsWith("comes")))
                            .isTrue();
                }
            } finally {
                ended.set(true);
            }
        }));
        threads.shutdown();
        for (Future<?> each : all) {
            each.get(1, TimeUnit.MINUTES);
        }
        assertThat(content()).isEqualTo(Map.of("a", List.of("stays-0", "stays-1", "stays-2")));
    }
}
