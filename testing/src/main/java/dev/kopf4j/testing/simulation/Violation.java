package dev.kopf4j.testing.simulation;

/**
 * A rule that was broken. Immutable.
 *
 * @param rule the rule as a sentence
 * @param how what was seen
 */
record Violation(String rule, String how) {}
