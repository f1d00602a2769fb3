package dev.kopf4j.testing.simulation;

import java.util.regex.Pattern;

/**
 * A rule that was broken. Immutable.
 *
 * @param rule the rule as a sentence
 * @param how what was seen
 */
record Violation(String rule, String how) {
    /** What differs from run to run although the same thing has happened: numbers, times, uids. */
    private static final Pattern INCIDENTAL = Pattern.compile("\\b[0-9a-f-]*\\d[0-9a-f.:TZ-]*");

    /** True if it is the same rule that was broken, by the same facts. */
    boolean isLike(Violation other) {
        return rule.equals(other.rule) && facts().equals(other.facts());
    }

    private String facts() {
        return INCIDENTAL.matcher(how).replaceAll("#");
    }
}
