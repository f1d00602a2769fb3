package dev.kopf4j.devcluster.authorization;

import dev.kopf4j.devcluster.json.Json;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
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
        try (InputStream stream = BootstrapRoles.class.getResourceAsStream("roles.json")) {
            if (stream == null) {
                throw new IllegalStateException("roles.json is missing beside " + BootstrapRoles.class);
            }
            List<ObjectNode> objects = new ArrayList<>();
            for (JsonNode role : Json.parse(stream.readAllBytes())) {
                ObjectNode object = (ObjectNode) role;
                object.put("apiVersion", "rbac.authorization.k8s.io/v1");
                ObjectNode metadata = Json.child(object, "metadata");
                Json.child(metadata, "labels").put("kubernetes.io/bootstrapping", "rbac-defaults");
                Json.child(metadata, "annotations").put("rbac.authorization.kubernetes.io/autoupdate", "true");
                objects.add(object);
            }
            return objects;
        } catch (IOException e) {
            throw new UncheckedIOException("roles.json cannot be read", e);
        }
    }
}
