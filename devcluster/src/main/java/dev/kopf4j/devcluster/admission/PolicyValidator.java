package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.cel.PolicyExpressions;
import dev.kopf4j.devcluster.json.Json;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Evaluates one policy: {@code Validate} in {@code pkg/admission/plugin/policy/validating/validator.go} of the
 * apiserver library, v1.33. Immutable.
 */
record PolicyValidator(ObjectNode policy) {
    private static final int MAX_MESSAGE = 5 * 1024;

    /**
     * What comes of an evaluation.
     *
     * @param decisions against the operation, for the actions of the binding
     * @param denials since audit annotations cannot be evaluated, whatever the actions are
     */
    record Outcome(List<PolicyDecision> decisions, List<PolicyDecision> denials) {
        static Outcome of(List<PolicyDecision> decisions) {
            return new Outcome(decisions, List.of());
        }
    }

    /** Evaluates the policy; nothing comes of it if the operation is admitted, or the conditions do not hold. */
    Outcome validate(String binding, PolicySubject subject, JsonNode params) {
        JsonNode spec = policy.path("spec");
        PolicyExpressions expressions = subject.expressions(params, spec.path("variables"));
        try {
            if (!expressions.allHold(spec.path("matchConditions"))) {
                return Outcome.of(List.of());
            }
        } catch (PolicyExpressions.Failed e) {
            return Outcome.of(failed(binding, String.valueOf(e.getMessage())));
        }
        List<PolicyDecision> decisions = new ArrayList<>();
        for (JsonNode validation : spec.path("validations")) {
            decisions.addAll(validate(binding, expressions, validation));
        }
        return new Outcome(decisions, annotate(binding, expressions));
    }

    /** The values of audit annotations go nowhere, as there is no audit log. */
    private List<PolicyDecision> annotate(String binding, PolicyExpressions expressions) {
        List<PolicyDecision> denials = new ArrayList<>();
        for (JsonNode annotation : policy.path("spec").path("auditAnnotations")) {
            try {
                expressions.annotation(Json.string(annotation, "valueExpression"));
            } catch (PolicyExpressions.Failed e) {
                denials.addAll(failed(binding, String.valueOf(e.getMessage())));
            }
        }
        return denials;
    }

    private List<PolicyDecision> validate(String binding, PolicyExpressions expressions, JsonNode validation) {
        try {
            return expressions.holds(Json.string(validation, "expression"))
                    ? List.of()
                    : List.of(decision(binding, message(expressions, validation), Json.string(validation, "reason")));
        } catch (PolicyExpressions.Failed e) {
            return failed(binding, String.valueOf(e.getMessage()));
        }
    }

    /** The decision about a policy that cannot be evaluated; none if it ignores failures. */
    List<PolicyDecision> failed(String binding, String message) {
        return Json.string(policy, "spec", "failurePolicy").equals("Ignore")
                ? List.of()
                : List.of(decision(binding, message, ""));
    }

    private PolicyDecision decision(String binding, String message, String reason) {
        return new PolicyDecision(Json.string(policy, "metadata", "name"), binding, message, reason);
    }

    private static String message(PolicyExpressions expressions, JsonNode validation) {
        String own = Optional.of(Json.string(validation, "messageExpression"))
                .filter(expression -> !expression.isEmpty())
                .flatMap(expressions::text)
                .map(String::strip)
                .filter(text -> text.length() <= MAX_MESSAGE && !text.contains("\n"))
                .orElse("");
        if (!own.isEmpty()) {
            return own;
        }
        String fixed = Json.string(validation, "message").strip();
        return fixed.isEmpty()
                ? "failed expression: " + Json.string(validation, "expression").strip()
                : fixed;
    }
}
