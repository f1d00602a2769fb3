package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.patch.JsonPatch;
import dev.kopf4j.devcluster.status.ApiException;
import java.util.Base64;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Carries out the response of a webhook: {@code VerifyAdmissionResponse} in
 * {@code pkg/admission/plugin/webhook/request/admissionreview.go} and {@code ToStatusErr} in
 * {@code pkg/admission/plugin/webhook/errors/statuserror.go} of the apiserver library, v1.33. Pure.
 */
final class AdmissionVerdict {
    private AdmissionVerdict() {}

    /** The object with the webhook's patch; {@link ApiException} if the webhook denies the operation. */
    static @Nullable ObjectNode apply(
            AdmissionWebhook webhook, AdmissionAttributes operation, @Nullable ObjectNode object, JsonNode response) {
        response.path("warnings").forEach(warning -> operation.warnings().add(warning.asString()));
        if (!response.path("allowed").booleanValue(false)) {
            throw denied(webhook, response.path("status"));
        }
        String patch = Json.string(response, "patch");
        if (patch.isEmpty() || object == null) {
            return object;
        }
        try {
            JsonNode operations = Json.parse(Base64.getDecoder().decode(patch));
            return (ObjectNode) JsonPatch.apply(object, (ArrayNode) operations);
        } catch (JsonPatch.Failed | ClassCastException | JacksonException | IllegalArgumentException e) {
            throw ApiException.internal(String.valueOf(e.getMessage()));
        }
    }

    private static ApiException denied(AdmissionWebhook webhook, JsonNode status) {
        String message = Json.string(status, "message");
        String reason = Json.string(status, "reason");
        String why = message.isEmpty() ? reason : message;
        String words = "admission webhook \"" + webhook.name() + "\" denied the request"
                + (why.isEmpty() ? " without explanation" : ": " + why);
        JsonNode details = status.path("details");
        return ApiException.of(
                status.path("code").intValue(400),
                reason,
                words,
                details instanceof ObjectNode given ? given.deepCopy() : Json.object(),
                details.isObject());
    }
}
