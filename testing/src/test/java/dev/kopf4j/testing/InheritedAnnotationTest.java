package dev.kopf4j.testing;

import static dev.kopf4j.testing.KopfTestTest.configMap;
import static dev.kopf4j.testing.assertion.KopfAssertions.assertThat;
import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.testing.assertion.CallsAssert;
import dev.kopf4j.testing.environment.Manifests;
import io.fabric8.kubernetes.client.KubernetesClient;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What an annotation names is found where the annotation is: in a class that the test extends, or in one around it. */
@Tag("L49")
class InheritedAnnotationTest {
    @KopfTest(builder = "operator", time = TestTime.VIRTUAL)
    abstract static class Base {
        static OperatorBuilder operator() {
            return Operator.builder().clusterwide().onCreate("configmaps", "create", context -> null);
        }
    }

    @Nested
    class OfSuperclass extends Base {
        @Test
        void theMethodIsFound(TestedOperator operator, KubernetesClient client) {
            operator.awaitHandled(client.resource(configMap("x")).create());
            assertThat(operator).hasCalled("create").once();
        }

        @Nested
        class AndOfClassAround {
            @Test
            void theMethodIsFound(TestedOperator operator, KubernetesClient client) {
                operator.awaitHandled(client.resource(configMap("x")).create());
                assertThat(operator).hasCalled("create").once();
            }
        }
    }

    /** The file of a class stands for a manifest beside a superclass in another package. */
    @Test
    void aManifestIsFoundBesideASuperclass() {
        assertThat(Manifests.read("AbstractAssert.class", CallsAssert.class)).contains("AbstractAssert");
    }
}
