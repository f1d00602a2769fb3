package dev.kopf4j.engine.handling.context;

import dev.kopf4j.object.ObjectReference;
import java.util.Collection;
import java.util.Collections;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The memos of objects, kept for the next run of an operator in this process. Thread-safe. */
public final class KeptMemos {
    private final Map<Key, Object> memos = new ConcurrentHashMap<>();

    /** The streams of two versions of a resource have memos of their own. */
    private record Key(@Nullable String apiVersion, String uid) {}

    Object of(ObjectReference object, String uid, Supplier<Object> make) {
        return memos.computeIfAbsent(new Key(object.apiVersion(), uid), key -> make.get());
    }

    void forget(ObjectReference object, String uid) {
        memos.remove(new Key(object.apiVersion(), uid));
    }

    /** All of them. */
    public Collection<Object> all() {
        return Collections.unmodifiableCollection(memos.values());
    }
}
