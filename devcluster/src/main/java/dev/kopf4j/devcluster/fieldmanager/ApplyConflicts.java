package dev.kopf4j.devcluster.fieldmanager;

import dev.kopf4j.devcluster.fieldmanager.ManagedFields.ManagerKey;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The fields that an apply wants to change although other managers own them: 409 unless the apply is forced. Follows
 * {@code pkg/util/managedfields/internal/conflict.go} of apimachinery, v1.33.
 */
final class ApplyConflicts {
    private final Map<ManagerKey, List<String>> fieldsByOwner = new LinkedHashMap<>();

    /**
     * Finds the conflicts.
     *
     * @param others the fields of all managers but the one that applies
     * @param changed the fields that the apply changes
     */
    static ApplyConflicts between(ManagedFields others, FieldSet changed) {
        ApplyConflicts conflicts = new ApplyConflicts();
        others.entries().forEach((owner, owned) -> {
            List<List<String>> paths = owned.fields().intersection(changed).paths();
            if (!paths.isEmpty()) {
                conflicts.fieldsByOwner.put(
                        owner, paths.stream().map(PathElements::shown).toList());
            }
        });
        return conflicts;
    }

    boolean isEmpty() {
        return fieldsByOwner.isEmpty();
    }

    /** The answer to the client, with one cause for each field. */
    ApiException refusal() {
        ObjectNode details = Json.object();
        ArrayNode causes = details.putArray("causes");
        fieldsByOwner.forEach((owner, fields) -> fields.forEach(field -> causes.addObject()
                .put("reason", "FieldManagerConflict")
                .put("message", "conflict with " + description(owner))
                .put("field", field)));
        return ApiException.of(409, "Conflict", message(causes.size()), details, true);
    }

    private String message(int count) {
        if (count == 1) {
            Map.Entry<ManagerKey, List<String>> only =
                    fieldsByOwner.entrySet().iterator().next();
            return "Apply failed with 1 conflict: conflict with " + description(only.getKey()) + ": "
                    + only.getValue().getFirst();
        }
        List<String> lines = new ArrayList<>();
        fieldsByOwner.forEach((owner, fields) -> {
            lines.add("conflicts with " + description(owner) + ":");
            fields.forEach(field -> lines.add("- " + field));
        });
        return "Apply failed with " + count + " conflicts: " + String.join("\n", lines);
    }

    private static String description(ManagerKey owner) {
        String subresource = owner.subresource().isEmpty() ? "" : " with subresource \"" + owner.subresource() + "\"";
        String version = owner.applies() ? "" : " using " + owner.apiVersion();
        return "\"" + owner.manager() + "\"" + subresource + version;
    }
}
