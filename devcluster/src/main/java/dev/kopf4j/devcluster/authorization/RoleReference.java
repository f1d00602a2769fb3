package dev.kopf4j.devcluster.authorization;

import dev.kopf4j.devcluster.json.Json;
import tools.jackson.databind.JsonNode;

/**
 * The role that a binding refers to.
 *
 * @param namespace empty for a cluster role
 */
record RoleReference(String namespace, String name) {
    /** The role of a binding in a namespace; empty for a binding in the cluster. */
    static RoleReference of(JsonNode binding, String namespace) {
        boolean local = Json.string(binding, "roleRef", "kind").equals("Role");
        return new RoleReference(local ? namespace : "", Json.string(binding, "roleRef", "name"));
    }

    String plural() {
        return namespace.isEmpty() ? "clusterroles" : "roles";
    }
}
