package dev.kopf4j.benchmarks.load;

import java.nio.charset.StandardCharsets;

/** The objects of the measurements: a spec of some 200 bytes. */
public final class SampleObjects {
    /** The path of the objects. */
    public static final String PATH = "/apis/bench.kopf4j.dev/v1/namespaces/default/samples";

    /** The path of the objects that warm up the server. */
    public static final String WARM_UP_PATH = "/apis/bench.kopf4j.dev/v1/namespaces/default/warmups";

    /** Their definitions, without a status subresource. */
    public static final String DEFINITIONS = definitions(false);

    private SampleObjects() {}

    /** Their definitions. */
    public static String definitions(boolean statusSubresource) {
        return definition("samples", "Sample", statusSubresource ? "{status: {}}" : "{}") + "---\n"
                + definition("warmups", "WarmUp", "{}");
    }

    private static String definition(String plural, String kind, String subresources) {
        return """
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata:
                  name: %1$s.bench.kopf4j.dev
                spec:
                  group: bench.kopf4j.dev
                  scope: Namespaced
                  names: {plural: %1$s, singular: %3$s, kind: %2$s}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    subresources: %4$s
                    schema:
                      openAPIV3Schema:
                        type: object
                        properties:
                          spec: {type: object, x-kubernetes-preserve-unknown-fields: true}
                          status: {type: object, x-kubernetes-preserve-unknown-fields: true}
                """.formatted(plural, kind, kind.toLowerCase(java.util.Locale.ROOT), subresources);
    }

    /** An object, as JSON. */
    public static byte[] body(String kind, String name) {
        return """
                {"apiVersion":"bench.kopf4j.dev/v1","kind":"%s","metadata":{"name":"%s","labels":{"app":"bench"}},\
                "spec":{"size":"1Gi","replicas":3,"image":"registry.example.com/team/service:1.2.3",\
                "command":["serve","--port","8080"],"resources":{"cpu":"250m","memory":"128Mi"},\
                "note":"lorem ipsum dolor sit amet"}}""".formatted(kind, name).getBytes(StandardCharsets.UTF_8);
    }
}
