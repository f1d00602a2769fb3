package dev.kopf4j.engine.children.live;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The parents of known children, and those that are there without any, by their keys. Guarded by the index. */
final class KnownParents {
    private final Map<String, KnownChildren> byKey = new HashMap<>();

    @Nullable KnownChildren find(String key) {
        return byKey.get(key);
    }

    List<KnownChildren> find(List<String> keys) {
        return keys.stream().map(byKey::get).filter(Objects::nonNull).toList();
    }

    List<KnownChildren> orNew(List<String> keys) {
        return keys.size() == 1
                ? orNew(keys.getFirst()).alone()
                : keys.stream().map(this::orNew).toList();
    }

    KnownChildren orNew(String key) {
        return byKey.computeIfAbsent(key, KnownChildren::new);
    }

    /** A parent is there: it is known by its own text from now on, as texts of uids are long. */
    KnownChildren ofParent(String key) {
        KnownChildren known = byKey.remove(key);
        KnownChildren found = known == null ? new KnownChildren(key) : known;
        found.key(key);
        byKey.put(key, found);
        return found;
    }

    void removeIfUnused(KnownChildren known) {
        if (known.isUnused()) {
            byKey.remove(known.key());
        }
    }

    /** A child is known in another way than before. */
    static LiveChild replaced(LiveChild child) {
        child.parents().forEach(parent -> parent.put(child));
        return child;
    }

    /** A child is not known any more, though nobody has told that it is gone. */
    void forget(LiveChild child) {
        for (KnownChildren parent : new ArrayList<>(child.parents())) {
            parent.remove(child.id());
            removeIfUnused(parent);
        }
    }
}
