package dev.kopf4j.persistence.diffbase;

import dev.kopf4j.DiffBaseStore;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.persistence.conventions.CustomStorageValues;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps the diff-base in the storage of a user.
 *
 * <p>Thread-safe; the user's storage must be, too.
 */
public final class CustomDiffBaseStorage implements DiffBaseStorage {
    private final DiffBaseStore.Custom store;
    private final EssenceBuilder essences = new EssenceBuilder(List.of());

    public CustomDiffBaseStorage(DiffBaseStore.Custom store) {
        this.store = store;
    }

    @Override
    public @Nullable ObjectNode fetch(ObjectNode body) {
        Map<String, Object> found = store.fetch(CustomStorageValues.plain(body));
        return found == null ? null : CustomStorageValues.tree(found, store);
    }

    @Override
    public ObjectNode build(ObjectNode body, Collection<FieldPath> extraFields) {
        ObjectNode essence = essences.build(body, extraFields);
        Map<String, Object> plain = CustomStorageValues.plain(essence);
        Map<String, Object> cleared = store.clear(store.build(plain, CustomStorageValues.plain(body)));
        return cleared.equals(plain) ? essence : CustomStorageValues.tree(cleared, store);
    }

    @Override
    public void store(ObjectNode body, ObjectNode patch, ObjectNode essence) {
        CustomStorageValues.merge(
                store.store(CustomStorageValues.plain(essence), CustomStorageValues.plain(body)), patch, store);
    }
}
