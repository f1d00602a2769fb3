package dev.kopf4j.devcluster.controller.apiextensions;

import dev.kopf4j.devcluster.json.Json;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Finds which names of a definition are still free in its group. */
final class CrdNameConflicts {
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
            ObjectNode accepted, String field, JsonNode wanted, JsonNode before, Set<String> taken, String conflict) {
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
