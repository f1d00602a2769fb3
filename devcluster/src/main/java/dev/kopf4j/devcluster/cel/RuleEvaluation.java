package dev.kopf4j.devcluster.cel;

import dev.cel.runtime.CelEvaluationException;
import dev.kopf4j.devcluster.schema.StructuralSchema;
import dev.kopf4j.devcluster.status.FieldError;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * Evaluates rules for one value; {@code pkg/apiserver/schema/cel/validation.go} of apiextensions-apiserver, v1.33.
 *
 * @param path the value's path in errors
 */
record RuleEvaluation(StructuralSchema schema, JsonNode value, OldSelf oldSelf, String path) {
    /** Tells if the value breaks the rule. */
    void evaluate(ValidationRule rule, ValidationRules.Findings findings) {
        if (rule.isTransitionRule() && oldSelf.known() == null && !rule.oldSelfIsOptional()) {
            return;
        }
        Map<String, Object> variables = variables(rule);
        // Validation ratcheting (KEP-4008): a value that an update does not change may break newer rules.
        boolean ratchets = !rule.isTransitionRule() && oldSelf.isSame(value);
        try {
            if (!Boolean.TRUE.equals(rule.program().eval(variables))) {
                (ratchets ? findings.ratcheted() : findings.errors()).add(error(rule, message(rule, variables)));
            }
        } catch (CelEvaluationException e) { // counts even for what has not changed, and knows no reason of its own
            String message = EvaluationProblem.of(e) + " evaluating rule: " + messageOrRule(rule, "");
            findings.errors()
                    .add(FieldError.invalid(path.isEmpty() ? "<nil>" : path, FieldError.quote(schema.type()), message));
        }
    }

    private Map<String, Object> variables(ValidationRule rule) {
        Map<String, Object> variables = new HashMap<>();
        variables.put("self", CelValues.of(schema, value));
        Optional<Object> old = Optional.ofNullable(oldSelf.known()).map(known -> CelValues.of(schema, known));
        if (rule.oldSelfIsOptional()) {
            variables.put("oldSelf", old);
        } else {
            old.ifPresent(known -> variables.put("oldSelf", known));
        }
        return variables;
    }

    private static String message(ValidationRule rule, Map<String, Object> variables) {
        String fixed = messageOrRule(rule, "failed rule: ");
        if (rule.messageProgram() == null) {
            return fixed;
        }
        try {
            String computed =
                    String.valueOf(rule.messageProgram().eval(variables)).strip();
            return computed.isBlank() || computed.contains("\n") ? fixed : computed;
        } catch (CelEvaluationException e) {
            return fixed; // as a real server does: the rule is broken all the same
        }
    }

    private static String messageOrRule(ValidationRule rule, String beforeRule) {
        return rule.message().isEmpty() ? beforeRule + rule.expression() : rule.message();
    }

    private FieldError error(ValidationRule rule, String message) {
        String field = RuleFieldPath.errorPath(schema, rule.text("fieldPath")).orElse("");
        String below = path.isEmpty() || field.isEmpty() ? path + field : path + "." + field;
        String where = below.isEmpty() ? "<nil>" : below;
        String shown = FieldError.quote(schema.type());
        return switch (rule.text("reason")) {
            case "FieldValueForbidden" -> FieldError.forbidden(where, message);
            case "FieldValueRequired" -> FieldError.required(where, message);
            case "FieldValueDuplicate" -> new FieldError(FieldError.Type.DUPLICATE, "Duplicate value: " + shown, where);
            default -> FieldError.invalid(where, shown, message);
        };
    }
}
