package dev.kopf4j.examples;

import dev.kopf4j.View;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.List;
import java.util.Map;

/**
 * The objects of an example's resource, in the group {@code kopf.dev} and the version {@code v1}. Immutable.
 *
 * @param client the administrator's
 * @param kind the kind
 * @param plural the resource
 * @param namespaced whether they live in the namespace {@code default}
 */
record CustomObjects(KubernetesClient client, String kind, String plural, boolean namespaced) {
    private static final String NAMESPACE = "default";

    private ResourceDefinitionContext context() {
        return new ResourceDefinitionContext.Builder()
                .withGroup("kopf.dev")
                .withVersion("v1")
                .withKind(kind)
                .withPlural(plural)
                .withNamespaced(namespaced)
                .build();
    }

    Resource<GenericKubernetesResource> named(String name) {
        var all = client.genericKubernetesResources(context());
        return namespaced ? all.inNamespace(NAMESPACE).withName(name) : all.withName(name);
    }

    List<GenericKubernetesResource> all() {
        return client.genericKubernetesResources(context()).list().getItems();
    }

    /** What an object is like now; it must exist. */
    View get(String name) {
        return View.of(named(name).require().getAdditionalProperties());
    }

    /** Puts a value into the spec of an object. */
    void set(String name, String field, Object value) {
        String patch = View.of(Map.of("spec", Map.of(field, value))).toJson();
        named(name).patch(PatchContext.of(PatchType.JSON_MERGE), patch);
    }
}
