package dev.kopf4j.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OperatorBuilder;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Objects;
import java.util.stream.Collectors;

/** What people do with the objects of the operators under test: config maps, whose children are secrets. */
final class Parents {
    private Parents() {}

    /** Creates, changes and deletes parents, as long as the test goes on. */
    static Simulation live(Simulation simulation) {
        return create(simulation)
                .step("change", world -> change(world, name(world)))
                .step(
                        "delete",
                        world -> world.client()
                                .configMaps()
                                .inNamespace("default")
                                .withName(name(world))
                                .delete());
    }

    /** Creates parents, and deletes none: what puts others in their place is a fault. */
    static Simulation create(Simulation simulation) {
        return simulation.step("create", world -> create(world, name(world)));
    }

    private static String name(World world) {
        return "parent-" + world.random().nextInt(2);
    }

    private static void create(World world, String name) {
        if (world.client().configMaps().inNamespace("default").withName(name).get() == null) {
            world.client()
                    .resource(new ConfigMapBuilder()
                            .withNewMetadata()
                            .withName(name)
                            .withNamespace("default")
                            .addToLabels("role", "parent")
                            .endMetadata()
                            .addToData("size", "1")
                            .build())
                    .create();
        }
    }

    private static void change(World world, String name) {
        ConfigMap found = world.client()
                .configMaps()
                .inNamespace("default")
                .withName(name)
                .get();
        if (found != null) {
            world.client()
                    .resource(new ConfigMapBuilder(found)
                            .addToData("size", Integer.toString(world.random().nextInt(5)))
                            .build())
                    .update();
        }
    }

    static List<ConfigMap> all(KubernetesClient client) {
        return client.configMaps()
                .inNamespace("default")
                .withLabel("role", "parent")
                .list()
                .getItems();
    }

    static List<Secret> children(KubernetesClient client, String parent) {
        return client.secrets()
                .inNamespace("default")
                .withLabel("parent", parent)
                .list()
                .getItems();
    }

    /** The rule that most of the operators have to keep. */
    static void oneChildEach(World world) {
        for (ConfigMap parent : all(world.client())) {
            String name = parent.getMetadata().getName();
            List<String> children = children(world.client(), name).stream()
                    .map(child -> child.getMetadata().getName())
                    .collect(Collectors.toList());
            assertThat(children).as("children of %s", name).hasSize(1);
        }
    }

    static OperatorBuilder clusterwide() {
        return dev.kopf4j.Operator.builder().clusterwide();
    }

    static String size(ConfigMap parent) {
        return Objects.requireNonNullElse(parent.getData().get("size"), "");
    }
}
