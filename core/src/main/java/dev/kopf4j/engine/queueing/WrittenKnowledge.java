package dev.kopf4j.engine.queueing;

import dev.kopf4j.engine.cycle.ObjectMemory;
import dev.kopf4j.engine.index.IndexHolder;
import dev.kopf4j.engine.index.StreamKnowledge;
import dev.kopf4j.runtime.Monitor;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * What one stream knows of objects that the operator itself has written. Thread-safe.
 *
 * @param monitor guards the objects
 */
record WrittenKnowledge(Monitor monitor, KnownObjects objects, StreamPosition position) implements StreamKnowledge {
    @Override
    public @Nullable IndexHolder holder(String uid) {
        return memory(uid);
    }

    /** What is remembered of an object; null if it is not known. */
    @Nullable ObjectMemory memory(String uid) {
        return monitor.locked(() -> Optional.ofNullable(objects.find(uid)).map(ObjectQueue::memory))
                .orElse(null);
    }

    @Override
    public boolean hasTold(String uid, String version) {
        return monitor.locked(() -> {
            ObjectQueue queue = objects.find(uid);
            return position.hasReached(version) && (queue == null || !queue.hasWaiting(version));
        });
    }

    @Override
    public int currentList() {
        return position.currentList();
    }
}
