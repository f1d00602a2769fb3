package dev.kopf4j.devcluster.cel;

import dev.cel.runtime.CelRuntime;
import dev.kopf4j.devcluster.json.Json;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * One compiled rule of a schema.
 *
 * @param node the rule as the schema has it
 * @param program the rule's expression
 * @param messageProgram its {@code messageExpression}, if it has one
 */
record ValidationRule(JsonNode node, CelRuntime.Program program, CelRuntime.@Nullable Program messageProgram) {
    /** The keyword of schemas. */
    static final String KEYWORD = "x-kubernetes-validations";

    private static final Pattern OLD = Pattern.compile("\\boldSelf\\b");

    /** True if an expression compares with the former state: a transition rule. */
    static boolean usesOldSelf(String expression) {
        return OLD.matcher(expression).find();
    }

    boolean isTransitionRule() {
        return usesOldSelf(expression());
    }

    boolean oldSelfIsOptional() {
        return node.path("optionalOldSelf").booleanValue(false);
    }

    /** The fixed message; empty if the rule has none. */
    String message() {
        return text("message").strip();
    }

    String expression() {
        return text("rule").strip();
    }

    /** One of its properties; empty if it does not have it. */
    String text(String property) {
        return Json.string(node, property);
    }
}
