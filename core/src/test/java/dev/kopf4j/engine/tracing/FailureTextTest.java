package dev.kopf4j.engine.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.kopf4j.BindingException;
import dev.kopf4j.PermanentException;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** What is told of failures outside of the log. */
class FailureTextTest {
    private static BindingException misfit() {
        return new BindingException(
                "spec does not fit Database", "size: 'hunter2' is no number", new RuntimeException());
    }

    static Stream<Arguments> failures() {
        return Stream.of(
                Arguments.of(new PermanentException("no such plan"), false, false, "PermanentException: no such plan"),
                Arguments.of(new PermanentException("no such plan"), true, true, "PermanentException"),
                Arguments.of(
                        misfit(),
                        false,
                        false,
                        "BindingException: spec does not fit Database; what was found is not shown, as it may be a secret"),
                Arguments.of(
                        misfit(),
                        false,
                        true,
                        "BindingException: spec does not fit Database: size: 'hunter2' is no number"),
                Arguments.of(new IllegalStateException(misfit()), false, false, "IllegalStateException"),
                Arguments.of(new IllegalStateException("\n"), false, false, "IllegalStateException: "));
    }

    @ParameterizedTest
    @MethodSource("failures")
    void isToldAsFarAsItQuotesNoValues(Throwable failure, boolean secret, boolean values, String told) {
        assertThat(FailureText.of(failure, secret, values)).isEqualTo(told);
    }
}
