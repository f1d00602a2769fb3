package dev.kopf4j.devcluster.fieldmanager;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Removes the fields that a manager no longer applies, unless another manager owns them. Follows the pruning of
 * {@code merge/update.go} of structured-merge-diff v4.6.
 */
final class AbandonedFields {
    private final Collection<FieldSet> owners;

    /**
     * Keeps what is owned.
     *
     * @param owners what the managers own, the one that applies included
     */
    AbandonedFields(Collection<FieldSet> owners) {
        this.owners = owners;
    }

    /** Removes in place the parts of the former set of which nobody owns anything. */
    void removeFrom(JsonNode value, MergeSchema schema, FieldSet former) {
        below(schema, value, former, List.of());
    }

    private void below(MergeSchema schema, JsonNode value, FieldSet former, List<String> path) {
        for (Map.Entry<String, FieldSet> entry : former.children().entrySet()) {
            String name = entry.getKey();
            JsonNode part = PathElements.find(schema, value, name);
            if (part == null) {
                continue;
            }
            List<String> place = new ArrayList<>(path);
            place.add(name);
            if (owned(place)) {
                boolean full = !part.isEmpty();
                below(PathElements.shape(schema, name), part, entry.getValue(), place);
                if (full && part.isEmpty() && part.isObject() && value instanceof ObjectNode object) {
                    object.putNull(name.substring(2)); // a real server leaves null where it took everything
                }
            } else {
                remove(schema, value, name);
            }
        }
    }

    private boolean owned(List<String> path) {
        return path.equals(List.of("f:metadata"))
                || owners.stream().anyMatch(set -> {
                    FieldSet found = set.find(path);
                    return found != null && !found.isEmpty();
                });
    }

    private static void remove(MergeSchema schema, JsonNode value, String name) {
        if (value instanceof ObjectNode object) {
            object.remove(name.substring(2));
        } else if (value instanceof ArrayNode array) {
            array.remove(PathElements.indexOf(schema, array, name));
        }
    }
}
