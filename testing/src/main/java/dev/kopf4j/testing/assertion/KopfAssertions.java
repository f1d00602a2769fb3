package dev.kopf4j.testing.assertion;

import dev.kopf4j.testing.TestedOperator;

/** The entry to assertions about operators under test, beside AssertJ's own {@code Assertions}. */
public final class KopfAssertions {
    private KopfAssertions() {}

    /** Asserts something about what the operator has done so far. */
    public static OperatorAssert assertThat(TestedOperator operator) {
        return new OperatorAssert(operator);
    }
}
