package dev.kopf4j.examples;

import static dev.kopf4j.examples.ShopsTest.made;
import static dev.kopf4j.examples.ShopsTest.memo;
import static dev.kopf4j.examples.ShopsTest.shops;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.cli.RunArguments;
import dev.kopf4j.testing.simulation.Simulated;
import dev.kopf4j.testing.simulation.Simulation;
import dev.kopf4j.testing.simulation.World;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** Killed at any request: one of each, and nothing is left behind. */
@Tag("L70")
class ShopsUnderFaultsTest {
    private static final RunArguments OPERATOR = RunArguments.parse("25-steps/Shops.java", "-A");

    @TempDir
    static Path folder;

    private Path provider;

    @Simulated(
            seeds = 15,
            run = {"25-steps/Shops.java", "-A"})
    void theProvidersHaveWhatTheObjectsSay(Simulation simulation) throws IOException {
        provider = Files.createTempDirectory(folder, "seed");
        simulation
                .operator(() -> OPERATOR.operator().memo(memo(provider)))
                .step("create", world -> world.apply("""
                        {apiVersion: kopf.dev/v1, kind: Shop, metadata: {name: %s}, spec: {users: [alice]}}
                        """.formatted(name(world))))
                .step(
                        "delete",
                        world -> shops(world.client()).named(name(world)).delete())
                .finallyHolds("the providers have one of each", this::compare);
    }

    private static String name(World world) {
        return "shop" + world.random().nextInt(2);
    }

    private void compare(World world) throws IOException {
        List<String> expected = new ArrayList<>();
        for (GenericKubernetesResource shop : shops(world.client()).all()) {
            String database = String.valueOf(shop.<Object>get("status", "database"));
            expected.add(database);
            List<?> users = Objects.requireNonNull(shop.get("spec", "users"));
            users.forEach(user -> expected.add("user-" + user + "-of-" + database));
            expected.add("dns-" + shop.getMetadata().getName());
            expected.add(String.valueOf(shop.<Object>get("status", "certificate")));
        }
        assertThat(made(provider)).containsExactlyInAnyOrderElementsOf(expected);
    }
}
