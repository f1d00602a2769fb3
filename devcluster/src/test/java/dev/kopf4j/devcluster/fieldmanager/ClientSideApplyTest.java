package dev.kopf4j.devcluster.fieldmanager;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.conformance.InMemory;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Objects that kubectl has applied by itself go on to be applied at the server. */
class ClientSideApplyTest {
    private static final String PATH = "/api/v1/namespaces/default/configmaps";
    private static final String APPLIED = "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"},"
            + "\"data\":{\"colour\":\"red\"}}";

    private final InMemory cluster = new InMemory(options -> options);

    private ApiResponse applied(String manager, String data) {
        return cluster.send(
                "PATCH",
                PATH + "/a?fieldManager=" + manager,
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"},\"data\":" + data + "}",
                Map.of("content-type", "application/apply-patch+yaml"));
    }

    private void createdByClientSideApply(String applied) {
        assertThat(cluster.send("POST", PATH + "?fieldManager=kubectl-client-side-apply", """
                        metadata:
                          name: a
                          annotations: {kubectl.kubernetes.io/last-applied-configuration: '%s'}
                        data: {colour: red, size: '1'}
                        """.formatted(applied))
                        .status())
                .isEqualTo(201);
    }

    @Test
    void whoGivesUpEverythingManagesNothing() {
        applied("me", "{\"colour\":\"red\"}");
        InMemory.text(cluster.send(
                "PATCH",
                PATH + "/a?fieldManager=me",
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"a\"}}",
                Map.of("content-type", "application/apply-patch+yaml")));
        assertThat(cluster.get(PATH + "/a").has("data")).isFalse();
        assertThat(cluster.get(PATH + "/a").path("metadata").has("managedFields"))
                .isFalse();
    }

    @Test
    void kubectlMayChangeWhatItHasAppliedBefore() {
        createdByClientSideApply(APPLIED);
        assertThat(applied("kubectl", "{\"colour\":\"blue\"}").status()).isEqualTo(200);
        assertThat(cluster.get(PATH + "/a").at("/data/colour").asString()).isEqualTo("blue");
    }

    @Test
    void whatItsAnnotationDoesNotNameIsAConflict() {
        createdByClientSideApply(APPLIED);
        assertThat(applied("kubectl", "{\"colour\":\"blue\",\"size\":\"2\"}").status())
                .isEqualTo(409);
        assertThat(InMemory.text(applied("kubectl", "{\"colour\":\"blue\",\"size\":\"2\"}")))
                .contains("Apply failed with 1 conflict", ".data.size");
    }

    /** So that kubectl may go back to its own way, it finds there what it has applied at the server. */
    @Test
    void theAnnotationFollowsWhatKubectlAppliesAtTheServer() {
        createdByClientSideApply(APPLIED);
        assertThat(applied("kubectl", "{\"colour\":\"<blue>\"}").status()).isEqualTo(200);
        assertThat(annotation())
                .isEqualTo("{\"apiVersion\":\"v1\",\"data\":{\"colour\":\"\\u003cblue\\u003e\"},\"kind\":\"ConfigMap\","
                        + "\"metadata\":{\"name\":\"a\",\"namespace\":\"default\"}}\n");
        assertThat(applied("me", "{\"weight\":\"3\"}").status()).isEqualTo(200);
        assertThat(annotation()).doesNotContain("weight");
    }

    private String annotation() {
        String path = "/metadata/annotations/kubectl.kubernetes.io~1last-applied-configuration";
        return cluster.get(PATH + "/a").at(path).asString();
    }

    @Test
    void othersHaveConflictsAsAlways() {
        createdByClientSideApply(APPLIED);
        assertThat(applied("me", "{\"colour\":\"blue\"}").status()).isEqualTo(409);
    }

    @Test
    void anAnnotationThatIsNoConfigurationAllowsNothing() {
        createdByClientSideApply("{broken");
        assertThat(applied("kubectl", "{\"colour\":\"blue\"}").status()).isEqualTo(409);
    }
}
