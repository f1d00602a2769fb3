package dev.kopf4j.persistence.diffbase;

import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.persistence.conventions.AnnotationRecords;
import dev.kopf4j.persistence.conventions.AnnotationRecords.UnreadableStateListener;
import dev.kopf4j.persistence.conventions.EssencePruner;
import dev.kopf4j.persistence.conventions.PythonJson;
import java.util.Collection;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * Keeps the diff-base in a field of the status, as a JSON text. If it were a JSON object, the API server would merge it
 * with the former one.
 *
 * <p>Immutable.
 */
public final class StatusDiffBaseStorage implements DiffBasePersistence {
    private final FieldPath field;
    private final EssenceBuilder essences;
    private final UnreadableStateListener broken;

    /** Makes a storage in the given field, which must not be the root; changes of the ignored fields do not count. */
    public StatusDiffBaseStorage(FieldPath field, Collection<FieldPath> ignoredFields) {
        this(field, ignoredFields, UnreadableStateListener.LOGGED);
    }

    StatusDiffBaseStorage(FieldPath field, Collection<FieldPath> ignoredFields, UnreadableStateListener broken) {
        this.field = field.requireNotRoot("state cannot be kept in the root of an object; name a field");
        this.essences = new EssenceBuilder(ignoredFields);
        this.broken = broken;
    }

    @Override
    public @Nullable ObjectNode fetch(ObjectNode body) {
        JsonNode text = field.resolve(body);
        if (text == null) {
            return null;
        }
        try {
            JsonNode json = text.isString() ? Json.parse(text.stringValue()) : text;
            if (text.isString() && json instanceof ObjectNode essence) {
                return essence;
            }
            if (!json.isNull()) {
                broken.foundUnreadable(body, "field " + field, "expected a JSON object as a text");
            }
        } catch (JsonConversionException e) {
            broken.foundUnreadable(body, "field " + field, String.valueOf(e.getMessage()));
        }
        return null;
    }

    @Override
    public ObjectNode build(ObjectNode body, Collection<FieldPath> extraFields) {
        return EssencePruner.withoutField(essences.build(body, extraFields), field);
    }

    @Override
    public boolean purge(ObjectNode body, ObjectNode patch) {
        AnnotationRecords.purge(field, body, patch);
        return true;
    }

    @Override
    public void store(ObjectNode body, ObjectNode patch, ObjectNode essence) {
        field.ensure(patch, StringNode.valueOf(PythonJson.text(essence)));
    }
}
