package dev.kopf4j.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestCluster;
import dev.kopf4j.testing.TestedOperator;
import io.fabric8.kubernetes.api.model.PodBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The policies of the example decide about pods; in real time, as webhooks are servers with sockets. */
@Tag("L70")
@KopfTest(
        run = {"24-policies/Policies.java", "--all-namespaces"},
        timeout = KopfExamples.PATIENCE)
class PoliciesTest {
    private static final Map<String, String> OWNED = Map.of("owner", "alice");

    private static PodBuilder pod(String name, String image, Map<String, String> labels) {
        return new PodBuilder()
                .withNewMetadata()
                .withName(name)
                .withLabels(labels)
                .endMetadata()
                .withNewSpec()
                .addNewContainer()
                .withName("main")
                .withImage(image)
                .endContainer()
                .endSpec();
    }

    private static CustomObjects policies(KubernetesClient client) {
        return new CustomObjects(client, "PodPolicy", "podpolicies", false);
    }

    @BeforeEach
    void policiesAreKnown(TestedOperator operator) {
        operator.awaitIdle();
    }

    @Test
    void podsThatBreakAPolicyAreRefusedWithTheReason(KubernetesClient client) {
        assertThatThrownBy(
                        () -> client.resource(pod("x", "docker.io/web:1", OWNED).build())
                                .create())
                .hasMessageContaining("Policy ours: the image docker.io/web:1 is not from ghcr.io/team.");
        assertThatThrownBy(() -> client.resource(
                                pod("x", "ghcr.io/team/web:1", Map.of()).build())
                        .create())
                .hasMessageContaining("Policy ours: the label owner is missing.");
        assertThat(client.pods().list().getItems()).isEmpty();
    }

    @Test
    void othersGetTheLabelsThatTheyDoNotHave(KubernetesClient client) {
        client.resource(pod("a", "ghcr.io/team/web:1", OWNED).build()).create();
        client.resource(pod("b", "ghcr.io/team/web:1", Map.of("owner", "bob", "cost-centre", "7"))
                        .build())
                .create();
        assertThat(client.pods().withName("a").get().getMetadata().getLabels()).containsEntry("cost-centre", "shared");
        assertThat(client.pods().withName("b").get().getMetadata().getLabels()).containsEntry("cost-centre", "7");
    }

    @Test
    void aPolicyThatWarnsRefusesNothing(TestedOperator operator, KubernetesClient client) {
        policies(client).set("ours", "action", "warn");
        operator.awaitIdle();
        client.resource(pod("x", "docker.io/web:1", OWNED).build()).create();
        assertThat(client.pods().withName("x").get()).isNotNull();
    }

    @Test
    void aPolicyThatNoPodCanMeetIsRefused(TestCluster cluster, KubernetesClient client) {
        assertThatThrownBy(() -> policies(client).set("ours", "registries", List.of("https://ghcr.io")))
                .hasMessageContaining("'https://ghcr.io' is no registry; write it as in images, such as ghcr.io/team.");
    }
}
