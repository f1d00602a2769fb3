package dev.kopf4j.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OnCreate;
import dev.kopf4j.crd.CustomResource;
import dev.kopf4j.testing.assertion.KopfAssertions;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The cluster has the definitions of the records that handlers take, before the operator starts. */
@Tag("N01")
class DefinitionsTest {
    static class Parks {
        @CustomResource(group = "example.com", version = "v1")
        record Park(ParkSpec spec) {}

        record ParkSpec(int trees) {}

        @OnCreate
        String plant(Park park) {
            return park.spec().trees() + " trees";
        }
    }

    @Test
    @KopfTest(value = Parks.class, time = TestTime.VIRTUAL)
    void ofClasses(TestCluster cluster, TestedOperator operator) {
        cluster.apply("{apiVersion: example.com/v1, kind: Park, metadata: {name: x}, spec: {trees: 3}}");
        operator.awaitIdle();
        KopfAssertions.assertThat(operator).hasCalled("plant").on("x").once().returned("\"3 trees\"");
    }

    @Test
    @KopfTest(
            run = {"../examples/19-types/Websites.java", "--all-namespaces"},
            time = TestTime.VIRTUAL)
    void ofSourceFiles(TestedOperator operator, KubernetesClient client) {
        operator.awaitIdle();
        KopfAssertions.assertThat(operator)
                .hasCalled("publish")
                .on("home")
                .once()
                .succeeded();
        assertThat(client.apiextensions()
                        .v1()
                        .customResourceDefinitions()
                        .list()
                        .getItems())
                .extracting(each -> each.getSpec().getNames().getKind())
                .containsExactly("Website");
    }

    /** The example of children has a definition for its record, with a default that the record cannot say. */
    @Test
    @KopfTest(
            run = {"../examples/20-children/Example.java", "--all-namespaces"},
            time = TestTime.VIRTUAL)
    void thoseInFilesGoBeforeThoseOfRecords(TestedOperator operator, KubernetesClient client) {
        operator.awaitIdle();
        assertThat(client.apps()
                        .deployments()
                        .withName("home")
                        .require()
                        .getSpec()
                        .getTemplate()
                        .getSpec()
                        .getContainers())
                .extracting(container -> container.getImage())
                .containsExactly("nginx:1.29");
    }
}
