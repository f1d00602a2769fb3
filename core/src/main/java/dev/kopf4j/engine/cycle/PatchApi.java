package dev.kopf4j.engine.cycle;

import dev.kopf4j.Resource;
import dev.kopf4j.client.api.KubernetesApi.PatchType;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The one way in which the engine changes objects. {@link dev.kopf4j.client.api.KubernetesApi#patch} in real life. */
@FunctionalInterface
public interface PatchApi {
    /** Changes an object or a subresource of it; answers the object after it. */
    ObjectNode patch(
            Resource resource,
            @Nullable String namespace,
            String name,
            @Nullable String subresource,
            PatchType type,
            JsonNode payload)
            throws InterruptedException;
}
