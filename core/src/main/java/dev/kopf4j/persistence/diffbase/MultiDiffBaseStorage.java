package dev.kopf4j.persistence.diffbase;

import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import java.util.Collection;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps the diff-base in several storages, for moving from one to another. The first one that has a record is believed;
 * all are written.
 *
 * <p>Immutable.
 *
 * @param storages those that are read, in this order
 */
public record MultiDiffBaseStorage(List<? extends DiffBasePersistence> storages) implements DiffBasePersistence {
    private static final EssenceBuilder ESSENCES = new EssenceBuilder(List.of());

    /** Keeps an immutable copy of the list. */
    public MultiDiffBaseStorage {
        storages = List.copyOf(storages);
    }

    @Override
    public @Nullable ObjectNode fetch(ObjectNode body) {
        for (DiffBasePersistence storage : storages) {
            ObjectNode essence = storage.fetch(body);
            if (essence != null) {
                return essence;
            }
        }
        return null;
    }

    @Override
    public long unpackedBytes(ObjectNode body) {
        long most = 0;
        for (DiffBasePersistence storage : storages) {
            most = Math.max(most, storage.unpackedBytes(body));
        }
        return most;
    }

    /** Lets each storage remove its own fields; it gets the essence so far as an object. */
    @Override
    public ObjectNode build(ObjectNode body, Collection<FieldPath> extraFields) {
        ObjectNode essence = ESSENCES.build(body, extraFields);
        for (DiffBasePersistence storage : storages) {
            essence = storage.build(identified(essence, body), extraFields);
        }
        return essence;
    }

    @Override
    public @Nullable String whyNotStorable(ObjectNode body, ObjectNode essence) {
        return storages.stream()
                .map(storage -> storage.whyNotStorable(body, essence))
                .filter(Objects::nonNull)
                .findFirst()
                .orElse(null);
    }

    @Override
    public boolean hasStored(ObjectNode patch, ObjectNode body) {
        return !storages.isEmpty() && storages.getFirst().hasStored(patch, body);
    }

    @Override
    public boolean purge(ObjectNode body, ObjectNode patch) {
        boolean all = true;
        for (DiffBasePersistence storage : storages) {
            all &= storage.purge(body, patch);
        }
        return all;
    }

    @Override
    public void store(ObjectNode body, ObjectNode patch, ObjectNode essence) {
        storages.forEach(storage -> storage.store(body, patch, essence));
    }

    /**
     * Adds the kind and the owners to an essence: they decide on the names of annotations. Each build removes them
     * again.
     */
    private static ObjectNode identified(ObjectNode essence, ObjectNode body) {
        ObjectNode identified = Json.object().setAll(essence);
        JsonNode kind = body.get("kind");
        if (kind != null) {
            identified.set("kind", kind);
        }
        JsonNode owners = body.path("metadata").get("ownerReferences");
        if (owners != null) {
            ObjectNode metadata = body.objectNode();
            essence.path("metadata").forEachEntry(metadata::set);
            metadata.set("ownerReferences", owners);
            identified.set("metadata", metadata);
        }
        return identified;
    }
}
