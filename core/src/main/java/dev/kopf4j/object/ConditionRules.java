package dev.kopf4j.object;

import dev.kopf4j.crd.Condition;

/** What the API conventions want of conditions. Pure. */
final class ConditionRules {
    private ConditionRules() {}

    /**
     * Refuses what the server would refuse later, where the schema is that of {@link Condition}.
     *
     * @throws IllegalArgumentException if the type or the reason is malformed
     */
    static void check(String type, String reason) {
        if (!type.matches(Condition.TYPE_PATTERN)) {
            throw new IllegalArgumentException(
                    "the type of a condition is a word such as Ready, but not '" + type + "'");
        }
        if (!reason.matches(Condition.REASON_PATTERN)) {
            throw new IllegalArgumentException("the reason of the condition " + type
                    + " is one word such as RolledOut, but not '" + reason + "'; sentences go into the message");
        }
    }
}
