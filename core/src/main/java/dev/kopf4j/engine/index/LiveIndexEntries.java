package dev.kopf4j.engine.index;

import dev.kopf4j.Store;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The keys of an index with their values, as readers see them at the moment. Thread-safe. */
final class LiveIndexEntries<K extends @Nullable Object, V extends @Nullable Object>
        extends AbstractSet<Map.Entry<K, Store<V>>> {
    private final Map<Object, LiveIndexStore<V>> stores;

    LiveIndexEntries(Map<Object, LiveIndexStore<V>> stores) {
        this.stores = stores;
    }

    @Override
    public int size() {
        return stores.size();
    }

    @Override
    public Iterator<Map.Entry<K, Store<V>>> iterator() {
        Iterator<Map.Entry<Object, LiveIndexStore<V>>> all = stores.entrySet().iterator();
        return new Iterator<>() {
            @Override
            public boolean hasNext() {
                return all.hasNext();
            }

            @Override
            public Map.Entry<K, Store<V>> next() {
                return shown(all.next());
            }
        };
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // what the index functions have made
    private Map.Entry<K, Store<V>> shown(Map.Entry<Object, LiveIndexStore<V>> entry) {
        return new SimpleImmutableEntry<>((K) IndexedValue.shown(entry.getKey()), entry.getValue());
    }
}
