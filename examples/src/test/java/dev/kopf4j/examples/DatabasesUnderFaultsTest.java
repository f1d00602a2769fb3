package dev.kopf4j.examples;

import static dev.kopf4j.examples.DatabasesTest.OBJECT;
import static dev.kopf4j.examples.DatabasesTest.databases;
import static dev.kopf4j.examples.DatabasesTest.files;
import static dev.kopf4j.examples.DatabasesTest.memo;
import static dev.kopf4j.examples.DatabasesTest.password;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.cli.RunArguments;
import dev.kopf4j.testing.simulation.Simulated;
import dev.kopf4j.testing.simulation.Simulation;
import dev.kopf4j.testing.simulation.World;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.api.model.Secret;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;

/** As it would be in production: each user has their password, nobody else has one, nothing is left behind. */
@Tag("L70")
class DatabasesUnderFaultsTest {
    private static final RunArguments OPERATOR = RunArguments.parse("21-database/Databases.java", "-A");

    @TempDir
    static Path folder;

    private Path server;

    @Simulated(
            seeds = 15,
            run = {"21-database/Databases.java", "-A"})
    void theServerHasWhatTheObjectsSay(Simulation simulation) throws IOException {
        server = Files.createTempDirectory(folder, "seed");
        simulation
                .operator(() -> OPERATOR.operator().memo(memo(server)))
                .step("users", this::chooseUsers)
                .step(
                        "delete",
                        world -> databases(world.client())
                                .named(name(world.random()))
                                .delete())
                .finallyHolds("databases are those of the objects", this::compare);
    }

    private static String name(RandomGenerator random) {
        return "db" + random.nextInt(2);
    }

    private void chooseUsers(World world) {
        List<String> users = IntStream.range(0, world.random().nextInt(3))
                .mapToObj(each -> "user" + world.random().nextInt(3))
                .distinct()
                .toList();
        world.apply(OBJECT.formatted(name(world.random()), users));
    }

    private void compare(World world) throws IOException {
        List<GenericKubernetesResource> objects = databases(world.client()).all();
        assertThat(files(server).stream().filter(each -> !each.equals("backups")))
                .containsExactlyInAnyOrderElementsOf(objects.stream()
                        .map(object -> "default-" + object.getMetadata().getName())
                        .toList());
        for (GenericKubernetesResource object : objects) {
            String name = object.getMetadata().getName();
            List<?> users = Objects.requireNonNull(object.get("spec", "users"));
            assertThat(files(server.resolve("default-" + name)))
                    .as("users of %s", name)
                    .isEqualTo(users.stream().map(String::valueOf).sorted().toList());
            for (Object user : users) {
                Secret secret = world.client()
                        .secrets()
                        .inNamespace("default")
                        .withName(name + "-" + user)
                        .require();
                assertThat(server.resolve("default-" + name).resolve(user.toString()))
                        .content()
                        .isEqualTo(password(secret));
            }
        }
    }
}
