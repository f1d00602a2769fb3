package dev.kopf4j.devcluster.fieldmanager;

import dev.kopf4j.json.JsonEquality;
import java.util.LinkedHashSet;
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
        for (String name : names(mergeSchema, before, after)) {
            JsonNode left = before == null || before.isNull() ? null : PathElements.find(mergeSchema, before, name);
            JsonNode right = after == null || after.isNull() ? null : PathElements.find(mergeSchema, after, name);
            FieldSet changesBelow = changes.child(name);
            FieldSet removalsBelow = removals.child(name);
            walk(PathElements.shape(mergeSchema, name), left, right, changesBelow, removalsBelow);
            prune(changes, name, changesBelow);
            prune(removals, name, removalsBelow);
        }
        if (before == null) {
            changes.makeMember();
        } else if (after == null) {
            removals.makeMember();
        }
    }

    private static void prune(FieldSet set, String name, FieldSet below) {
        if (below.isEmpty()) {
            set.children().remove(name);
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

    private static Set<String> names(MergeSchema mergeSchema, @Nullable JsonNode before, @Nullable JsonNode after) {
        Set<String> names = new LinkedHashSet<>();
        collect(mergeSchema, before, names);
        collect(mergeSchema, after, names);
        return names;
    }

    private static void collect(MergeSchema mergeSchema, @Nullable JsonNode value, Set<String> names) {
        if (value instanceof ObjectNode object) {
            object.propertyNames().forEach(name -> names.add(PathElements.field(name)));
        } else if (value instanceof ArrayNode array) {
            array.forEach(element -> names.add(PathElements.name(mergeSchema, element)));
        }
    }
}
