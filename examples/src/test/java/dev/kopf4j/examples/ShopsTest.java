package dev.kopf4j.examples;

import static dev.kopf4j.testing.assertion.KopfAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Memo;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.cli.RunArguments;
import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestTime;
import dev.kopf4j.testing.TestedOperator;
import dev.kopf4j.testing.simulation.Simulated;
import dev.kopf4j.testing.simulation.Simulation;
import dev.kopf4j.testing.simulation.World;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The shops of the example: what their providers have made. */
@Tag("L70")
@KopfTest(
        run = {"25-steps/Shops.java", "--all-namespaces"},
        builder = "withProvider",
        time = TestTime.VIRTUAL)
class ShopsTest {
    @TempDir
    static Path folder;

    static void withProvider(OperatorBuilder builder) {
        builder.memo(memo(folder));
    }

    private static Memo memo(Path provider) {
        Memo memo = new Memo();
        memo.put("folder", provider);
        return memo;
    }

    private static CustomObjects shops(KubernetesClient client) {
        return new CustomObjects(client, "Shop", "shops", true);
    }

    private static List<String> made(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    @Test
    void eachThingIsMadeOnceAndTakenBackInTheEnd(TestedOperator operator, KubernetesClient client) throws IOException {
        operator.awaitIdle();
        GenericKubernetesResource shop = shops(client).named("toys").require();
        String uid = shop.getMetadata().getUid();
        String database = String.valueOf(shop.<Object>get("status", "database"));
        assertThat(made(folder))
                .containsExactlyInAnyOrder(
                        database, database + "-alice", database + "-bob", "dns-toys", "certificate-" + uid + "-3");
        assertThat(operator).hasCalled("provide").on("toys").once().succeeded();
        operator.kill();
        operator.restart();
        shops(client).named("toys").delete();
        operator.awaitIdle();
        assertThat(made(folder)).isEmpty();
        assertThat(shops(client).all()).isEmpty();
    }

    /** Killed at any request: one of each, and nothing is left behind. */
    static class Faults {
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
                users.forEach(user -> expected.add(database + "-" + user));
                expected.add("dns-" + shop.getMetadata().getName());
                expected.add(String.valueOf(shop.<Object>get("status", "certificate")));
            }
            assertThat(made(provider)).containsExactlyInAnyOrderElementsOf(expected);
        }
    }
}
