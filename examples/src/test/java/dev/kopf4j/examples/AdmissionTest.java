package dev.kopf4j.examples;

import static dev.kopf4j.examples.KopfExamples.object;
import static dev.kopf4j.examples.KopfExamples.patch;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.testing.KopfTest;
import dev.kopf4j.testing.TestCluster;
import dev.kopf4j.testing.TestedOperator;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.PatchContext;
import io.fabric8.kubernetes.client.dsl.base.PatchType;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The example 17: what webhooks refuse, change, and warn of. */
@Tag("L70")
@KopfTest(
        run = {"17-admission/Example.java", "--all-namespaces"},
        timeout = KopfExamples.PATIENCE)
class AdmissionTest {
    private static String field(String value) {
        return "{\"spec\": {\"field\": \"" + value + "\"}}";
    }

    @Test
    void refusesByValuesDryRunsAndSubresources(TestedOperator operator, KubernetesClient client) {
        operator.awaitIdle();
        assertThatThrownBy(() -> patch(client, field("wrong")))
                .hasMessageContaining("refuse-unless-dry-run.auto.kopf.dev")
                .hasMessageContaining("Change the field: this one is wrong.");
        object(client)
                .patch(
                        new PatchContext.Builder()
                                .withPatchType(PatchType.JSON_MERGE)
                                .withDryRun(List.of("All"))
                                .build(),
                        field("wrong"));
        assertThatThrownBy(() -> patch(client, field("not-allowed")))
                .hasMessageContaining("This value is not allowed.");
        assertThatThrownBy(() -> object(client)
                        .subresource("status")
                        .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\": {\"field\": \"other\"}}"))
                .hasMessageContaining("status.field must be equal to spec.field.");
        object(client)
                .subresource("status")
                .patch(PatchContext.of(PatchType.JSON_MERGE), "{\"status\": {\"field\": \"value\"}}");
        assertThat(KopfExamples.status(client, "field")).isEqualTo("value");
    }

    @Test
    void changesWhatIsCreatedByItsLabels(TestCluster cluster, KubernetesClient client) {
        String labelled = """
                apiVersion: kopf.dev/v1
                kind: KopfExample
                metadata: {name: labelled, labels: {somelabel: somevalue}}
                """;
        cluster.apply(labelled);
        cluster.apply(labelled.replace("labelled", "other").replace("somevalue", "othervalue"));
        Object spec = object(client, "labelled").get().getAdditionalProperties().get("spec");
        assertThat(spec).hasToString("{injected=123, numbers=[1, 2, 3]}");
        spec = object(client, "other").get().getAdditionalProperties().get("spec");
        assertThat(spec).hasToString("{numbers=[1, 2, 3]}");
    }
}
