package dev.kopf4j.engine.index;

import dev.kopf4j.HandlerKind;
import dev.kopf4j.engine.call.ContextFactory.IndexLookup;
import dev.kopf4j.engine.declaration.HandlerRegistry;
import dev.kopf4j.engine.declaration.RegisteredHandler;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/** The indices of one run of an operator, empty at first, one for each id of its index functions. Thread-safe. */
public final class IndexSet implements IndexLookup {
    private final Map<String, LiveIndex<Object, Object>> indices;

    /** Indices of these ids. */
    public IndexSet(Collection<String> ids) {
        this.indices = ids.stream()
                .distinct()
                .collect(Collectors.toMap(id -> id, id -> new LiveIndex<>(), (one, other) -> one, TreeMap::new));
    }

    /** The indices that the handlers declare. */
    public static IndexSet of(HandlerRegistry registry) {
        return new IndexSet(registry.handlers().stream()
                .filter(handler -> handler.kind() == HandlerKind.INDEX)
                .map(RegisteredHandler::id)
                .toList());
    }

    /** True if there are none. */
    public boolean isEmpty() {
        return indices.isEmpty();
    }

    /** All of them by their ids. */
    public Map<String, LiveIndex<Object, Object>> all() {
        return Collections.unmodifiableMap(indices);
    }

    @Override
    public LiveIndex<Object, Object> get(String id) {
        LiveIndex<Object, Object> found = indices.get(id);
        if (found == null) {
            throw new IllegalArgumentException("there is no index '" + id + "'; "
                    + (indices.isEmpty() ? "there are none at all" : "there are " + indices.keySet())
                    + "; declare it by @OnIndex or OperatorBuilder.onIndex");
        }
        return found;
    }
}
