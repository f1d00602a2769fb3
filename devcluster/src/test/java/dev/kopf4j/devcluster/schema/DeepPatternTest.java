package dev.kopf4j.devcluster.schema;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.conformance.InMemory;
import org.junit.jupiter.api.Test;

class DeepPatternTest {
    /** The JDK's patterns need stack for each repetition of a group; those of Go do not. */
    @Test
    void aLongTextMatchesARepeatedGroup() {
        InMemory cluster = new InMemory(options -> options);
        cluster.send("POST", "/apis/apiextensions.k8s.io/v1/customresourcedefinitions", """
                metadata: {name: deeps.rules.example.com}
                spec:
                  group: rules.example.com
                  scope: Namespaced
                  names: {plural: deeps, kind: Deep}
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object, properties: {text: {type: string, pattern: '^(a|b)*$'}}}}
                """);
        String path = "/apis/rules.example.com/v1/namespaces/default/deeps";
        ApiResponse response = cluster.send(
                "POST",
                path,
                "{apiVersion: rules.example.com/v1, kind: Deep, metadata: {name: a}, text: " + "ab".repeat(500_000)
                        + "}");
        assertThat(response.status()).isEqualTo(201);
    }
}
