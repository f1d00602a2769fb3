package dev.kopf4j.engine.conversion;

import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.webhook.WebhookException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A review as the API server sends it, checked for what everything else relies on. Immutable.
 *
 * @param apiVersion its version, which is sent back
 * @param uid which request is meant
 * @param desiredApiVersion the version that all objects are to have, with its group
 * @param objects the objects, in any versions
 * @see <a href="https://kubernetes.io/docs/reference/config-api/apiserver-webhookadmission.v1/">ConversionReview</a>
 */
record ConversionReview(String apiVersion, String uid, String desiredApiVersion, List<ObjectNode> objects) {
    private static final int BAD_REQUEST = 400;
    private static final String KIND = "ConversionReview";
    private static final Set<String> VERSIONS = Set.of("apiextensions.k8s.io/v1", "apiextensions.k8s.io/v1beta1");

    /** True if the tree claims to be such a review. */
    private static boolean isMeant(JsonNode tree) {
        return tree.path("kind").asString("").equals(KIND);
    }

    /** True if the body claims to be such a review. */
    static boolean isMeant(byte[] body) {
        try {
            return isMeant(Json.parse(body));
        } catch (JsonConversionException e) {
            return false; // admission says what is wrong with it
        }
    }

    /**
     * Reads a review.
     *
     * @throws WebhookException if it is none, with what is missing
     */
    static ConversionReview parse(byte[] body) {
        try {
            return of(Json.parse(body));
        } catch (JsonConversionException e) {
            throw malformed("the body is no JSON: " + e.getMessage());
        }
    }

    private static ConversionReview of(JsonNode review) {
        String apiVersion = review.path("apiVersion").asString("");
        if (!isMeant(review) || !VERSIONS.contains(apiVersion)) {
            throw malformed("POST a ConversionReview of apiextensions.k8s.io/v1");
        }
        if (!(review.get("request") instanceof ObjectNode request)) {
            throw malformed("the review has no request");
        }
        String desired = text(request, "desiredAPIVersion");
        if (!desired.matches("[^/]+/[^/]+")) {
            throw malformed("the request has the desiredAPIVersion '" + desired + "'; give group and version");
        }
        return new ConversionReview(apiVersion, text(request, "uid"), desired, objects(request.get("objects")));
    }

    private static List<ObjectNode> objects(@Nullable JsonNode given) {
        if (!(given instanceof ArrayNode list)) {
            throw malformed("the request has no list of objects");
        }
        List<ObjectNode> objects = new ArrayList<>();
        for (JsonNode each : list) {
            if (!(each instanceof ObjectNode object)) {
                throw malformed("objects[" + objects.size() + "] of the request is no object");
            }
            objects.add(object);
        }
        return List.copyOf(objects);
    }

    private static String text(ObjectNode request, String key) {
        String text = request.path(key).asString("");
        if (text.isEmpty()) {
            throw malformed("the request has no " + key);
        }
        return text;
    }

    private static WebhookException malformed(String problem) {
        return new WebhookException(BAD_REQUEST, problem);
    }

    String desiredGroup() {
        return desiredApiVersion.substring(0, desiredApiVersion.indexOf('/'));
    }

    String desiredVersion() {
        return desiredApiVersion.substring(desiredApiVersion.indexOf('/') + 1);
    }

    /** The review that says that all went well, with the objects in the order of the request. */
    ObjectNode success(List<ObjectNode> converted) {
        ObjectNode answer = answer();
        ObjectNode response = (ObjectNode) answer.get("response");
        response.putArray("convertedObjects").addAll(converted);
        response.putObject("result").put("status", "Success");
        return answer;
    }

    /** The review that says what went wrong. */
    ObjectNode failure(String message) {
        ObjectNode answer = answer();
        ObjectNode response = (ObjectNode) answer.get("response");
        response.putArray("convertedObjects");
        response.putObject("result").put("status", "Failed").put("message", message);
        return answer;
    }

    private ObjectNode answer() {
        ObjectNode answer = Json.object().put("apiVersion", apiVersion).put("kind", KIND);
        answer.putObject("response").put("uid", uid);
        return answer;
    }
}
