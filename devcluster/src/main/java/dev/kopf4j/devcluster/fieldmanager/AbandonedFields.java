package dev.kopf4j.devcluster.fieldmanager;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Takes away what a manager has ceased to apply and nobody else owns. */
final class AbandonedFields {
    private final Collection<FieldSet> owners;

    AbandonedFields(Collection<FieldSet> owners) {
        this.owners = owners;
    }

    /** Removes in place the parts of the former set of which nobody owns anything. */
    void apply(MergeSchema mergeSchema, JsonNode value, FieldSet former) {
        below(mergeSchema, value, former, List.of());
    }

    private void below(MergeSchema mergeSchema, JsonNode value, FieldSet former, List<String> path) {
        for (Map.Entry<String, FieldSet> entry : former.children().entrySet()) {
            String name = entry.getKey();
            JsonNode part = PathElements.find(mergeSchema, value, name);
            if (part == null) {
                continue;
            }
            List<String> place = new ArrayList<>(path);
            place.add(name);
            if (owned(place)) {
                boolean full = !part.isEmpty();
                below(PathElements.shape(mergeSchema, name), part, entry.getValue(), place);
                if (full && part.isEmpty() && part.isObject() && value instanceof ObjectNode object) {
                    object.putNull(name.substring(2)); // a real server leaves null where it took everything
                }
            } else {
                remove(mergeSchema, value, name);
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

    private static void remove(MergeSchema mergeSchema, JsonNode value, String name) {
        if (value instanceof ObjectNode object) {
            object.remove(name.substring(2));
        } else if (value instanceof ArrayNode array) {
            array.remove(PathElements.indexOf(mergeSchema, array, name));
        }
    }
}
