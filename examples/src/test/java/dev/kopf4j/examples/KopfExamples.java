package dev.kopf4j.examples;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.Map;

/** The object that lies beside most examples, as people look at it and change it by kubectl. */
final class KopfExamples {
    /** For tests in real time: what takes longer hangs. Beside eight builds on two cores, a start took 14 s. */
    static final String PATIENCE = "2m";

    private static final ResourceDefinitionContext RESOURCE = new ResourceDefinitionContext.Builder()
            .withGroup("kopf.dev")
            .withVersion("v1")
            .withPlural("kopfexamples")
            .withKind("KopfExample")
            .withNamespaced(true)
            .build();

    private KopfExamples() {}

    /** The object of {@code obj.yaml}. */
    static Resource<GenericKubernetesResource> object(KubernetesClient client) {
        return object(client, "kopf-example-1");
    }

    /** Another one beside it. */
    static Resource<GenericKubernetesResource> object(KubernetesClient client, String name) {
        return client.genericKubernetesResources(RESOURCE)
                .inNamespace("default")
                .withName(name);
    }

    /** Changes it as {@code kubectl patch --type merge} does. */
    static void patch(KubernetesClient client, String json) {
        object(client).patch(PatchContext.of(PatchType.JSON_MERGE), json);
    }

    /** A value of its status, as text; {@code null} where there is none. */
    static String status(KubernetesClient client, String... path) {
        Object value = object(client).get().getAdditionalProperties().get("status");
        for (String key : path) {
            value = value instanceof Map<?, ?> map ? map.get(key) : null;
        }
        return String.valueOf(value);
    }
}
