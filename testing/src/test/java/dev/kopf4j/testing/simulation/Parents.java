package dev.kopf4j.testing.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OperatorBuilder;
import io.fabric8.kubernetes.api.model.ConfigMap;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

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

    /**
     * Creates parents, and changes their sizes.
     *
     * @param chosen keeps the last size by the uid of its parent
     */
    static Simulation choose(Simulation simulation, Map<String, String> chosen) {
        return create(simulation).step("choose a size", world -> {
            ConfigMap changed = change(world, name(world));
            if (changed != null) {
                chosen.put(changed.getMetadata().getUid(), size(changed));
            }
        });
    }

    static void haveChosenSizes(World world, Map<String, String> chosen) {
        for (ConfigMap parent : all(world.client())) {
            String size = size(parent);
            assertThat(size)
                    .as("size of %s", parent.getMetadata().getName())
                    .isEqualTo(chosen.getOrDefault(parent.getMetadata().getUid(), size));
        }
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

    private static @Nullable ConfigMap change(World world, String name) {
        ConfigMap found = world.client()
                .configMaps()
                .inNamespace("default")
                .withName(name)
                .get();
        return found == null
                ? null
                : world.client()
                        .resource(new ConfigMapBuilder(found)
                                .addToData(
                                        "size", Integer.toString(world.random().nextInt(5)))
                                .build())
                        .update();
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
