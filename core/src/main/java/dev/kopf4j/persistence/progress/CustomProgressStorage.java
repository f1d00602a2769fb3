package dev.kopf4j.persistence.progress;

import dev.kopf4j.ProgressStore;
import dev.kopf4j.persistence.conventions.CustomStorageValues;
import dev.kopf4j.persistence.conventions.UnreadableStateListener;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps the progress in the storage of a user.
 *
 * <p>Thread-safe; the user's storage must be, too.
 */
public final class CustomProgressStorage implements ProgressStorage {
    private final ProgressStore.Custom store;

    public CustomProgressStorage(ProgressStore.Custom store) {
        this.store = store;
    }

    @Override
    public @Nullable ProgressRecord fetch(String key, ObjectNode body) {
        Map<String, Object> found = store.fetch(key, CustomStorageValues.plain(body));
        return found == null
                ? null
                : ProgressCodec.decode(
                        CustomStorageValues.tree(found, store),
                        problem -> UnreadableStateListener.LOGGED.foundUnreadable(
                                body, "storage " + store.getClass().getName() + " under " + key, problem));
    }

    @Override
    public void store(String key, ProgressRecord record, ObjectNode body, ObjectNode patch) {
        Map<String, Object> plain = CustomStorageValues.plain(ProgressCodec.encode(record, false));
        CustomStorageValues.merge(store.store(key, plain, CustomStorageValues.plain(body)), patch, store);
    }

    @Override
    public void purge(String key, ObjectNode body, ObjectNode patch) {
        CustomStorageValues.merge(store.purge(key, CustomStorageValues.plain(body)), patch, store);
    }

    @Override
    public void touch(ObjectNode body, ObjectNode patch, @Nullable String value) {
        CustomStorageValues.merge(store.touch(CustomStorageValues.plain(body), value), patch, store);
    }

    @Override
    public ObjectNode clear(ObjectNode essence) {
        Map<String, Object> plain = CustomStorageValues.plain(essence);
        Map<String, Object> cleared = store.clear(plain);
        return cleared.equals(plain) ? essence : CustomStorageValues.tree(cleared, store);
    }

    @Override
    public void flush() {
        store.flush();
    }
}
