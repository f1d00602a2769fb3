package dev.kopf4j.fabric8;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import dev.kopf4j.HierarchyOptions;
import dev.kopf4j.Kopf;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.GenericKubernetesResourceBuilder;
import io.fabric8.kubernetes.api.model.HasMetadata;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.api.model.apps.Deployment;
import io.fabric8.kubernetes.api.model.apps.DeploymentBuilder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

@Tag("K16")
class AdoptionTest {
    private static final Pod OWNER = new PodBuilder()
            .withNewMetadata()
            .withName("parent")
            .withNamespace("ns")
            .withUid("u1")
            .addToLabels("somelabel", "somevalue")
            .endMetadata()
            .build();

    static Stream<HasMetadata> objects() {
        return Stream.of(
                new Pod(),
                new PodBuilder().withNewMetadata().endMetadata().build(),
                new Deployment(),
                new GenericKubernetesResource(),
                new Fabric8IntegrationTest.Claim());
    }

    @ParameterizedTest
    @MethodSource("objects")
    void adoptsModels(HasMetadata object) {
        Kopf.adopt(List.of(object), OWNER);
        assertThat(object.getMetadata().getOwnerReferences())
                .extracting(
                        OwnerReference::getApiVersion,
                        OwnerReference::getKind,
                        OwnerReference::getName,
                        OwnerReference::getUid,
                        OwnerReference::getController,
                        OwnerReference::getBlockOwnerDeletion)
                .containsExactly(tuple("v1", "Pod", "parent", "u1", true, true));
        assertThat(object.getMetadata().getGenerateName()).isEqualTo("parent-");
        assertThat(object.getMetadata().getNamespace()).isEqualTo("ns");
        assertThat(object.getMetadata().getLabels()).isEqualTo(Map.of("somelabel", "somevalue"));
    }

    @Test
    void keepsWhatModelsHave() {
        Pod pod = new PodBuilder()
                .withNewMetadata()
                .withName("own")
                .addToLabels("somelabel", "own")
                .addToAnnotations("a", "b")
                .endMetadata()
                .build();
        Kopf.adopt(pod, OWNER);
        assertThat(pod.getMetadata().getName()).isEqualTo("own");
        assertThat(pod.getMetadata().getGenerateName()).isNull();
        assertThat(pod.getMetadata().getLabels()).isEqualTo(Map.of("somelabel", "own"));
        assertThat(pod.getMetadata().getAnnotations()).isEqualTo(Map.of("a", "b"));
        Kopf.adopt(pod, OWNER, o -> o.forced().strict());
        assertThat(pod.getMetadata().getName()).isEqualTo("parent");
        assertThat(pod.getMetadata().getOwnerReferences()).hasSize(1);
        Kopf.removeOwnerReference(pod, OWNER);
        assertThat(pod.getMetadata().getOwnerReferences()).isEmpty();
    }

    @Test
    void labelsTemplatesInModels() {
        Deployment deployment = new DeploymentBuilder()
                .withNewSpec()
                .withNewTemplate()
                .endTemplate()
                .endSpec()
                .build();
        Deployment empty = new Deployment();
        Kopf.label(List.of(deployment, empty), Map.of("a", "1"), o -> o.nested("spec.template"));
        assertThat(deployment.getSpec().getTemplate().getMetadata().getLabels()).isEqualTo(Map.of("a", "1"));
        assertThat(deployment.getMetadata().getLabels()).isEqualTo(Map.of("a", "1"));
        assertThat(empty.getSpec()).isNull();
    }

    @Test
    void labelsTemplatesInGenericResources() {
        Map<String, Object> template = new LinkedHashMap<>();
        GenericKubernetesResource object = new GenericKubernetesResourceBuilder()
                .addToAdditionalProperties("spec", Map.of("template", template))
                .build();
        Kopf.label(object, Map.of("a", "1"), o -> o.nested("spec.template"));
        assertThat(template).isEqualTo(Map.of("metadata", Map.of("labels", Map.of("a", "1"))));
    }

    @Test
    void adoptsTheJsonTreesOfTheLibrary() throws JsonProcessingException {
        ObjectMapper mapper = new ObjectMapper();
        ObjectNode tree = (ObjectNode) mapper.readTree("{\"spec\": {\"template\": {}}}");
        Kopf.adopt(tree, OWNER, o -> o.strict().nested("spec.template", "spec.absent"));
        assertThat(tree.at("/metadata/name").asText()).isEqualTo("parent");
        assertThat(tree.at("/metadata/namespace").asText()).isEqualTo("ns");
        assertThat(tree.at("/metadata/ownerReferences/0/uid").asText()).isEqualTo("u1");
        assertThat(tree.at("/spec/template/metadata/labels/somelabel").asText()).isEqualTo("somevalue");
        Map<String, Object> child = new LinkedHashMap<>();
        Kopf.harmonizeNaming(child, "x", HierarchyOptions::strict);
        Kopf.appendOwnerReference(child, tree);
        assertThat(child).extracting("metadata").asString().contains("name=parent");
    }

    @Test
    void takesModelsAsOwnersOfMaps() {
        Map<String, Object> child = new LinkedHashMap<>();
        Kopf.adopt(child, OWNER, HierarchyOptions::strict);
        assertThat(child.get("metadata"))
                .isEqualTo(Map.of(
                        "ownerReferences",
                        List.of(Kopf.buildOwnerReference(OWNER)),
                        "name",
                        "parent",
                        "namespace",
                        "ns",
                        "labels",
                        Map.of("somelabel", "somevalue")));
    }
}
