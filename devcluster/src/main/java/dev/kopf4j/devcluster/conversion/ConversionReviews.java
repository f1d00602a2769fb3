package dev.kopf4j.devcluster.conversion;

import dev.kopf4j.devcluster.json.Json;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * The reviews that the server sends to conversion webhooks, and their answers: {@code createConversionReviewObjects}
 * and {@code getConvertedObjectsFromResponse} in {@code pkg/apiserver/conversion/webhook_converter.go} of the
 * apiextensions-apiserver, v1.33. Pure.
 */
final class ConversionReviews {
    private static final String GROUP = "apiextensions.k8s.io/";
    private static final String STRICT = GROUP + "v1";
    private static final String KIND = "ConversionReview";
    private static final Set<String> KNOWN = Set.of("v1", "v1beta1");

    private ConversionReviews() {}

    /** The review that asks for one object in another version, in the first known one of the accepted versions. */
    static ObjectNode request(JsonNode acceptedVersions, ObjectNode object, String apiVersion, String uid)
            throws ConversionFailed {
        String version = acceptedVersions
                .valueStream()
                .map(each -> each.stringValue(""))
                .filter(KNOWN::contains)
                .findFirst()
                .orElseThrow(() -> new ConversionFailed("no supported conversion review versions"));
        ObjectNode review = Json.object().put("kind", KIND).put("apiVersion", GROUP + version);
        review.putObject("request")
                .put("uid", uid)
                .put("desiredAPIVersion", apiVersion)
                .putArray("objects")
                .add(object);
        ObjectNode response = review.putObject("response").put("uid", "").putNull("convertedObjects");
        response.putObject("result").putObject("metadata");
        return review;
    }

    /** The converted objects of an answer to a review; only answers of v1 have to name it. */
    static JsonNode convertedObjects(JsonNode review, JsonNode answer) throws ConversionFailed {
        boolean strict = Json.string(review, "apiVersion").equals(STRICT);
        if (strict && !kind(answer).equals(kind(review))) {
            throw new ConversionFailed("expected webhook response of " + kind(review) + ", got " + kind(answer));
        }
        JsonNode response = answer.path("response");
        if (!response.isObject()) {
            throw new ConversionFailed("no response provided");
        }
        String expected = Json.string(review, "request", "uid");
        String given = Json.string(response, "uid");
        if (strict && !given.equals(expected)) {
            throw new ConversionFailed("expected response.uid=\"" + expected + "\", got \"" + given + "\"");
        }
        String status = Json.string(response, "result", "status");
        if (!status.equals("Success")) {
            String message = Json.string(response, "result", "message");
            throw new ConversionFailed(
                    message.isEmpty() ? "response.result.status was '" + status + "', not 'Success'" : message);
        }
        return response.path("convertedObjects");
    }

    /** The kind of an object as the server writes it in messages. */
    static String kind(JsonNode object) {
        return groupVersion(object) + ", Kind=" + Json.string(object, "kind");
    }

    private static String groupVersion(JsonNode object) {
        String apiVersion = Json.string(object, "apiVersion");
        return apiVersion.contains("/") ? apiVersion : "/" + apiVersion;
    }
}
