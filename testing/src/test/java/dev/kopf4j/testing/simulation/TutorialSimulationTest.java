package dev.kopf4j.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.OwnerReference;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;

/**
 * The operator of the tutorial, from its file: wherever it is killed, each claim gets its child, and keeps no other.
 */
@Tag("N04")
class TutorialSimulationTest {
    private static final ResourceDefinitionContext CLAIMS = new ResourceDefinitionContext.Builder()
            .withGroup("kopf.dev")
            .withVersion("v1")
            .withPlural("ephemeralvolumeclaims")
            .withKind("EphemeralVolumeClaim")
            .withNamespaced(true)
            .build();

    private static List<GenericKubernetesResource> claims(KubernetesClient client) {
        return client.genericKubernetesResources(CLAIMS)
                .inNamespace("default")
                .list()
                .getItems();
    }

    @Simulated(
            run = {"../examples/00-tutorial/Ephemeral.java", "--all-namespaces"},
            seeds = 40)
    void keepsAVolumeClaimForEach(Simulation simulation) {
        simulation
                .step(
                        "create",
                        world -> world.apply("""
                        apiVersion: kopf.dev/v1
                        kind: EphemeralVolumeClaim
                        metadata: {name: claim-%s}
                        spec: {size: 1G}
                        """.formatted(world.random().nextInt(3))))
                .step(
                        "label",
                        world -> claims(world.client()).stream().findFirst().ifPresent(claim -> {
                            claim.getMetadata()
                                    .setLabels(Map.of(
                                            "app", "app-" + world.random().nextInt(3)));
                            world.client().resource(claim).update();
                        }))
                .step(
                        "delete",
                        world -> claims(world.client()).stream()
                                .findFirst()
                                .ifPresent(
                                        claim -> world.client().resource(claim).delete()))
                .finallyHolds(
                        "a volume claim for each",
                        world -> assertThat(owners(world.client()))
                                .containsExactlyInAnyOrderElementsOf(claims(world.client()).stream()
                                        .map(claim -> claim.getMetadata().getUid())
                                        .toList()));
    }

    /** The owners of all volume claims, by their uids: a claim that was deleted may have had the same name. */
    private static List<String> owners(KubernetesClient client) {
        return client.persistentVolumeClaims().inNamespace("default").list().getItems().stream()
                .flatMap(each -> each.getMetadata().getOwnerReferences().stream())
                .map(OwnerReference::getUid)
                .toList();
    }
}
