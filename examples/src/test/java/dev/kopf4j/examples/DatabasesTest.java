package dev.kopf4j.examples;

import static dev.kopf4j.testing.assertion.KopfAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Memo;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestClock;
import dev.kopf4j.testing.TestCluster;
import dev.kopf4j.testing.TestTime;
import dev.kopf4j.testing.TestedOperator;
import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The databases of the example: their users, backups and end, on a server that fails at times. */
@Tag("L70")
@KopfTest(
        run = {"21-database/Databases.java", "--all-namespaces"},
        builder = "withServer",
        time = TestTime.VIRTUAL)
class DatabasesTest {
    static final String OBJECT = """
            {apiVersion: kopf.dev/v1, kind: Database, metadata: {name: %s}, spec: {users: %s}}
            """;

    @TempDir
    static Path folder;

    static void withServer(OperatorBuilder builder) {
        builder.memo(memo(folder));
    }

    static Memo memo(Path server) {
        Memo memo = new Memo();
        memo.put("folder", server);
        return memo;
    }

    static CustomObjects databases(KubernetesClient client) {
        return new CustomObjects(client, "Database", "databases", true);
    }

    static List<String> files(Path folder) throws IOException {
        if (!Files.exists(folder)) {
            return List.of();
        }
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString()).sorted().toList();
        }
    }

    static String password(Secret secret) {
        return new String(Base64.getDecoder().decode(secret.getData().get("password")), StandardCharsets.UTF_8);
    }

    @Test
    void eachUserHasAPasswordWhichTheServerKnows(TestedOperator operator, KubernetesClient client) throws IOException {
        operator.awaitIdle();
        Path shop = folder.resolve("default-shop");
        assertThat(files(shop)).containsExactly("alice", "bob");
        Secret secret = client.secrets().withName("shop-alice").require();
        assertThat(Files.readString(shop.resolve("alice"))).isEqualTo(password(secret));
        assertThat(secret.getMetadata().getOwnerReferences())
                .singleElement()
                .satisfies(owner -> assertThat(owner.getName()).isEqualTo("shop"));

        databases(client).set("shop", "users", List.of("alice", "carol"));
        operator.awaitIdle();
        assertThat(files(shop)).containsExactly("alice", "carol");
        assertThat(client.secrets().withName("shop-bob").get()).isNull();
        assertThat(Files.readString(shop.resolve("alice"))).isEqualTo(password(secret));

        databases(client).named("shop").delete();
        operator.awaitIdle();
        assertThat(shop).doesNotExist();
        assertThat(databases(client).all()).isEmpty();
    }

    @Test
    void backupsAreMadeInTimeAlsoAfterARestart(TestClock clock, TestedOperator operator, KubernetesClient client)
            throws IOException {
        operator.awaitEvent("BackedUp");
        Path backups = folder.resolve("backups").resolve("default-shop");
        List<String> first = files(backups);
        assertThat(first).hasSize(1);

        clock.advance(Duration.ofHours(4));
        operator.kill();
        operator.restart();
        clock.advance(Duration.ofMinutes(90));
        assertThat(files(backups)).as("not before six hours are over").isEqualTo(first);
        clock.advance(Duration.ofMinutes(90));
        assertThat(files(backups)).as("after seven hours").hasSize(2);

        clock.advance(Duration.ofHours(7));
        assertThat(files(backups)).as("no more than two are kept").hasSize(2).doesNotContainAnyElementsOf(first);
        String last = databases(client).get("shop").getString("status.lastBackup", "");
        assertThat(files(backups).getLast())
                .isEqualTo(String.valueOf(Instant.parse(last).getEpochSecond()));
    }

    @Test
    void aServerThatIsDownIsWaitedFor(
            @TempDir Path elsewhere, TestCluster cluster, TestClock clock, TestedOperator operator) throws IOException {
        operator.awaitIdle();
        Path away = elsewhere.resolve("away");
        Files.move(folder, away);
        cluster.apply(OBJECT.formatted("late", "[dave]"));
        clock.advance(Duration.ofMinutes(5));
        assertThat(operator).hasCalled("provide").on("late").times(11);
        Files.move(away, folder);
        clock.advance(Duration.ofMinutes(1));
        assertThat(files(folder.resolve("default-late"))).containsExactly("dave");
        assertThat(operator).hasCalled("provide/grant-dave").on("late").once().succeeded();
    }
}
