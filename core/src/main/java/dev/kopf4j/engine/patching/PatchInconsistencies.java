package dev.kopf4j.engine.patching;

import dev.kopf4j.engine.handling.context.ResourceObject;
import dev.kopf4j.json.FieldPath;
import dev.kopf4j.json.JsonDiff;
import dev.kopf4j.json.JsonEquality;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.object.PatchContent;
import dev.kopf4j.text.TextShortener;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Warns of changes that the server has accepted and not made: mostly fields that the schema of a CRD does not know.
 * Once for each field of an object, as long as no more than 10,000 such fields are known. Thread-safe.
 */
final class PatchInconsistencies {
    private static final int REMEMBERED_MAX = 10_000;
    private static final Set<FieldPath> EMPTIED = Set.of(
            FieldPath.of("metadata", "annotations"),
            FieldPath.of("metadata", "labels"),
            FieldPath.of("metadata", "finalizers"));

    private record DroppedField(ObjectReference object, FieldPath field) {}

    private final Set<DroppedField> warned =
            Collections.synchronizedSet(Collections.newSetFromMap(new LinkedHashMap<>() {
                private static final long serialVersionUID = 1L;

                @Override
                protected boolean removeEldestEntry(Map.Entry<DroppedField, Boolean> eldest) {
                    return size() > REMEMBERED_MAX;
                }
            }));

    void report(ResourceObject resourceObject, PatchContent patch, ObjectNode answered) {
        ArrayNode missing = patch.conditions().differenceTo(answered);
        ObjectNode wanted = patch.merge();
        if (missing != null) {
            wanted = wanted.deepCopy();
            wanted.withObject("/status").set("conditions", missing);
        }
        JsonDiff difference = JsonDiff.between(wanted, answered, JsonDiff.Scope.LEFT);
        if (!difference.isEmpty()) {
            warn(resourceObject, difference);
        }
    }

    private void warn(ResourceObject resourceObject, JsonDiff difference) {
        List<JsonDiff.Item> missing = difference.items().stream()
                .filter(item -> !isHarmless(item))
                .filter(item -> warned.add(new DroppedField(resourceObject.reference(), item.field())))
                .toList();
        if (!missing.isEmpty()) {
            resourceObject
                    .localLogger()
                    .warn(
                            "Merge-patching finished with inconsistencies: {}. The server has dropped or changed these"
                                    + " fields. If the schema of {} does not declare them, declare them there, or set"
                                    + " x-kubernetes-preserve-unknown-fields: true on the stanza.",
                            DroppedFields.describe(missing),
                            resourceObject.resource());
        }
    }

    private static boolean isHarmless(JsonDiff.Item item) {
        return EMPTIED.contains(item.field()) && isEmpty(item.oldValue()) && isEmpty(item.newValue());
    }

    private static boolean isEmpty(@Nullable JsonNode value) {
        return value == null || JsonEquality.equal(value, null) || (value.isContainer() && value.isEmpty());
    }

    /** What a server has made of a patch, in words: for each field, what was asked for, and what is there. Pure. */
    private static final class DroppedFields {
        private static final int LONGEST_VALUE = 100;

        private DroppedFields() {}

        static String describe(List<JsonDiff.Item> items) {
            return items.stream().map(DroppedFields::describe).collect(Collectors.joining("; "));
        }

        private static String describe(JsonDiff.Item item) {
            return item.field() + " was set to " + shown(item.oldValue()) + ", but is " + shown(item.newValue());
        }

        private static String shown(@Nullable JsonNode value) {
            return value == null || value.isNull() ? "absent" : TextShortener.middle(value.toString(), LONGEST_VALUE);
        }
    }
}
