package dev.kopf4j.examples;

import static dev.kopf4j.testing.assertion.KopfAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Memo;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestTime;
import dev.kopf4j.testing.TestedOperator;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
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

    static Memo memo(Path provider) {
        Memo memo = new Memo();
        memo.put("folder", provider);
        return memo;
    }

    static CustomObjects shops(KubernetesClient client) {
        return new CustomObjects(client, "Shop", "shops", true);
    }

    static List<String> made(Path folder) throws IOException {
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
        String database = String.valueOf(shop.<Object>get("status", "database"));
        String certificate = String.valueOf(shop.<Object>get("status", "certificate"));
        assertThat(certificate).endsWith("-3");
        assertThat(made(folder))
                .containsExactlyInAnyOrder(
                        database, "user-alice-of-" + database, "user-bob-of-" + database, "dns-toys", certificate);
        assertThat(operator).hasCalled("provide").on("toys").once().succeeded();
        operator.kill();
        operator.restart();
        shops(client).named("toys").delete();
        operator.awaitIdle();
        assertThat(made(folder)).isEmpty();
        assertThat(shops(client).all()).isEmpty();
    }
}
