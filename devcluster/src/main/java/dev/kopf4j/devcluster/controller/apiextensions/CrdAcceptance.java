package dev.kopf4j.devcluster.controller.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.meta.StatusConditions;
import dev.kopf4j.devcluster.webhook.CaBundle;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The names and conditions of a definition: {@code calculateNamesAndConditions} in
 * {@code pkg/controller/status/naming_controller.go} of the apiextensions-apiserver, v1.33. Pure.
 */
final class CrdAcceptance {
    private static final String ESTABLISHED = "Established";

    private CrdAcceptance() {}

    /**
     * A definition with a new status.
     *
     * @param others the other definitions of its group
     */
    static ObjectNode accept(ObjectNode definition, List<ObjectNode> others, String now) {
        ObjectNode accepted = definition.deepCopy();
        ObjectNode status = Json.child(accepted, "status");
        CrdNameConflicts conflicts = new CrdNameConflicts(others);
        status.set(
                "acceptedNames", conflicts.accept(definition.path("spec").path("names"), status.path("acceptedNames")));
        boolean free = conflicts.reason().isEmpty();
        StatusConditions.set(
                status,
                "NamesAccepted",
                free,
                free ? "NoConflicts" : conflicts.reason(),
                free ? "no conflicts found" : conflicts.message(),
                now);
        if (free && !StatusConditions.isTrue(status, ESTABLISHED)) {
            establish(definition, status, now);
        } else if (!free && !StatusConditions.isTrue(status, ESTABLISHED)) {
            StatusConditions.set(status, ESTABLISHED, false, "NotAccepted", "not all names are accepted", now);
        }
        return accepted;
    }

    /** {@code sync} in {@code pkg/controller/establish/establishing_controller.go}. */
    private static void establish(ObjectNode definition, ObjectNode status, String now) {
        String bundle = Json.string(definition, "spec", "conversion", "webhook", "clientConfig", "caBundle");
        if (CaBundle.problem(bundle).isEmpty()) {
            StatusConditions.set(
                    status, ESTABLISHED, true, "InitialNamesAccepted", "the initial names have been accepted", now);
        } else {
            StatusConditions.set(
                    status, ESTABLISHED, false, "InvalidCABundle", "The conversion webhook CABundle is invalid", now);
        }
    }

    /** Finds which names of a definition are still free in its group. */
    private static final class CrdNameConflicts {
        private final Set<String> resources = new HashSet<>();
        private final Set<String> kinds = new HashSet<>();
        private String reason = "";
        private String message = "";

        /** Collects the names of the other definitions of the group. */
        CrdNameConflicts(List<ObjectNode> others) {
            for (ObjectNode other : others) {
                JsonNode accepted = other.path("status").path("acceptedNames");
                for (String field : List.of("plural", "singular")) {
                    resources.add(Json.string(accepted, field));
                }
                accepted.path("shortNames").forEach(name -> resources.add(name.stringValue()));
                kinds.add(Json.string(accepted, "kind"));
                kinds.add(Json.string(accepted, "listKind"));
            }
            resources.remove("");
            kinds.remove("");
        }

        /** The accepted names: the wanted ones where they are free, else those that were accepted before. */
        ObjectNode accept(JsonNode wanted, JsonNode before) {
            ObjectNode accepted = Json.object();
            name(accepted, "plural", wanted, before, resources, "PluralConflict");
            name(accepted, "singular", wanted, before, resources, "SingularConflict");
            shortNames(accepted, wanted, before);
            name(accepted, "kind", wanted, before, kinds, "KindConflict");
            name(accepted, "listKind", wanted, before, kinds, "ListKindConflict");
            if (wanted.has("categories")) {
                accepted.set("categories", wanted.get("categories"));
            }
            return accepted;
        }

        private void name(
                ObjectNode accepted,
                String field,
                JsonNode wanted,
                JsonNode before,
                Set<String> taken,
                String conflict) {
            String name = Json.string(wanted, field);
            String kept = Json.string(before, field);
            String given = name;
            if (taken.contains(name)) {
                refuse(conflict, "\"" + name + "\" is already in use");
                given = kept;
            }
            if (!given.isEmpty() || field.equals("kind") || field.equals("plural")) {
                accepted.put(field, given);
            }
        }

        private void shortNames(ObjectNode accepted, JsonNode wanted, JsonNode before) {
            ArrayNode free = Json.array();
            for (JsonNode name : wanted.path("shortNames")) {
                if (resources.contains(name.stringValue())) {
                    refuse("ShortNamesConflict", "\"" + name.stringValue() + "\" is already in use");
                } else {
                    free.add(name);
                }
            }
            if (free.size() < wanted.path("shortNames").size()) {
                if (before.has("shortNames")) {
                    accepted.set("shortNames", before.get("shortNames"));
                }
            } else if (!free.isEmpty()) {
                accepted.set("shortNames", free);
            }
        }

        private void refuse(String why, String words) {
            reason = why;
            message = words;
        }

        /** The reason for names that are not accepted; empty if all are. */
        String reason() {
            return reason;
        }

        /** The message for names that are not accepted. */
        String message() {
            return message;
        }
    }
}
