package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.StatusDetails;
import java.util.Map;
import tools.jackson.databind.node.ObjectNode;

/**
 * Why a policy denies an operation: the end of {@code Dispatch} in
 * {@code pkg/admission/plugin/policy/validating/dispatcher.go} of the apiserver library, v1.33.
 *
 * @param binding empty if the policy itself is unusable
 * @param reason a reason of the API; empty for Invalid
 */
record PolicyDecision(String policy, String binding, String message, String reason) {
    private static final int UNPROCESSABLE = 422;
    private static final Map<String, Integer> CODES =
            Map.of("Forbidden", 403, "Unauthorized", 401, "RequestEntityTooLarge", 413);

    /** The failure for the client. */
    ApiException refusal(StatusDetails subject) {
        String text = "ValidatingAdmissionPolicy '" + policy + "'"
                + (binding.isEmpty() ? "" : " with binding '" + binding + "'") + " denied request: " + message;
        ObjectNode details = subject.details();
        details.putArray("causes").add(Json.object().put("message", text));
        String shown = reason.isEmpty() ? "Invalid" : reason;
        return ApiException.of(
                CODES.getOrDefault(shown, UNPROCESSABLE), shown, subject + " is forbidden: " + text, details, true);
    }

    /** The warning for the client. */
    String warning() {
        return "Validation failed for ValidatingAdmissionPolicy '" + policy + "' with binding '" + binding + "': "
                + message;
    }
}
