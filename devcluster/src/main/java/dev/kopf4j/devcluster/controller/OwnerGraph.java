package dev.kopf4j.devcluster.controller;

import dev.kopf4j.devcluster.storage.StoredObject;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which objects depend on which owners, by the owners' uids: {@code graph_builder.go} of the real collector.
 * Thread-safe.
 */
final class OwnerGraph {
    private final Map<String, Set<ObjectKey>> dependents = new HashMap<>();

    /** Notes a change of an object's owners. */
    void update(ObjectKey key, @Nullable StoredObject before, @Nullable StoredObject after) {
        synchronized (dependents) {
            for (String owner : before == null ? List.<String>of() : before.owners()) {
                dependents.computeIfPresent(owner, (uid, keys) -> {
                    keys.remove(key);
                    return keys.isEmpty() ? null : keys;
                });
            }
            for (String owner : after == null ? List.<String>of() : after.owners()) {
                dependents.computeIfAbsent(owner, uid -> new LinkedHashSet<>()).add(key);
            }
        }
    }

    /** The objects that name an owner. */
    List<ObjectKey> dependentsOf(String uid) {
        synchronized (dependents) {
            return List.copyOf(dependents.getOrDefault(uid, Set.of()));
        }
    }
}
