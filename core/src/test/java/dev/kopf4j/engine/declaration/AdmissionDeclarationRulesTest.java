package dev.kopf4j.engine.declaration;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.kopf4j.AdmissionOperation;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.OnMutate;
import dev.kopf4j.Operator;
import dev.kopf4j.engine.declaration.HandlerDeclarationRules.AdmissionDeclarationRules;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** Tests {@link AdmissionDeclarationRules}: what is refused when the operator is built. */
class AdmissionDeclarationRulesTest {
    static List<Arguments> mistakes() {
        return List.of(
                mistake("timeoutSeconds must be from 1 to 30: 0", h -> h.timeoutSeconds(0)),
                mistake("timeoutSeconds must be from 1 to 30: 31", h -> h.timeoutSeconds(31)),
                mistake(
                        "an operation is named twice: [CREATE, CREATE]",
                        h -> h.operations(AdmissionOperation.CREATE, AdmissionOperation.CREATE)),
                mistake("the subresource is 'pods/status'", h -> h.subresource("pods/status")),
                mistake("a match condition is blank", h -> h.matchConditions(" ")),
                mistake("there are 65 match conditions", h -> {
                    for (int i = 0; i < 65; i++) {
                        h.matchConditions("true");
                    }
                }));
    }

    private static Arguments mistake(String message, Consumer<OnMutate.Options> options) {
        return Arguments.of(message, options);
    }

    @ParameterizedTest(name = "{0}")
    @Tag("J03")
    @MethodSource("mistakes")
    void whatTheServerWouldRefuseIsRefusedAtTheStart(String message, Consumer<OnMutate.Options> options) {
        assertThatThrownBy(() -> Operator.builder()
                        .onMutate("kopfexamples", "fill", options, context -> null)
                        .build())
                .isInstanceOf(HandlerDeclarationException.class)
                .hasMessageContaining("@OnMutate handler 'fill': " + message);
    }
}
