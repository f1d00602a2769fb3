package dev.kopf4j.engine.index;

import dev.kopf4j.engine.cause.RawEvent;
import dev.kopf4j.engine.cause.WatchEventType;
import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.engine.handling.invocation.IndexFunctionCalls;
import dev.kopf4j.engine.handling.invocation.IndexOutcome;
import dev.kopf4j.engine.handling.registry.RegisteredHandler;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Keeps the objects of one resource in the indices. Thread-safe; an object is given to one thread at a time. */
public final class ObjectIndexer {
    private final List<IndexWithFunctions> parts;
    private final IndexFunctionCalls calls;

    /** One index, with the functions that bring objects of the resource in. */
    private record IndexWithFunctions(LiveIndex<Object, Object> index, List<RegisteredHandler> functions) {}

    private ObjectIndexer(List<IndexWithFunctions> parts, IndexFunctionCalls calls) {
        this.parts = parts;
        this.calls = calls;
    }

    /** An indexer by these functions, in the order of their registration. */
    public static ObjectIndexer of(List<RegisteredHandler> functions, IndexSet indices, IndexFunctionCalls calls) {
        Map<String, List<RegisteredHandler>> byId = functions.stream()
                .collect(Collectors.groupingBy(RegisteredHandler::id, LinkedHashMap::new, Collectors.toList()));
        return new ObjectIndexer(
                byId.entrySet().stream()
                        .map(entry ->
                                new IndexWithFunctions(indices.get(entry.getKey()), List.copyOf(entry.getValue())))
                        .toList(),
                calls);
    }

    /** True if objects of this resource are in no index. */
    public boolean isIdle() {
        return parts.isEmpty();
    }

    /**
     * Brings the indices up to an event of an object.
     *
     * @param known what is known of the object; null if nothing is
     * @return what is to be known of it from now on; null for nothing
     * @throws InterruptedException if the operator stops
     */
    public @Nullable IndexedObject update(ResourceObject resourceObject, RawEvent event, @Nullable IndexedObject known)
            throws InterruptedException {
        if (event.type() == WatchEventType.DELETED) {
            discard(known);
            return null;
        }
        if (parts.isEmpty()) {
            return null;
        }
        IndexedObject object = known == null ? new IndexedObject(parts.size()) : known;
        for (int i = 0; i < parts.size(); i++) {
            update(resourceObject, event, object, i);
        }
        return object.isEmpty() ? null : object;
    }

    private void update(ResourceObject resourceObject, RawEvent event, IndexedObject object, int i)
            throws InterruptedException {
        IndexWithFunctions indexWithFunctions = parts.get(i);
        switch (calls.call(indexWithFunctions.functions(), resourceObject, event, object.failures(i))) {
            case IndexOutcome.Replaced(var result) -> {
                IndexedValue own = object.content(i);
                object.content(i, null);
                object.content(i, indexWithFunctions.index().replace(own, result));
                object.failures(i, null);
            }
            case IndexOutcome.Kept() -> object.failures(i, null);
            case IndexOutcome.Removed(var failures) -> {
                indexWithFunctions.index().discard(object.content(i));
                object.content(i, null);
                object.failures(i, failures);
            }
        }
    }

    /** Takes an object out of all indices. */
    public void discard(@Nullable IndexedObject known) {
        for (int i = 0; known != null && i < parts.size(); i++) {
            parts.get(i).index().discard(known.content(i));
            known.content(i, null);
        }
    }
}
