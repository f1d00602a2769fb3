package dev.kopf4j.persistence.progress;

import dev.kopf4j.json.FieldPath;
import dev.kopf4j.persistence.conventions.AnnotationRecords;
import dev.kopf4j.persistence.conventions.AnnotationRecords.UnreadableStateListener;
import dev.kopf4j.persistence.conventions.EssencePruner;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Keeps the progress in a field of the status, as JSON objects under the unchanged handler ids.
 *
 * <p>Immutable.
 */
public final class StatusProgressStorage implements ProgressPersistence {
    private static final String ROOT_REFUSED = "state cannot be kept in the root of an object; name a field";

    private final FieldPath field;
    private final FieldPath touchField;
    private final UnreadableStateListener broken;

    /** Makes a storage in the given fields, which must not be the root. */
    public StatusProgressStorage(FieldPath field, FieldPath touchField) {
        this(field, touchField, UnreadableStateListener.LOGGED);
    }

    StatusProgressStorage(FieldPath field, FieldPath touchField, UnreadableStateListener broken) {
        this.field = field.requireNotRoot(ROOT_REFUSED);
        this.touchField = touchField.requireNotRoot(ROOT_REFUSED);
        this.broken = broken;
    }

    @Override
    public @Nullable ProgressRecord fetch(String key, ObjectNode body) {
        FieldPath place = field.append(key);
        JsonNode json = place.resolve(body);
        return json == null
                ? null
                : ProgressRecord.decode(json, problem -> broken.foundUnreadable(body, "field " + place, problem));
    }

    /** Writes nulls as well: a merge patch without them would keep the former values. */
    @Override
    public void store(String key, ProgressRecord record, ObjectNode body, ObjectNode patch) {
        FieldPath place = field.append(key);
        ObjectNode json = ProgressRecord.encode(record, true);
        JsonNode stored = place.resolve(body);
        if (stored instanceof ObjectNode fields) {
            fields.forEachEntry((name, _) -> {
                if (!json.has(name)) {
                    json.putNull(name);
                }
            });
        }
        place.ensure(patch, json);
    }

    @Override
    public void purge(String key, ObjectNode body, ObjectNode patch) {
        AnnotationRecords.purge(field.append(key), body, patch);
    }

    @Override
    public void touch(ObjectNode body, ObjectNode patch, @Nullable String value) {
        AnnotationRecords.touch(touchField, body, patch, value);
    }

    @Override
    public ObjectNode clear(ObjectNode essence) {
        return EssencePruner.withoutEmptyStanzas(EssencePruner.withoutField(essence, field));
    }
}
