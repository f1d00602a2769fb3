package dev.kopf4j.devcluster.authorization;

import dev.kopf4j.devcluster.file.BesideClass;
import dev.kopf4j.devcluster.json.Json;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The roles and bindings that every cluster begins with:
 * {@code plugin/pkg/auth/authorizer/rbac/bootstrappolicy/policy.go}, v1.33.
 */
public final class BootstrapRoles {
    private BootstrapRoles() {}

    /** Fresh objects, with kind and apiVersion. */
    public static List<ObjectNode> load() {
        List<ObjectNode> objects = new ArrayList<>();
        for (JsonNode role : Json.parse(BesideClass.bytes(BootstrapRoles.class, "roles.json"))) {
            ObjectNode object = (ObjectNode) role;
            object.put("apiVersion", "rbac.authorization.k8s.io/v1");
            ObjectNode metadata = Json.child(object, "metadata");
            Json.child(metadata, "labels").put("kubernetes.io/bootstrapping", "rbac-defaults");
            Json.child(metadata, "annotations").put("rbac.authorization.kubernetes.io/autoupdate", "true");
            objects.add(object);
        }
        return objects;
    }
}
