package dev.kopf4j.engine.index;

import dev.kopf4j.Store;
import java.util.AbstractCollection;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The values of one key, in a chain. Writers exclude each other, by the lock of the key in the map; readers need no
 * lock: entries are added at the end only, and those that are taken out still lead on to all that stood behind them.
 */
final class LiveIndexStore<V extends @Nullable Object> extends AbstractCollection<V> implements Store<V> {
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
