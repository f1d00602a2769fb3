package dev.kopf4j.testing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.OnConvert;
import dev.kopf4j.OnCreate;
import dev.kopf4j.Patch;
import dev.kopf4j.testing.assertion.KopfAssertions;
import dev.kopf4j.testing.simulation.FaultKind;
import dev.kopf4j.testing.simulation.Simulated;
import dev.kopf4j.testing.simulation.Simulation;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.KubernetesClient;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Disabled;
import org.junit.jupiter.api.Test;

/** Conversions in virtual time and in simulations: the server asks the operator without sockets. */
class VirtualConversionsTest {
    private static final String WIDGET =
            "{apiVersion: kopf.dev/v1, kind: Widget, metadata: {name: x, namespace: default}," + " spec: {size: 3x4}}";

    private static GenericKubernetesResource widget(KubernetesClient client, String version) {
        return client.genericKubernetesResources("kopf.dev/" + version, "Widget")
                .inNamespace("default")
                .withName("x")
                .require();
    }

    @Test
    @KopfTest(
            run = {"../examples/18-conversion/Example.java", "--all-namespaces"},
            time = TestTime.VIRTUAL)
    void objectsAreSeenAndReadInTheOtherVersion(TestCluster cluster, TestedOperator operator, KubernetesClient client) {
        operator.awaitIdle();
        cluster.apply(WIDGET);
        operator.awaitCalls("measure", 1);
        operator.awaitIdle();
        KopfAssertions.assertThat(operator).hasCalled("measure").on("x").once().succeeded();
        assertThat(widget(client, "v2").<Integer>get("status", "squares")).isEqualTo(12);
        assertThat(widget(client, "v1").<String>get("status", "area")).isEqualTo("12");
    }

    record V1(String size) {}

    record V2(Integer width, Integer height) {}

    /** Says nothing of a server. */
    static class Widgets {
        @OnConvert(value = "widgets.kopf.dev", from = "v1", to = "v2")
        V2 up(V1 spec) {
            String[] sides = spec.size().split("x", 2);
            return new V2(Integer.valueOf(sides[0]), Integer.valueOf(sides[1]));
        }

        @OnConvert(value = "widgets.kopf.dev", from = "v2", to = "v1")
        V1 down(V2 spec) {
            return new V1(spec.width() + "x" + spec.height());
        }

        @OnCreate("widgets.v2.kopf.dev")
        void measure(V2 spec, Patch patch) {
            patch.annotation("squares", String.valueOf(spec.width() * spec.height()));
        }
    }

    /** Conversions are all that it has. */
    static class Converting {
        @OnConvert(value = "widgets.kopf.dev", from = "v1", to = "v2")
        V2 up(V1 spec) {
            return new Widgets().up(spec);
        }

        @OnConvert(value = "widgets.kopf.dev", from = "v2", to = "v1")
        V1 down(V2 spec) {
            return new Widgets().down(spec);
        }
    }

    @Test
    @KopfTest(value = Converting.class, apply = "../examples/18-conversion/crd.yaml", time = TestTime.VIRTUAL)
    void conversionsNeedNotBeWaitedFor(TestCluster cluster, KubernetesClient client) {
        cluster.apply(WIDGET);
        assertThat(widget(client, "v2").<Integer>get("spec", "width")).isEqualTo(3);
    }

    @Disabled("run by the test below")
    static class Failing {
        @Test
        @KopfTest(value = Widgets.class, apply = "../examples/18-conversion/crd.yaml", time = TestTime.VIRTUAL)
        void waitsForNothing(TestCluster cluster) {
            cluster.apply(WIDGET);
            cluster.apply(WIDGET.replace("name: x", "name: z"));
        }
    }

    @Test
    void otherHandlersHaveToBeWaitedFor() {
        assertThat(FailingTests.report(Failing.class, "waitsForNothing"))
                .contains("the test does not wait for the operator");
    }

    @Test
    @KopfTest(value = Widgets.class, apply = "../examples/18-conversion/crd.yaml", time = TestTime.VIRTUAL)
    void anObjectIsAwaitedInWhateverVersionItWasMade(
            TestCluster cluster, TestedOperator operator, KubernetesClient client) {
        cluster.apply(WIDGET);
        operator.awaitHandled(widget(client, "v1"));
        operator.awaitHandled(Map.of("apiVersion", "kopf.dev/v1", "kind", "Widget", "metadata", Map.of("name", "x")));
        KopfAssertions.assertThat(operator).hasCalled("measure").on("x").once().succeeded();
    }

    private static String definition() {
        try {
            return Files.readString(Path.of("../examples/18-conversion/crd.yaml"));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Simulated(
            value = Widgets.class,
            seeds = 10,
            faults = {FaultKind.KILL, FaultKind.RESTART})
    void killsBetweenConversionsLoseNothing(Simulation simulation) {
        simulation
                .setup("define", world -> world.apply(definition()))
                .step("create", world -> world.apply(WIDGET))
                .finallyHolds("widgets are measured", world -> {
                    for (GenericKubernetesResource each : world.client()
                            .genericKubernetesResources("kopf.dev/v1", "Widget")
                            .inNamespace("default")
                            .list()
                            .getItems()) {
                        assertThat(each.getMetadata().getAnnotations()).containsEntry("squares", "12");
                        assertThat(each.<String>get("spec", "size")).isEqualTo("3x4");
                        assertThat(widget(world.client(), "v2").<Integer>get("spec", "width"))
                                .isEqualTo(3);
                    }
                });
    }
}
