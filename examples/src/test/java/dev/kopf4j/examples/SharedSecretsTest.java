package dev.kopf4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestClock;
import dev.kopf4j.testing.TestCluster;
import dev.kopf4j.testing.TestTime;
import dev.kopf4j.testing.TestedOperator;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The copies of the example's secrets are where they ought to be, and nowhere else. */
@Tag("L70")
@KopfTest(
        run = {"22-secrets/SharedSecrets.java", "--all-namespaces"},
        time = TestTime.VIRTUAL)
class SharedSecretsTest {
    private static final Duration SOON = Duration.ofSeconds(10);

    static List<String> places(KubernetesClient client) {
        return client.secrets().inAnyNamespace().list().getItems().stream()
                .filter(secret -> secret.getMetadata().getName().equals("registry"))
                .map(secret -> secret.getMetadata().getNamespace())
                .sorted()
                .toList();
    }

    static Map<String, String> data(KubernetesClient client, String namespace) {
        return client.secrets()
                .inNamespace(namespace)
                .withName("registry")
                .require()
                .getData();
    }

    static String namespace(String name, String team) {
        return "{apiVersion: v1, kind: Namespace, metadata: {name: " + name + ", labels: {team: " + team + "}}}";
    }

    @Test
    void copiesFollowTheLabelsOfNamespaces(TestCluster cluster, TestClock clock, KubernetesClient client) {
        clock.advance(SOON);
        assertThat(places(client)).containsExactly("blue-1", "default");
        cluster.apply(namespace("blue-2", "blue"));
        clock.advance(SOON);
        assertThat(places(client)).containsExactly("blue-1", "blue-2", "default");
        cluster.apply(namespace("blue-1", "red"));
        clock.advance(SOON);
        assertThat(places(client)).containsExactly("blue-2", "default");
        assertThat(data(client, "blue-2")).isEqualTo(data(client, "default"));
    }

    @Test
    void copiesFollowTheSecretAndAreRepaired(TestCluster cluster, TestClock clock, KubernetesClient client) {
        clock.advance(SOON);
        cluster.apply("""
                {apiVersion: v1, kind: Secret, metadata: {name: registry}, data: {user: cm9ib3Q=, token: bmV3}}""");
        clock.advance(SOON);
        assertThat(data(client, "blue-1")).containsEntry("token", "bmV3").isEqualTo(data(client, "default"));
        cluster.apply("""
                {apiVersion: v1, kind: Secret, metadata: {name: registry, namespace: blue-1}, data: {token: YmFk}}""");
        clock.advance(SOON);
        assertThat(data(client, "blue-1")).isEqualTo(data(client, "default"));
        client.secrets().inNamespace("blue-1").withName("registry").delete();
        clock.advance(SOON);
        assertThat(data(client, "blue-1")).isEqualTo(data(client, "default"));
    }

    @Test
    void whatIsNotSharedAnyMoreIsGoneButASecretThatIsMissingTakesNothingAway(
            TestClock clock, TestedOperator operator, KubernetesClient client) {
        clock.advance(SOON);
        client.secrets().inNamespace("default").withName("registry").delete();
        clock.advance(SOON);
        assertThat(places(client)).containsExactly("blue-1");
        CustomObjects shares = new CustomObjects(client, "SharedSecret", "sharedsecrets", false);
        shares.named("registry").delete();
        operator.awaitIdle();
        clock.advance(SOON);
        assertThat(places(client)).isEmpty();
    }
}
