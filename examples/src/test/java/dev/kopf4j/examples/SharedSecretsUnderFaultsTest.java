package dev.kopf4j.examples;

import static dev.kopf4j.examples.SharedSecretsTest.data;
import static dev.kopf4j.examples.SharedSecretsTest.namespace;
import static dev.kopf4j.examples.SharedSecretsTest.places;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.testing.simulation.Simulated;
import dev.kopf4j.testing.simulation.Simulation;
import dev.kopf4j.testing.simulation.World;
import io.fabric8.kubernetes.api.model.Namespace;
import io.fabric8.kubernetes.api.model.ObjectMeta;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;

/** Copies are where they ought to be, whatever happens to operator, namespaces and secrets. */
@Tag("L70")
class SharedSecretsUnderFaultsTest {
    @Simulated(
            seeds = 15,
            run = {"22-secrets/SharedSecrets.java", "-A"})
    void copiesAreWhereTheyOughtToBe(Simulation simulation) {
        simulation
                .step(
                        "label",
                        world -> world.apply(namespace(
                                "place-" + world.random().nextInt(3),
                                world.random().nextBoolean() ? "blue" : "red")))
                .step(
                        "change",
                        world -> world.apply("""
                        {apiVersion: v1, kind: Secret, metadata: {name: registry, namespace: default},
                         stringData: {password: "%s"}}""".formatted(world.random().nextInt())))
                .step(
                        "remove",
                        world -> world.client()
                                .secrets()
                                .inNamespace("place-" + world.random().nextInt(3))
                                .withName("registry")
                                .delete())
                .finallyHolds("there are copies in blue namespaces only", this::compare);
    }

    private void compare(World world) {
        KubernetesClient client = world.client();
        List<String> wanted = client.namespaces().list().getItems().stream()
                .map(Namespace::getMetadata)
                .filter(meta -> meta.getLabels() != null
                        && "blue".equals(meta.getLabels().get("team")))
                .map(ObjectMeta::getName)
                .filter(name -> !name.equals("default"))
                .sorted()
                .toList();
        assertThat(places(client).stream().filter(place -> !place.equals("default")))
                .containsExactlyElementsOf(wanted);
        Secret source =
                client.secrets().inNamespace("default").withName("registry").get();
        for (String place : wanted) {
            assertThat(data(client, place))
                    .isEqualTo(Objects.requireNonNull(source).getData());
        }
    }
}
