package dev.kopf4j;

import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What has changed between two states of an object or of a field. Immutable.
 *
 * @param items the changes; lists are compared as a whole, a subtree that was added or removed is one item
 */
public record Diff(List<Item> items) implements Iterable<Diff.Item> {
    /** A difference of these items. */
    public Diff {
        items = List.copyOf(items);
    }

    /** True if nothing has changed. */
    public boolean isEmpty() {
        return items.isEmpty();
    }

    /** The items as a stream. */
    public Stream<Item> stream() {
        return items.stream();
    }

    @Override
    public Iterator<Item> iterator() {
        return items.iterator();
    }

    /** What was done to a field. */
    public enum Op {
        /** It was absent and is present now. */
        ADD,
        /** It has another value now. */
        CHANGE,
        /** It was present and is absent now. */
        REMOVE
    }

    /**
     * The change of one field.
     *
     * @param op what was done
     * @param field the keys that lead to it; empty for the whole
     * @param oldValue the value before; null if it was absent
     * @param newValue the value now; null if it is absent
     */
    public record Item(
            Op op,
            List<String> field,
            @Nullable Object oldValue,
            @Nullable Object newValue) {
        /** The change of one field. */
        public Item {
            field = List.copyOf(field);
        }
    }
}
