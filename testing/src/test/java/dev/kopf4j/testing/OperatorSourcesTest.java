package dev.kopf4j.testing;

import static dev.kopf4j.testing.KopfTestTest.configMap;
import static dev.kopf4j.testing.assertion.KopfAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.PermanentException;
import dev.kopf4j.testing.extension.OperatorFactory;
import io.fabric8.kubernetes.client.KubernetesClient;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The ways to say which operator is under test. */
@Tag("L49")
@Tag("K09")
class OperatorSourcesTest {
    static void addHandlers(OperatorBuilder builder) {
        builder.onCreate("configmaps", "create", context -> "done").onDelete("configmaps", "delete", context -> null);
    }

    @Test
    @KopfTest(builder = "addHandlers", time = TestTime.VIRTUAL)
    void aMethodGivesABuilder(TestedOperator operator, KubernetesClient client) {
        operator.awaitHandled(client.resource(configMap("x")).create());
        assertThat(operator).hasCalled("create").once().on("x").succeeded().returned("\"done\"");
        assertThat(operator).hasNeverCalled("delete").hasLogged("The operator is ready");
    }

    /** The method is that of the companion object alone. */
    @Test
    void aMethodThatKotlinKeepsToItselfIsSaidToNeedAnAnnotation() {
        var factory = new OperatorFactory(List.of(), "addHandler", List.of(), List.of(), OperatorSourcesTest.class);
        assertThatThrownBy(factory::builder)
                .hasMessageContaining("builder = \"addHandler\"")
                .hasMessageEndingWith("annotate it there with @JvmStatic");
    }

    @Test
    @KopfTest(
            run = {"../examples/01-minimal/Example.java", "--all-namespaces"},
            time = TestTime.VIRTUAL)
    void aSourceFileWithArgumentsIsRunAsByTheCommandLine(TestedOperator operator, KubernetesClient client) {
        var examples = new ResourceDefinitionContext.Builder()
                .withGroup("kopf.dev")
                .withVersion("v1")
                .withPlural("kopfexamples")
                .withKind("KopfExample")
                .withNamespaced(true)
                .build();
        operator.awaitIdle();
        assertThat(client.genericKubernetesResources(examples).list().getItems())
                .hasSize(1);
        assertThat(operator.calls()).isNotEmpty();
    }

    @Test
    @KopfTest(builder = "addHandlers", start = false)
    void anOperatorIsStartedWhenTheTestWants(TestedOperator operator, KubernetesClient client) {
        var before = client.resource(configMap("x")).create();
        assertThat(operator.calls()).isEmpty();
        operator.restart();
        operator.awaitHandled(before);
        operator.close();
        assertThat(operator.exitCode()).isZero();
        assertThat(operator.exception()).isEmpty();
    }

    static void failAtTheStart(OperatorBuilder builder) {
        addHandlers(builder);
        builder.onStartup("licence", context -> {
            throw new PermanentException("no licence");
        });
    }

    @Test
    @KopfTest(builder = "failAtTheStart", start = false, reraise = false, time = TestTime.VIRTUAL)
    void anOperatorThatFailsHasTheExitCodeOfAFailureAndItsException(TestedOperator operator) {
        assertThatThrownBy(operator::restart).hasMessageContaining("no licence");
        operator.close();
        assertThat(operator.exitCode()).isOne();
        assertThat(operator.exception())
                .get(InstanceOfAssertFactories.THROWABLE)
                .hasMessageContaining("no licence");
    }
}
