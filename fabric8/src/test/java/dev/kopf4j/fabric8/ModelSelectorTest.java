package dev.kopf4j.fabric8;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.OnCreate;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.ResourceSelector;
import io.fabric8.kubernetes.api.model.Pod;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Model classes of fabric8 name resources in both styles. */
class ModelSelectorTest {
    static final class Annotated {
        @OnCreate(model = Pod.class, id = "fn")
        void handle() {}
    }

    static List<Named<UnaryOperator<OperatorBuilder>>> styles() {
        return List.of(
                Named.of("annotation", builder -> builder.handlers(Annotated.class)),
                Named.of(
                        "function",
                        builder -> builder.onCreate(ResourceSelector.ofModel(Pod.class), "fn", context -> null)));
    }

    /** Only who knows that the class stands for v1 pods sees that these two functions are for the same objects. */
    @ParameterizedTest
    @MethodSource("styles")
    @Tag("A08")
    void modelsNameTheirResources(UnaryOperator<OperatorBuilder> style) {
        OperatorBuilder builder = style.apply(Operator.builder());
        builder.onCreate(
                ResourceSelector.ofKind("Pod").inGroup("").inVersion("v1"), "fn", context -> "another function");
        assertThatExceptionOfType(HandlerDeclarationException.class)
                .isThrownBy(builder::build)
                .withMessageContaining("two different functions have the id 'fn' for @OnCreate(Pod.v1)");
    }

    @Test
    @Tag("A08")
    void groupsAndVersionsMustNotContradictTheModel() {
        OperatorBuilder builder =
                Operator.builder().onCreate(ResourceSelector.ofModel(Pod.class).inVersion("v2"), "fn", context -> null);
        assertThatExceptionOfType(HandlerDeclarationException.class)
                .isThrownBy(builder::build)
                .withMessageContaining("'v1' and 'v2'");
    }
}
