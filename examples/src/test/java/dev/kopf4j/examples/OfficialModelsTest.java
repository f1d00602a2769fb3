package dev.kopf4j.examples;

import static dev.kopf4j.testing.assertion.KopfAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Kopf;
import dev.kopf4j.OnCreate;
import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestCluster;
import dev.kopf4j.testing.TestTime;
import dev.kopf4j.testing.TestedOperator;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1DeploymentSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.kubernetes.client.openapi.models.V1PodTemplateSpec;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The models of the official client are objects as any other once an integration knows them. */
@Tag("K16")
class OfficialModelsTest {
    private static final Map<String, Object> OWNER = Map.of(
            "apiVersion",
            "kopf.dev/v1",
            "kind",
            "KopfExample",
            "metadata",
            Map.of("name", "parent", "uid", "u1", "namespace", "ns", "labels", Map.of("somelabel", "somevalue")));

    private static V1Deployment deployment() {
        return new V1Deployment()
                .metadata(new V1ObjectMeta().generation(3L).putLabelsItem("own", "label"))
                .spec(new V1DeploymentSpec().template(new V1PodTemplateSpec()));
    }

    @Test
    void theyAreAdoptedWithTheirTemplates() {
        V1Deployment child = deployment();
        Kopf.adopt(List.of(List.of(child), new V1Pod()), OWNER, o -> o.strict().nested("spec.template"));
        V1ObjectMeta meta = child.getMetadata();
        assertThat(meta.getName()).isEqualTo("parent");
        assertThat(meta.getNamespace()).isEqualTo("ns");
        assertThat(meta.getGeneration()).isEqualTo(3L);
        assertThat(meta.getLabels()).isEqualTo(Map.of("own", "label", "somelabel", "somevalue"));
        assertThat(meta.getOwnerReferences())
                .singleElement()
                .satisfies(owner -> assertThat(owner.getUid()).isEqualTo("u1"))
                .satisfies(owner -> assertThat(owner.getController()).isTrue());
        assertThat(Objects.requireNonNull(child.getSpec())
                        .getTemplate()
                        .getMetadata()
                        .getLabels())
                .isEqualTo(Map.of("somelabel", "somevalue"));
        Kopf.removeOwnerReference(child, OWNER);
        assertThat(child.getMetadata().getOwnerReferences()).isEmpty();
    }

    @Test
    void theyAreForcedAndLabelledAsAnyOther() {
        V1Pod pod = new V1Pod()
                .metadata(new V1ObjectMeta().name("x").namespace("ns").putLabelsItem("somelabel", "x"));
        Kopf.adopt(pod, OWNER);
        assertThat(pod.getMetadata().getName()).isEqualTo("x");
        assertThat(pod.getMetadata().getNamespace()).isEqualTo("ns");
        assertThat(pod.getMetadata().getLabels()).isEqualTo(Map.of("somelabel", "x"));
        Kopf.adopt(pod, OWNER, o -> o.forced());
        assertThat(pod.getMetadata().getName()).isNull();
        assertThat(pod.getMetadata().getGenerateName()).isEqualTo("parent-");
        assertThat(pod.getMetadata().getNamespace()).isEqualTo("ns");
        assertThat(pod.getMetadata().getLabels()).isEqualTo(Map.of("somelabel", "somevalue"));
    }

    @Test
    void theyAreOwnersOfOthers() {
        V1Pod owner = new V1Pod()
                .apiVersion("v1")
                .kind("Pod")
                .metadata(new V1ObjectMeta().name("p").uid("u2"));
        assertThat(Kopf.buildOwnerReference(owner))
                .containsEntry("kind", "Pod")
                .containsEntry("name", "p")
                .containsEntry("uid", "u2");
    }

    static class Images {
        @OnCreate(model = V1Pod.class)
        String first(V1Pod pod) {
            return Objects.requireNonNull(pod.getSpec())
                    .getContainers()
                    .getFirst()
                    .getImage();
        }
    }

    @Test
    @KopfTest(value = Images.class, time = TestTime.VIRTUAL)
    void handlersTakeThem(TestCluster cluster, TestedOperator operator) {
        cluster.apply("{apiVersion: v1, kind: Pod, metadata: {name: x}, spec: {containers: [{name: a, image: i:1}]}}");
        operator.awaitCalls("first", 1);
        assertThat(operator).hasCalled("first").on("x").once().succeeded().returned("\"i:1\"");
    }
}
