package dev.kopf4j.examples;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.testing.DevClusterOptions;
import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestClock;
import dev.kopf4j.testing.TestTime;
import dev.kopf4j.testing.TestedOperator;
import io.fabric8.kubernetes.api.model.ConfigMapBuilder;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The website of the example is there, comes back, becomes ready, and goes. */
@Tag("L70")
@KopfTest(
        run = {"20-children/Example.java", "--all-namespaces"},
        time = TestTime.VIRTUAL)
@DevClusterOptions(workloads = "20s")
class WebsitesTest {
    private static CustomObjects websites(KubernetesClient client) {
        return new CustomObjects(client, "Website", "websites", true);
    }

    private static String ready(KubernetesClient client) {
        return websites(client)
                .get("home")
                .getViews("status.conditions")
                .getFirst()
                .getString("status", "none");
    }

    @Test
    void aWebsiteIsReadyOnceItsDeploymentIs(TestClock clock, TestedOperator operator, KubernetesClient client) {
        operator.awaitIdle();
        assertThat(ready(client)).isEqualTo("False");
        clock.advance(Duration.ofMinutes(1));
        assertThat(ready(client)).isEqualTo("True");
        assertThat(client.apps()
                        .deployments()
                        .withName("home")
                        .require()
                        .getStatus()
                        .getReadyReplicas())
                .isEqualTo(2);
        assertThat(client.services().withName("home").require().getSpec().getSelector())
                .isEqualTo(Map.of("website", "home"));
    }

    @Test
    void itsPartsComeBack(TestClock clock, TestedOperator operator, KubernetesClient client) {
        clock.advance(Duration.ofMinutes(1));
        client.services().withName("home").delete();
        client.configMaps()
                .withName("home")
                .edit(map -> new ConfigMapBuilder(map)
                        .addToData("index.html", "broken")
                        .build());
        operator.awaitIdle();
        assertThat(client.services().withName("home").get()).isNotNull();
        assertThat(client.configMaps().withName("home").require().getData())
                .containsEntry("index.html", "<h1>Hello</h1>");
    }

    @Test
    void itTakesThemAlong(TestClock clock, TestedOperator operator, KubernetesClient client) {
        operator.awaitIdle();
        websites(client).named("home").delete();
        clock.advance(Duration.ofMinutes(1));
        assertThat(client.apps().deployments().list().getItems()).isEmpty();
        assertThat(client.services().withName("home").get()).isNull();
        assertThat(client.configMaps().withName("home").get()).isNull();
    }
}
