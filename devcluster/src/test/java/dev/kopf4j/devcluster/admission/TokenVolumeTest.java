package dev.kopf4j.devcluster.admission;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.conformance.InMemory;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The volume with the token of a pod's service account. Tests {@code BuiltinPlugins}. */
class TokenVolumeTest {
    private static final String PODS = "/api/v1/namespaces/default/pods";
    private final InMemory cluster = new InMemory(options -> options.rootCertificate(true));

    private JsonNode pod(String name, String more) {
        return cluster.json("POST", PODS, """
                metadata: {name: %s}
                spec: {containers: [{name: main, image: i}], initContainers: [{name: first, image: i}]%s}
                """.formatted(name, more)).path("spec");
    }

    @Test
    void eachContainerHasIt() {
        JsonNode spec = pod("a", "");
        assertThat(spec.path("volumes").size()).isEqualTo(1);
        String name = spec.at("/volumes/0/name").asString();
        assertThat(name).matches("kube-api-access-[a-z0-9]{5}");
        assertThat(spec.at("/volumes/0/projected/sources").toString())
                .contains("\"expirationSeconds\":3607", "kube-root-ca.crt", "metadata.namespace");
        for (String field : new String[] {"containers", "initContainers"}) {
            assertThat(spec.path(field).at("/0/volumeMounts").toString())
                    .isEqualTo("[{\"name\":\"" + name + "\",\"readOnly\":true,\"mountPath\":"
                            + "\"/var/run/secrets/kubernetes.io/serviceaccount\"}]");
        }
    }

    @Test
    void thePodAndItsAccountMayDoWithoutAndThePodDecides() {
        assertThat(pod("a", ", automountServiceAccountToken: false").has("volumes"))
                .isFalse();
        cluster.send(
                "POST",
                "/api/v1/namespaces/default/serviceaccounts",
                "{metadata: {name: quiet}, automountServiceAccountToken: false}");
        assertThat(pod("b", ", serviceAccountName: quiet").has("volumes")).isFalse();
        assertThat(pod("c", ", serviceAccountName: quiet, automountServiceAccountToken: true")
                        .path("volumes")
                        .size())
                .isEqualTo(1);
    }

    @Test
    void withoutTheOptionThereIsNone() {
        InMemory plain = new InMemory(options -> options);
        JsonNode spec = plain.json("POST", PODS, "{metadata: {name: a}, spec: {containers: [{name: m, image: i}]}}")
                .path("spec");
        assertThat(spec.has("volumes")).isFalse();
    }
}
