package dev.kopf4j.engine.conversion;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import dev.kopf4j.Body;
import dev.kopf4j.HandlerDeclarationException;
import dev.kopf4j.OnConvert;
import dev.kopf4j.Operator;
import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.Spec;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Declarations of conversions that make no sense. */
@Tag("J27")
@SuppressWarnings("unused") // functions are found by reflection
class ConversionRulesTest {
    private static void refused(UnaryOperator<OperatorBuilder> handlers, String problem) {
        assertThatExceptionOfType(HandlerDeclarationException.class)
                .isThrownBy(() -> handlers.apply(Operator.builder()).build())
                .withMessageContaining(problem);
    }

    private static OperatorBuilder add(OperatorBuilder builder, String definition, String from, String to) {
        return builder.onConvert(definition, from, to, Spec.class, spec -> spec);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            widgets             | v1    | v2         | the definition is 'widgets'; give its whole name, plural and group, as in "widgets.example.com"
            widgets.example.com | v1    | v1         | both versions are the same
            widgets.example.com | ''    | v1         | is no version; give its name alone
            widgets.example.com | v1    | example/v2 | is no version; give its name alone, as in "v1" or "v2beta1"
            widgets.example.com | V1    | v2         | is no version; give its name alone
            """)
    void namesAreThoseOfTheDefinition(String definition, String from, String to, String problem) {
        refused(builder -> add(builder, definition, from, to), problem);
    }

    @Test
    void twoForTheSameAreRefused() {
        refused(
                builder -> add(add(builder, "widgets.example.com", "v1", "v2"), "widgets.example.com", "v1", "v2"),
                "there is another one for the same");
        refused(
                builder -> add(builder, "widgets.example.com", "v1", "v2")
                        .onConvert("widgets.example.com", "v1", "v2", c -> c.body(Body.class, body -> body)),
                "a function of the body converts all of the object, but there is another one for the spec");
        refused(
                builder -> builder.onConvert("widgets.example.com", "v1", "v2", c -> {}),
                "the conversion of widgets.example.com from v1 to v2 converts nothing");
    }

    private static final class NoParameter {
        @OnConvert(value = "widgets.example.com", from = "v1", to = "v2")
        Map<String, Object> up() {
            return Map.of();
        }
    }

    private static final class OtherName {
        @OnConvert(value = "widgets.example.com", from = "v1", to = "v2")
        Map<String, Object> up(Map<String, Object> old) {
            return old;
        }
    }

    private static final class OtherSecond {
        @OnConvert(value = "widgets.example.com", from = "v1", to = "v2")
        Spec up(Spec spec, String name) {
            return spec;
        }
    }

    private static final class NoResult {
        @OnConvert(value = "widgets.example.com", from = "v1", to = "v2")
        void up(Spec spec) {
            // Returns nothing, which is the mistake.
        }
    }

    @Test
    void methodsHaveTheFormOfAConversion() {
        refused(builder -> builder.handlers(NoParameter.class), "NoParameter.up(): it has 0 parameters; write it as");
        refused(
                builder -> builder.handlers(OtherName.class),
                "its first parameter is called 'old'; call it spec, status or body, which says what is converted");
        refused(builder -> builder.handlers(OtherSecond.class), "its second parameter can be the whole object only");
        refused(builder -> builder.handlers(NoResult.class), "NoResult.up(Spec): it returns nothing; write it as");
    }
}
