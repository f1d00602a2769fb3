package dev.kopf4j.devcluster.admission;

import dev.kopf4j.devcluster.json.Json;
import java.io.IOException;
import java.util.Base64;
import java.util.Set;
import tools.jackson.databind.JsonNode;

/**
 * Demands that the server makes on the answers of webhooks: {@code VerifyAdmissionResponse} in
 * {@code pkg/admission/plugin/webhook/request/admissionreview.go} of the apiserver library, v1.33, and before it the
 * decoding. An answer that does not fulfil them is a call that has failed. Pure.
 */
final class AdmissionResponses {
    private static final String KIND = "AdmissionReview";
    private static final String V1 = "v1";
    private static final Set<String> API_VERSIONS =
            Set.of(AdmissionReviews.GROUP + "/v1", AdmissionReviews.GROUP + "/v1beta1");

    private AdmissionResponses() {}

    /**
     * The response in the answer to a review.
     *
     * @param answer a review, too
     * @param review what was sent
     * @throws IOException if the answer is unusable
     */
    static JsonNode verified(AdmissionWebhook webhook, JsonNode answer, JsonNode review) throws IOException {
        requireDecodable(answer, Json.string(review, "apiVersion"));
        JsonNode response = answer.path("response");
        if (!response.isObject()) {
            throw invalid("webhook response was absent");
        }
        if (webhook.reviewVersion().equals(V1)) {
            requireIdentity(answer, Json.string(review, "request", "uid"));
            requirePatch(response, webhook.mutating());
        }
        return response;
    }

    /** What is missing is taken for what was expected, as the decoder does. */
    private static void requireDecodable(JsonNode answer, String expected) throws IOException {
        String given = Json.string(answer, "apiVersion");
        String apiVersion = given.isEmpty() ? expected : given;
        String givenKind = Json.string(answer, "kind");
        String kind = givenKind.isEmpty() ? KIND : givenKind;
        if (!API_VERSIONS.contains(apiVersion) || !kind.equals(KIND)) {
            throw undecodable("no kind \"" + kind + "\" is registered for version \"" + apiVersion + "\"");
        }
        if (!apiVersion.equals(expected)) {
            throw undecodable("converting (" + type(apiVersion) + ") to (" + type(expected) + "): unknown conversion");
        }
        String patch = Json.string(answer, "response", "patch");
        try {
            Base64.getDecoder().decode(patch);
        } catch (IllegalArgumentException e) {
            throw undecodable("illegal base64 data in response.patch: " + e.getMessage());
        }
    }

    private static String type(String apiVersion) {
        return apiVersion.substring(apiVersion.indexOf('/') + 1) + "." + KIND;
    }

    private static void requireIdentity(JsonNode answer, String uid) throws IOException {
        String given = Json.string(answer, "response", "uid");
        if (!given.equals(uid)) {
            throw invalid("expected response.uid=\"" + uid + "\", got \"" + given + "\"");
        }
        String apiVersion = Json.string(answer, "apiVersion");
        String kind = Json.string(answer, "kind");
        if (apiVersion.isEmpty() || kind.isEmpty()) {
            throw invalid("expected webhook response of " + AdmissionReviews.GROUP + "/v1, Kind=" + KIND + ", got "
                    + (apiVersion.isEmpty() ? "/" : apiVersion) + ", Kind=" + kind);
        }
    }

    private static void requirePatch(JsonNode response, boolean mutating) throws IOException {
        boolean patch = !Json.string(response, "patch").isEmpty();
        boolean type = response.hasNonNull("patchType");
        if (!mutating && (patch || type)) {
            throw invalid("validating webhook may not return response." + (patch ? "patch" : "patchType"));
        }
        if (patch != type) {
            throw invalid("webhook returned response." + (patch ? "patch" : "patchType") + " but not response."
                    + (patch ? "patchType" : "patch"));
        }
        if (type && Json.string(response, "patchType").isEmpty()) {
            throw invalid("webhook returned invalid response.patchType of \"\"");
        }
    }

    private static IOException undecodable(String why) {
        return new IOException("failed to call webhook: " + why);
    }

    private static IOException invalid(String why) {
        return new IOException("received invalid webhook response: " + why);
    }
}
