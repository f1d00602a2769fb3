package dev.kopf4j.engine.admission;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.regex.Pattern;

/** What the answers to hostile reviews must not tell. */
public final class HostileAnswers {
    private static final Pattern INTERNALS = Pattern.compile(
            "\\bat [\\w.$/]+\\(|\\w(Exception|Error)\\b|\\b(java|javax|sun|tools|com|dev)\\.[a-z]\\w*\\.|[a-z]\\(\\)"
                    + "|Feature\\b|REDACTED|Jackson");

    private HostileAnswers() {}

    /** Fails if a text shows a stack, a class or a method. */
    public static void assertHarmless(String answer, long seed) {
        assertThat(answer).as("seed %d", seed).doesNotContainPattern(INTERNALS);
    }
}
