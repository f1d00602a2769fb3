package dev.kopf4j.engine.index;

import dev.kopf4j.Index;
import dev.kopf4j.Store;
import dev.kopf4j.engine.index.IndexFunctionCalls.IndexResult;
import java.util.AbstractCollection;
import java.util.AbstractMap;
import java.util.AbstractMap.SimpleImmutableEntry;
import java.util.AbstractSet;
import java.util.Collections;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * One index. One thread at a time adds and removes the values of an object. Objects do not block each other, and nobody
 * blocks readers. The cost of a change depends on the number of the object's own keys only.
 */
public final class LiveIndex<K extends @Nullable Object, V extends @Nullable Object> extends AbstractMap<K, Store<V>>
        implements Index<K, V> {
    static final String READ_ONLY =
            "an index is read-only: what its functions return for the objects is all that is in it";

    private final Map<Object, LiveIndexStore<V>> stores = new ConcurrentHashMap<>();

    /** An empty index. */
    public LiveIndex() {}

    /**
     * Puts an object's new values in the place of those that it had.
     *
     * @param own what it had; null for nothing
     * @return what it has now; null for nothing
     * @throws RuntimeException if a key fails to be compared: the object has nothing in the index then
     */
    @Nullable IndexedValue replace(@Nullable IndexedValue own, IndexResult result) {
        Map<Object, IndexedValue> old = byKey(own);
        IndexedValue head = null;
        try {
            for (Map.Entry<@Nullable Object, @Nullable Object> each :
                    result.values().entrySet()) {
                IndexedValue known = old.remove(IndexedValue.stored(each.getKey()));
                IndexedValue put = put(known, each.getKey(), each.getValue());
                put.sibling = head;
                head = put;
            }
        } catch (Throwable e) {
            discard(head);
            old.values().forEach(this::remove);
            throw e;
        }
        // The new ones come first: a reader may find an object under two keys, but never under none.
        old.values().forEach(this::remove);
        return head;
    }

    private static Map<Object, IndexedValue> byKey(@Nullable IndexedValue own) {
        Map<Object, IndexedValue> found = HashMap.newHashMap(2);
        for (IndexedValue entry = own; entry != null; entry = entry.sibling) {
            found.put(entry.key, entry);
        }
        return found;
    }

    private IndexedValue put(@Nullable IndexedValue known, @Nullable Object key, @Nullable Object value) {
        if (known != null) {
            known.value = value;
            return known;
        }
        IndexedValue[] added = new IndexedValue[1];
        stores.compute(IndexedValue.stored(key), (stored, present) -> {
            LiveIndexStore<V> store = present == null ? new LiveIndexStore<>() : present;
            added[0] = store.append(stored, value);
            return store;
        });
        return added[0];
    }

    /** Takes all of an object's values out. */
    void discard(@Nullable IndexedValue own) {
        for (IndexedValue entry = own; entry != null; entry = entry.sibling) {
            remove(entry);
        }
    }

    private void remove(IndexedValue entry) {
        stores.computeIfPresent(entry.key, (key, store) -> {
            store.remove(entry);
            return store.isEmpty() ? null : store;
        });
    }

    @Override
    public Store<V> store(K key) {
        Store<V> found = get(key);
        return found == null ? empty() : found;
    }

    @Override
    @SuppressWarnings("NullAway") // the type of keys of plain values is Void
    public Store<V> store() {
        Store<V> found = get(null);
        return found == null ? empty() : found;
    }

    @SuppressWarnings("unchecked") // it has none of any type
    private static <V extends @Nullable Object> Store<V> empty() {
        return (Store<V>) EmptyIndexStore.INSTANCE;
    }

    @Override
    public @Nullable Store<V> get(@Nullable Object key) {
        return stores.get(IndexedValue.stored(key));
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return stores.containsKey(IndexedValue.stored(key));
    }

    @Override
    public int size() {
        return stores.size();
    }

    @Override
    public boolean isEmpty() {
        return stores.isEmpty();
    }

    @Override
    public @Nullable Store<V> put(K key, Store<V> value) {
        throw new UnsupportedOperationException(READ_ONLY);
    }

    @Override
    public @Nullable Store<V> remove(@Nullable Object key) {
        throw new UnsupportedOperationException(READ_ONLY);
    }

    @Override
    public void clear() {
        throw new UnsupportedOperationException(READ_ONLY);
    }

    @Override
    public Set<Map.Entry<K, Store<V>>> entrySet() {
        return new LiveIndexEntries<>(stores);
    }

    /** The values of keys that are not there. Immutable. */
    private static final class EmptyIndexStore extends AbstractCollection<Object> implements Store<Object> {
        static final EmptyIndexStore INSTANCE = new EmptyIndexStore();

        private EmptyIndexStore() {}

        @Override
        public int size() {
            return 0;
        }

        @Override
        public Iterator<Object> iterator() {
            return Collections.emptyIterator();
        }

        @Override
        public Optional<Object> first() {
            return Optional.empty();
        }

        @Override
        public boolean remove(Object value) {
            throw new UnsupportedOperationException(LiveIndex.READ_ONLY);
        }

        @Override
        public void clear() {
            throw new UnsupportedOperationException(LiveIndex.READ_ONLY);
        }
    }

    /** The keys of an index with their values, as readers see them at the moment. Thread-safe. */
    private static final class LiveIndexEntries<K extends @Nullable Object, V extends @Nullable Object>
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
            return stores.entrySet().stream().map(this::shown).iterator();
        }

        @SuppressWarnings({"unchecked", "NullAway"}) // what the index functions have made
        private Map.Entry<K, Store<V>> shown(Map.Entry<Object, LiveIndexStore<V>> entry) {
            return new SimpleImmutableEntry<>((K) IndexedValue.shown(entry.getKey()), entry.getValue());
        }
    }

    /**
     * The values of one key, in a chain. Writers exclude each other, by the lock of the key in the map; readers need no
     * lock: entries are added at the end only, and those that are taken out still lead on to all that stood behind
     * them.
     */
    static final class LiveIndexStore<V extends @Nullable Object> extends AbstractCollection<V> implements Store<V> {
        private volatile @Nullable IndexedValue first;
        private @Nullable IndexedValue last;
        private volatile int size;

        /** Adds a value at the end. */
        IndexedValue append(Object key, @Nullable Object value) {
            IndexedValue head = first;
            IndexedValue entry = new IndexedValue(head == null ? key : head.key, value);
            IndexedValue tail = last;
            entry.previous = tail;
            last = entry;
            if (tail == null) {
                first = entry;
            } else {
                tail.next = entry;
            }
            resize(1);
            return entry;
        }

        /** There is one writer at a time: nobody changes it in between. */
        private void resize(int difference) {
            int before = size;
            size = before + difference;
        }

        /** Takes a value out. */
        void remove(IndexedValue entry) {
            IndexedValue before = entry.previous;
            IndexedValue after = entry.next;
            if (before == null) {
                first = after;
            } else {
                before.next = after;
            }
            if (after == null) {
                last = before;
            } else {
                after.previous = before;
            }
            entry.value = IndexedValue.REMOVED;
            resize(-1);
        }

        @Override
        public int size() {
            return size;
        }

        @Override
        public Optional<V> first() {
            Iterator<V> values = iterator();
            return values.hasNext() ? Optional.ofNullable(values.next()) : Optional.empty();
        }

        @Override
        public Iterator<V> iterator() {
            return new Values<>(first);
        }

        @Override
        public boolean remove(@Nullable Object value) {
            throw new UnsupportedOperationException(LiveIndex.READ_ONLY);
        }

        @Override
        public void clear() {
            throw new UnsupportedOperationException(LiveIndex.READ_ONLY);
        }

        @Override
        public boolean add(V value) {
            throw new UnsupportedOperationException(LiveIndex.READ_ONLY);
        }

        private static final class Values<V extends @Nullable Object> implements Iterator<V> {
            private @Nullable IndexedValue upcoming;
            private @Nullable Object value;

            Values(@Nullable IndexedValue first) {
                settleAt(first);
            }

            /** The value is read once: it may change, or go, between two looks. */
            @SuppressWarnings("ReferenceEquality") // the mark itself
            private void settleAt(@Nullable IndexedValue from) {
                IndexedValue entry = from;
                Object found = entry == null ? null : entry.value;
                while (entry != null && found == IndexedValue.REMOVED) {
                    entry = entry.next;
                    found = entry == null ? null : entry.value;
                }
                upcoming = entry;
                value = found;
            }

            @Override
            public boolean hasNext() {
                return upcoming != null;
            }

            @Override
            @SuppressWarnings({"unchecked", "NullAway"}) // what the index functions have made
            public V next() {
                if (upcoming == null) {
                    throw new NoSuchElementException("the store has no more values");
                }
                V current = (V) value;
                settleAt(upcoming.next);
                return current;
            }
        }
    }

    /**
     * One value of one object under one key: a link in two chains, that of the key's values and that of the object's.
     * Five references, so that a value costs 32 bytes.
     */
    static final class IndexedValue {
        /** In place of the value, once it was taken out: readers may still stand here. */
        static final Object REMOVED = new Object();

        /** In place of null, which concurrent maps do not take. */
        private static final Object NULL = new Object();

        /** The key as the index stores it; one instance for all values of a key. */
        final Object key;

        volatile @Nullable Object value;

        /**
         * The next value of the key. Stays where it is when the entry is taken out, so that readers find their way on.
         */
        volatile @Nullable IndexedValue next;

        /** The value of the key before this one; for its writers, who exclude each other. */
        @Nullable IndexedValue previous;

        /** Another value of the same object; guarded by the {@link ObjectIndexer} of its stream. */
        @Nullable IndexedValue sibling;

        IndexedValue(Object key, @Nullable Object value) {
            this.key = key;
            this.value = value;
        }

        /** A key as the index stores it. */
        static Object stored(@Nullable Object key) {
            return key == null ? NULL : key;
        }

        /** A key as users know it. */
        @SuppressWarnings("ReferenceEquality") // the mark itself
        static @Nullable Object shown(Object key) {
            return key == NULL ? null : key;
        }
    }
}
