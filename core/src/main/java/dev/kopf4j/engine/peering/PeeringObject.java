package dev.kopf4j.engine.peering;

import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi;
import dev.kopf4j.client.api.KubernetesApi.PatchType;
import java.time.Duration;
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
    private static final Duration LEAST_TIMEOUT = Duration.ofSeconds(1);

    boolean isMe(ObjectNode object) {
        return Objects.equals(name, object.path("metadata").path("name").asString(""));
    }

    /** Changes the object's status. */
    void patch(KubernetesApi api, ObjectNode patch) throws InterruptedException {
        String part = resource.subresources().contains("status") ? "status" : null;
        api.patch(resource, namespace, name, part, PatchType.MERGE, patch);
    }

    /** A way to the API server that gives up early, and does not try again: an old sign is worth nothing. */
    KubernetesApi hasty(KubernetesApi api, Duration lifetime) {
        Duration usual = api.settings().requestTimeout();
        Duration fraction = lifetime.dividedBy(4);
        Duration timeout = fraction.compareTo(LEAST_TIMEOUT) < 0 ? LEAST_TIMEOUT : fraction;
        return api.with(
                api.settings().withErrorBackoffs().withRequestTimeout(timeout.compareTo(usual) < 0 ? timeout : usual));
    }

    /** {@code 'default' cluster-wide}, {@code 'default' in 'ns'}. */
    @Override
    public String toString() {
        return "'" + name + "' " + (namespace == null ? "cluster-wide" : "in '" + namespace + "'");
    }
}
