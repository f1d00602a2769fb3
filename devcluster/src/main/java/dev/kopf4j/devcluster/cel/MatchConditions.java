package dev.kopf4j.devcluster.cel;

import dev.cel.common.CelValidationException;
import dev.cel.common.types.SimpleType;
import dev.cel.runtime.CelEvaluationException;
import dev.kopf4j.devcluster.cel.library.AuthorizerTypes;
import dev.kopf4j.devcluster.cel.library.CelAuthorizer;
import dev.kopf4j.devcluster.json.Json;
import java.io.Serial;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The match conditions of webhooks (KEP-3716): expressions that decide whether a webhook is called. Thread-safe. */
public final class MatchConditions {
    private static final PolicyExpressions.Programs PROGRAMS = PolicyExpressions.Programs.of(
            Map.of(
                    "object", SimpleType.DYN,
                    "oldObject", SimpleType.DYN,
                    "request", SimpleType.DYN,
                    "authorizer", AuthorizerTypes.AUTHORIZER,
                    "authorizer.requestResource", AuthorizerTypes.RESOURCE_CHECK),
            SimpleType.BOOL);

    private MatchConditions() {}

    /** A condition that could not be evaluated. */
    public static final class Failed extends RuntimeException {
        @Serial
        private static final long serialVersionUID = 1L;

        Failed(String message) {
            super(message, null, false, false);
        }
    }

    /**
     * True if all conditions hold. One that is false outweighs those that fail;
     * {@code pkg/admission/plugin/webhook/matchconditions/matcher.go} of the apiserver library, v1.33.
     *
     * @param requested the resource of the request, and what its user may do
     * @throws Failed if one fails and none is false
     */
    public static boolean hold(List<JsonNode> conditions, ObjectNode request, CelAuthorizer.ResourceCheck requested) {
        Map<String, Object> variables = new HashMap<>();
        variables.put("object", CelValues.plain(request.path("object")));
        variables.put("oldObject", CelValues.plain(request.path("oldObject")));
        variables.put("request", CelValues.plain(request));
        variables.put("authorizer", requested.authorizer());
        variables.put("authorizer.requestResource", requested);
        String failure = "";
        for (JsonNode condition : conditions) {
            String expression = Json.string(condition, "expression");
            try {
                if (!Boolean.TRUE.equals(PROGRAMS.of(expression).eval(variables))) {
                    return false;
                }
            } catch (CelEvaluationException | CelValidationException e) {
                failure = "expression '" + expression + "' resulted in error: " + EvaluationProblem.of(e);
            }
        }
        if (!failure.isEmpty()) {
            throw new Failed(failure);
        }
        return true;
    }
}
