package dev.kopf4j.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OnCreate;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.ResourceSelector;
import dev.kopf4j.crd.CustomResource;
import dev.kopf4j.testing.assertion.KopfAssertions;
import dev.kopf4j.testing.simulation.Simulated;
import dev.kopf4j.testing.simulation.Simulation;
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

    static class Inherited extends Parks {}

    abstract static class Generic<P> {
        @OnCreate("parks")
        void plant(P park) {}
    }

    static class OfParks extends Generic<Parks.Park> {}

    @Test
    @KopfTest(value = OfParks.class, time = TestTime.VIRTUAL)
    void ofTypeVariables(TestCluster cluster, TestedOperator operator) {
        plant(cluster, operator);
    }

    static OperatorBuilder functions(OperatorBuilder builder) {
        return builder.clusterwide()
                .onCreate(ResourceSelector.ofModel(Parks.Park.class), "plant", context -> "planted");
    }

    private static void plant(TestCluster cluster, TestedOperator operator) {
        cluster.apply("{apiVersion: example.com/v1, kind: Park, metadata: {name: x}, spec: {trees: 3}}");
        assertThat(operator.awaitHandled(Parks.Park.class, "x").spec().trees()).isEqualTo(3);
        KopfAssertions.assertThat(operator).hasCalled("plant").on("x").once();
        assertThat(operator.snapshots("Park", "x").getFirst().getInt("spec.trees", 0))
                .isEqualTo(3);
    }

    @Test
    @KopfTest(value = Inherited.class, time = TestTime.VIRTUAL)
    void ofInheritedHandlers(TestCluster cluster, TestedOperator operator) {
        plant(cluster, operator);
    }

    @Test
    @KopfTest(builder = "functions", time = TestTime.VIRTUAL)
    void ofFunctions(TestCluster cluster, TestedOperator operator) {
        plant(cluster, operator);
    }

    @Simulated(seeds = 2)
    void ofASimulation(Simulation simulation) {
        simulation
                .operator(() -> functions(Operator.builder()))
                .setup(
                        "plant",
                        world -> world.apply(
                                "{apiVersion: example.com/v1, kind: Park, metadata: {name: x}, spec: {trees: 3}}"))
                .finallyHolds("it is there", world -> {
                    assertThat(world.namespace()).isEqualTo("default");
                    assertThat(world.snapshots("Park", "x")).isNotEmpty();
                });
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
