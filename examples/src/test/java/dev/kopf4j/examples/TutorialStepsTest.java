package dev.kopf4j.examples;

import static dev.kopf4j.testing.assertion.KopfAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.PermanentException;
import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestClock;
import dev.kopf4j.testing.TestCluster;
import dev.kopf4j.testing.TestTime;
import dev.kopf4j.testing.TestedOperator;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The tutorial: what the child of a claim is like after each step. */
@Tag("L69")
@Tag("L70")
@KopfTest(
        run = {"00-tutorial/Ephemeral.java", "--all-namespaces"},
        time = TestTime.VIRTUAL)
class TutorialStepsTest {
    private static final ResourceDefinitionContext CLAIMS = new ResourceDefinitionContext.Builder()
            .withGroup("kopf.dev")
            .withVersion("v1")
            .withPlural("ephemeralvolumeclaims")
            .withKind("EphemeralVolumeClaim")
            .withNamespaced(true)
            .build();

    private static Resource<GenericKubernetesResource> claim(KubernetesClient client) {
        return client.genericKubernetesResources(CLAIMS).inNamespace("default").withName("my-claim");
    }

    private static void patch(KubernetesClient client, String json) {
        claim(client).patch(PatchContext.of(PatchType.JSON_MERGE), json);
    }

    private static PersistentVolumeClaim child(KubernetesClient client) {
        return client.persistentVolumeClaims()
                .inNamespace("default")
                .withName("my-claim")
                .get();
    }

    private static String size(PersistentVolumeClaim child) {
        return child.getSpec().getResources().getRequests().get("storage").toString();
    }

    @Test
    void theChildFollowsItsOwner(TestedOperator operator, KubernetesClient client, TestClock clock) {
        operator.awaitHandled(claim(client).get());
        assertThat(size(child(client))).isEqualTo("1G");
        assertThat(claim(client).get().<String>get("status", "createFn", "pvc-name"))
                .isEqualTo("my-claim");

        patch(
                client,
                "{\"spec\": {\"size\": \"2G\"}, \"metadata\": {\"labels\": {\"app\": \"a\", \"owner\": \"me\"}}}");
        operator.awaitHandled(claim(client).get());
        assertThat(size(child(client))).isEqualTo("2G");
        assertThat(child(client).getMetadata().getLabels()).isEqualTo(Map.of("app", "a", "owner", "me"));

        patch(client, "{\"metadata\": {\"labels\": {\"owner\": null, \"app\": \"b\"}}}");
        operator.awaitHandled(claim(client).get());
        assertThat(child(client).getMetadata().getLabels()).isEqualTo(Map.of("app", "b"));

        claim(client).delete();
        clock.advance(Duration.ofMinutes(1));
        assertThat(child(client)).isNull();
    }

    @Test
    void aClaimWithoutSizeFailsForGoodAndHasNoChild(
            TestedOperator operator, KubernetesClient client, TestCluster cluster) {
        cluster.apply("{apiVersion: kopf.dev/v1, kind: EphemeralVolumeClaim, metadata: {name: sizeless}}");
        operator.awaitIdle();
        assertThat(operator).hasCalled("createFn").on("sizeless").once().failedWith(PermanentException.class);
        assertThat(client.persistentVolumeClaims()
                        .inNamespace("default")
                        .withName("sizeless")
                        .get())
                .isNull();
    }

    /** As of a claim that was deleted and created anew while its child is still on its way out. */
    @Test
    void aChildOfAnotherOwnerIsNotTaken(TestedOperator operator, KubernetesClient client, TestClock clock) {
        operator.awaitHandled(claim(client).get());
        GenericKubernetesResource before = claim(client).get();
        String former = child(client).getMetadata().getUid();
        claim(client).delete();
        before.getMetadata().setResourceVersion(null);
        before.getMetadata().setAnnotations(Map.of());
        client.resource(before).create();
        clock.advance(Duration.ofMinutes(1));
        assertThat(child(client).getMetadata().getUid()).isNotEqualTo(former);
        assertThat(child(client)
                        .hasOwnerReferenceFor(claim(client).get().getMetadata().getUid()))
                .isTrue();
    }

    @Test
    @KopfTest(
            run = {"00-tutorial/Ephemeral.java", "--all-namespaces"},
            time = TestTime.VIRTUAL,
            start = false)
    void aResultThatTheDefinitionDoesNotKnowIsDroppedWithAWarning(
            TestedOperator operator, KubernetesClient client, TestCluster cluster) throws IOException {
        String definition = Files.readString(Path.of("00-tutorial", "crd.yaml"));
        String strict = definition.replaceAll(
                "(?s)(status:\\s+type: object)\\s+x-kubernetes-preserve-unknown-fields: true",
                "$1\n              x-kubernetes-preserve-unknown-fields: null");
        assertThat(strict).isNotEqualTo(definition);
        cluster.apply(strict);
        operator.restart();
        operator.awaitHandled(claim(client).get());
        assertThat(operator.logs())
                .filteredOn(line -> line.message().contains("Merge-patching finished with inconsistencies"))
                .singleElement()
                .asString()
                .contains("createFn", "x-kubernetes-preserve-unknown-fields");
        assertThat(claim(client).get().getAdditionalProperties().get("status")).isEqualTo(Map.of());
    }
}
