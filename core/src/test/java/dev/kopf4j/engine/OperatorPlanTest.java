package dev.kopf4j.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.engine.observation.NamespacePattern;
import java.lang.reflect.Proxy;
import org.junit.jupiter.api.Test;

class OperatorPlanTest {
    @Test
    void hasWhatTheBuilderHasCollected() {
        assertThat(OperatorPlan.of(Operator.builder().namespaces("a", "b")).namespaces())
                .extracting(NamespacePattern::text)
                .containsExactly("a", "b");
    }

    @Test
    void hasSettingsOfItsOwn() {
        OperatorBuilder builder =
                Operator.builder().settings(settings -> settings.peering().name("one"));
        OperatorPlan one = OperatorPlan.of(builder);
        OperatorPlan two =
                OperatorPlan.of(builder.settings(settings -> settings.peering().name("two")));
        assertThat(one.settings().peering().name()).isEqualTo("one");
        assertThat(two.settings().peering().name()).isEqualTo("two");
    }

    /** Liveness that is silently that of readiness has kubelet restart the pod in each outage of the API server. */
    @Test
    void eachPageHasAnAddressOfItsOwn() {
        String url = "http://0.0.0.0:8080/healthz";
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Operator.builder().liveness(url).readiness(url))
                .withMessageContaining("the pages of liveness and readiness have one address");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Operator.builder().metrics(url).liveness(url))
                .withMessageContaining("liveness and metrics");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> Operator.builder().readiness(url).metrics(url))
                .withMessageContaining("readiness and metrics");
    }

    @Test
    void isEitherOfNamespacesOrOfTheCluster() {
        OperatorBuilder builder = Operator.builder().namespaces("a").clusterwide();
        assertThatIllegalStateException().isThrownBy(builder::build).withMessageContaining("[a]");
    }

    @Test
    void knowsNoBuildersOfOthers() {
        OperatorBuilder foreign = (OperatorBuilder) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {OperatorBuilder.class},
                (proxy, method, arguments) -> null);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> OperatorPlan.of(foreign))
                .withMessageContaining("Operator.builder()");
    }
}
