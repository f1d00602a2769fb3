package dev.kopf4j.devcluster.conversion;

import dev.kopf4j.devcluster.api.WebhookCaller;
import dev.kopf4j.devcluster.json.Json;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A conversion webhook: v1 has {@code spec.size: 3x4}, v2 has {@code spec.width: 3} and {@code spec.height: 4}. */
final class SizeConverter implements WebhookCaller {
    private final List<JsonNode> reviews = new ArrayList<>();
    private final List<String> urls = new ArrayList<>();
    private UnaryOperator<ObjectNode> answer = review -> review;
    private String failure = "";

    /** Changes all later answers. */
    void answer(UnaryOperator<ObjectNode> edit) {
        answer = edit;
    }

    /** Makes all later calls fail; works again with an empty text. */
    void fail(String message) {
        failure = message;
    }

    /** The reviews since the last call. */
    List<JsonNode> takeReviews() {
        List<JsonNode> taken = List.copyOf(reviews);
        reviews.clear();
        return taken;
    }

    /** Where it was called, in order. */
    List<String> urls() {
        return urls;
    }

    @Override
    public byte[] call(String url, String authorities, byte[] body, Duration timeout) throws IOException {
        if (!failure.isEmpty()) {
            throw new IOException(failure);
        }
        JsonNode review = Json.parse(body);
        reviews.add(review);
        urls.add(url);
        ObjectNode answered = Json.object()
                .put("kind", Json.string(review, "kind"))
                .put("apiVersion", Json.string(review, "apiVersion"));
        ObjectNode response = answered.putObject("response");
        response.put("uid", Json.string(review, "request", "uid"));
        response.putObject("result").put("status", "Success");
        String wanted = Json.string(review, "request", "desiredAPIVersion");
        review.path("request")
                .path("objects")
                .forEach(object -> response.withArray("convertedObjects").add(converted(object, wanted)));
        return Json.bytes(answer.apply(answered));
    }

    private static ObjectNode converted(JsonNode object, String wanted) {
        ObjectNode converted = ((ObjectNode) object).deepCopy().put("apiVersion", wanted);
        JsonNode spec = object.path("spec");
        if (wanted.endsWith("/v2")) {
            String[] sides = Json.string(spec, "size").split("x", -1);
            converted
                    .putObject("spec")
                    .put("width", Integer.parseInt(sides[0]))
                    .put("height", Integer.parseInt(sides[1]));
        } else {
            converted
                    .putObject("spec")
                    .put(
                            "size",
                            spec.path("width").intValue() + "x"
                                    + spec.path("height").intValue());
        }
        Json.child(Json.child(converted, "metadata"), "annotations").put("converted-to", wanted);
        return converted;
    }
}
