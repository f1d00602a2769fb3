package dev.kopf4j.fabric8;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.spi.Integration;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Namespaced;
import io.fabric8.kubernetes.api.model.PersistentVolumeClaim;
import io.fabric8.kubernetes.api.model.Pod;
import io.fabric8.kubernetes.api.model.Quantity;
import io.fabric8.kubernetes.client.CustomResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.NamespacedKubernetesClient;
import io.fabric8.kubernetes.model.annotation.Group;
import io.fabric8.kubernetes.model.annotation.Version;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.Map;
import java.util.ServiceLoader;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class Fabric8IntegrationTest {
    private final Integration integration = new Fabric8Integration();

    @Group("kopf.dev")
    @Version("v1")
    @SuppressWarnings("serial")
    static class Claim extends CustomResource<ClaimSpec, Void> implements Namespaced {}

    @SuppressWarnings("serial")
    static class Nameless extends CustomResource<ClaimSpec, Void> {}

    record ClaimSpec(String size, int count) {}

    @Test
    void isFoundByTheServiceLoader() {
        assertThat(ServiceLoader.load(Integration.class)).hasOnlyElementsOfType(Fabric8Integration.class);
    }

    @Test
    void answersForOtherTypesWithoutFabric8OnTheClassPath() throws Exception {
        URL[] withoutFabric8 = {location(Fabric8Integration.class), location(Integration.class)};
        try (URLClassLoader loader = new URLClassLoader(withoutFabric8, ClassLoader.getPlatformClassLoader())) {
            Object alone = loader.loadClass(Fabric8Integration.class.getName())
                    .getConstructor()
                    .newInstance();
            assertThat(alone.getClass().getMethod("binds", Class.class).invoke(alone, String.class))
                    .isEqualTo(false);
            assertThat(alone.getClass().getMethod("isModel", Object.class).invoke(alone, "text"))
                    .isEqualTo(false);
        }
    }

    private static URL location(Class<?> type) {
        return type.getProtectionDomain().getCodeSource().getLocation();
    }

    @Test
    void knowsModelsAndClients() {
        assertThat(integration.binds(Pod.class)).isTrue();
        assertThat(integration.binds(GenericKubernetesResource.class)).isTrue();
        assertThat(integration.binds(Claim.class)).isTrue();
        assertThat(integration.binds(ClaimSpec.class)).isFalse();
        assertThat(integration.isModel(Map.of())).isFalse();
        assertThat(integration.serves(KubernetesClient.class)).isTrue();
        assertThat(integration.serves(NamespacedKubernetesClient.class)).isTrue();
        assertThat(integration.serves(Pod.class)).isFalse();
    }

    @Test
    void keepsQuantitiesOnTheWayThereAndBack() {
        String json = """
                {"apiVersion":"v1","kind":"PersistentVolumeClaim","metadata":{"name":"a"},
                 "spec":{"resources":{"requests":{"storage":"1Gi"}}}}""";
        PersistentVolumeClaim claim = (PersistentVolumeClaim) integration.bind(json, PersistentVolumeClaim.class);
        assertThat(claim.getSpec().getResources().getRequests()).isEqualTo(Map.of("storage", new Quantity("1Gi")));
        assertThat(integration.toMap(claim))
                .isEqualTo(Map.of(
                        "apiVersion",
                        "v1",
                        "kind",
                        "PersistentVolumeClaim",
                        "metadata",
                        Map.of("name", "a"),
                        "spec",
                        Map.of("resources", Map.of("requests", Map.of("storage", "1Gi")))));
    }

    @Test
    void bindsCustomResourcesWithRecordsInside() {
        String json = "{\"metadata\":{\"name\":\"a\"},\"spec\":{\"size\":\"1G\",\"count\":2}}";
        assertThat(((Claim) integration.bind(json, Claim.class)).getSpec()).isEqualTo(new ClaimSpec("1G", 2));
    }

    @Test
    void namesThePathThatDoesNotBind() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> integration.bind("{\"spec\":{\"count\":\"many\"}}", Claim.class))
                .withMessageContaining("spec.count: ")
                .withMessageContaining("many");
    }

    @Test
    void selectsResourcesByTheAnnotationsOfModels() {
        assertThat(integration.selector(Claim.class))
                .contains(ResourceSelector.ofKind("Claim").inGroup("kopf.dev").inVersion("v1"));
        assertThat(integration.selector(Pod.class))
                .contains(ResourceSelector.ofKind("Pod").inGroup("").inVersion("v1"));
        assertThat(integration.selector(GenericKubernetesResource.class)).isEmpty();
        assertThat(integration.selector(String.class)).isEmpty();
        assertThatExceptionOfType(HandlerDeclarationException.class)
                .isThrownBy(() -> integration.selector(Nameless.class))
                .withMessageContaining("@Version");
    }

    @Test
    @Tag("K16")
    void saysWhichModelsHaveNoMetadata() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> integration.changeMetadata(new Quantity("1"), metadata -> {}))
                .withMessageContaining("a Quantity has no metadata");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> integration.part(new Pod(), "template"))
                .withMessageContaining("a Pod has no part 'template'");
    }

    @Test
    void keepsWhatItDoesNotKnowInMetadata() {
        GenericKubernetesResource object = new GenericKubernetesResource();
        integration.changeMetadata(object, metadata -> metadata.put("finalizers", List.of("a/b")));
        assertThat(object.getMetadata().getFinalizers()).containsExactly("a/b");
    }
}
