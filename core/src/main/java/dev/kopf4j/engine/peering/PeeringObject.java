package dev.kopf4j.engine.peering;

import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.KubernetesApi.PatchType;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * A peering object.
 *
 * @param resource its resource, one of several
 * @param namespace its namespace; null if it is of the whole cluster
 * @param name its name
 */
public record PeeringObject(Resource resource, @Nullable String namespace, String name) {
    boolean isMe(ObjectNode object) {
        return Objects.equals(name, object.path("metadata").path("name").asString(""));
    }

    /** Changes the object's status. */
    void patch(KubernetesApi api, ObjectNode patch) throws InterruptedException {
        String part = resource.subresources().contains("status") ? "status" : null;
        api.patch(resource, namespace, name, part, PatchType.MERGE, patch);
    }

    /** {@code 'default' cluster-wide}, {@code 'default' in 'ns'}. */
    @Override
    public String toString() {
        return "'" + name + "' " + (namespace == null ? "cluster-wide" : "in '" + namespace + "'");
    }
}
