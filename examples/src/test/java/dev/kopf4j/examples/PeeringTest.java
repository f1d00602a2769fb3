package dev.kopf4j.examples;

import static dev.kopf4j.examples.KopfExamples.patch;
import static dev.kopf4j.testing.assertion.KopfAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestClock;
import dev.kopf4j.testing.TestTime;
import dev.kopf4j.testing.TestedOperator;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.Resource;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The example 06: an operator tells that it is there, and waits while another one is more important. */
@Tag("L70")
@KopfTest(
        run = {"06-peering/Example.java", "--all-namespaces"},
        time = TestTime.VIRTUAL)
class PeeringTest {
    private static final ResourceDefinitionContext PEERINGS = new ResourceDefinitionContext.Builder()
            .withGroup("kopf.dev")
            .withVersion("v1")
            .withPlural("clusterkopfpeerings")
            .withKind("ClusterKopfPeering")
            .withNamespaced(false)
            .build();

    private static Resource<GenericKubernetesResource> peering(KubernetesClient client) {
        return client.genericKubernetesResources(PEERINGS).withName("default");
    }

    @Test
    void waitsForAMoreImportantOperatorUntilItsLifetimeIsOver(
            TestedOperator operator, KubernetesClient client, TestClock clock) {
        clock.advance(Duration.ofSeconds(5));
        assertThat(operator).hasCalled("handle").once();
        Map<?, ?> peers =
                (Map<?, ?>) peering(client).get().getAdditionalProperties().get("status");
        assertThat(peers).hasSize(1);

        String other = "{\"status\": {\"other\": {\"priority\": 666, \"lifetime\": 60, \"lastseen\": \"" + clock.now()
                + "\"}}}";
        peering(client).patch(PatchContext.of(PatchType.JSON_MERGE), other);
        clock.advance(Duration.ofSeconds(5));
        patch(client, "{\"spec\": {\"field\": \"changed\"}}");
        clock.advance(Duration.ofSeconds(50));
        assertThat(operator).hasCalled("handle").once();

        clock.advance(Duration.ofSeconds(20));
        assertThat(operator).hasCalled("handle").times(2).succeeded();
    }
}
