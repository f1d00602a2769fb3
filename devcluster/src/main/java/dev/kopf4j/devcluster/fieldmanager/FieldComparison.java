package dev.kopf4j.devcluster.fieldmanager;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.json.JsonEquality;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The fields that differ between two states; Compare of {@code typed/compare.go} of structured-merge-diff v4.6. */
final class FieldComparison {
    private final FieldSet changed = new FieldSet();
    private final FieldSet removed = new FieldSet();

    private FieldComparison() {}

    static FieldComparison of(MergeSchema mergeSchema, JsonNode before, JsonNode after) {
        FieldComparison fieldComparison = new FieldComparison();
        fieldComparison.walk(mergeSchema, before, after, fieldComparison.changed, fieldComparison.removed);
        return fieldComparison;
    }

    /** Fields that were added or have another value. */
    FieldSet changed() {
        return changed;
    }

    /** Fields that are gone. */
    FieldSet removed() {
        return removed;
    }

    private void walk(
            MergeSchema mergeSchema,
            @Nullable JsonNode before,
            @Nullable JsonNode after,
            FieldSet changes,
            FieldSet removals) {
        if (isLeaf(mergeSchema, before, after)) {
            leaf(before, after, changes, removals);
            return;
        }
        if (before instanceof ArrayNode || after instanceof ArrayNode) {
            elements(mergeSchema, before, after, changes, removals);
        } else {
            fields(mergeSchema, before, after, changes, removals);
        }
        if (before == null) {
            changes.makeMember();
        } else if (after == null) {
            removals.makeMember();
        }
    }

    private void fields(
            MergeSchema mergeSchema,
            @Nullable JsonNode before,
            @Nullable JsonNode after,
            FieldSet changes,
            FieldSet removals) {
        JsonNode former = before == null ? Json.missing() : before;
        JsonNode present = after == null ? Json.missing() : after;
        for (Map.Entry<String, JsonNode> entry : former.properties()) {
            field(mergeSchema, entry.getKey(), entry.getValue(), present.get(entry.getKey()), changes, removals);
        }
        for (Map.Entry<String, JsonNode> entry : present.properties()) {
            if (!former.has(entry.getKey())) {
                field(mergeSchema, entry.getKey(), null, entry.getValue(), changes, removals);
            }
        }
    }

    private void field(
            MergeSchema mergeSchema,
            String key,
            @Nullable JsonNode before,
            @Nullable JsonNode after,
            FieldSet changes,
            FieldSet removals) {
        FieldSet changesBelow = new FieldSet();
        FieldSet removalsBelow = new FieldSet();
        MergeSchema schema = mergeSchema.field(key).orElse(MergeSchema.UNKNOWN);
        walk(schema, before, after, changesBelow, removalsBelow);
        String name = PathElements.field(key);
        keep(changes, name, changesBelow);
        keep(removals, name, removalsBelow);
    }

    private void elements(
            MergeSchema mergeSchema,
            @Nullable JsonNode before,
            @Nullable JsonNode after,
            FieldSet changes,
            FieldSet removals) {
        Map<String, List<JsonNode>> former = PathElements.parts(mergeSchema, before);
        Map<String, List<JsonNode>> present = PathElements.parts(mergeSchema, after);
        Set<String> names = new LinkedHashSet<>(former.keySet());
        names.addAll(present.keySet());
        for (String name : names) {
            FieldSet changesBelow = new FieldSet();
            FieldSet removalsBelow = new FieldSet();
            parts(
                    PathElements.shape(mergeSchema, name),
                    former.getOrDefault(name, List.of()),
                    present.getOrDefault(name, List.of()),
                    changesBelow,
                    removalsBelow);
            keep(changes, name, changesBelow);
            keep(removals, name, removalsBelow);
        }
    }

    /** Elements of a list that share a name count as a whole. */
    private void parts(
            MergeSchema mergeSchema, List<JsonNode> before, List<JsonNode> after, FieldSet changes, FieldSet removals) {
        boolean repeated = before.size() > 1;
        boolean repeats = after.size() > 1;
        JsonNode former = before.size() == 1 ? before.getFirst() : null;
        JsonNode present = after.size() == 1 ? after.getFirst() : null;
        if (former != null || present != null) {
            walk(mergeSchema, former, present, changes, removals);
        }
        if (repeated && !repeats) {
            removals.makeMember();
        } else if (repeats && !(repeated && areSame(before, after))) {
            changes.makeMember();
        }
    }

    private static boolean areSame(List<JsonNode> before, List<JsonNode> after) {
        return JsonEquality.same(Json.array().addAll(before), Json.array().addAll(after));
    }

    private static void keep(FieldSet set, String name, FieldSet below) {
        if (!below.isEmpty()) {
            set.children().put(name, below);
        }
    }

    private static void leaf(@Nullable JsonNode before, @Nullable JsonNode after, FieldSet changes, FieldSet removals) {
        if (after == null) {
            removals.makeMember();
        } else if (before == null || !JsonEquality.same(before, after)) {
            changes.makeMember();
        }
    }

    /** A null where a type declares a list or an object is an empty one that is there. */
    private static boolean isLeaf(MergeSchema mergeSchema, @Nullable JsonNode before, @Nullable JsonNode after) {
        return switch (mergeSchema.structure()) {
            case NONE -> true;
            case ANY ->
                !(before instanceof ObjectNode || before == null)
                        || !(after instanceof ObjectNode || after == null)
                        || (size(before) == 0 && size(after) == 0);
            case FIELDS ->
                !(before instanceof ObjectNode || isNothing(before))
                        || !(after instanceof ObjectNode || isNothing(after))
                        || (size(before) == 0 && size(after) == 0);
            case KEYED, SET ->
                !(before instanceof ArrayNode || isNothing(before))
                        || !(after instanceof ArrayNode || isNothing(after))
                        || (size(before) == 0 && size(after) == 0);
        };
    }

    private static boolean isNothing(@Nullable JsonNode node) {
        return node == null || node.isNull();
    }

    private static int size(@Nullable JsonNode node) {
        return node == null ? 0 : node.size();
    }
}
