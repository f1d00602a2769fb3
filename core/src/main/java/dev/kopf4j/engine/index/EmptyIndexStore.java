package dev.kopf4j.engine.index;

import dev.kopf4j.Store;
import java.util.AbstractCollection;
import java.util.Collections;
import java.util.Iterator;
import java.util.Optional;

/** The values of keys that are not there. Immutable. */
final class EmptyIndexStore extends AbstractCollection<Object> implements Store<Object> {
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
