package dev.kopf4j.engine.conversion;

import dev.kopf4j.json.Json;
import dev.kopf4j.webhook.WebhookRequest;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** The conversions of an operator that does not run: they are asked as the API server would ask. Thread-safe. */
public final class OperatorConversions {
    private final ConversionReviews reviews;
    private final List<String> definitions;

    /**
     * The conversions.
     *
     * @param functions those of all definitions
     * @param prefix of the framework's own annotations
     */
    public OperatorConversions(List<ConversionFunction> functions, String prefix) {
        this.reviews = new ConversionReviews(functions, prefix);
        this.definitions = functions.stream()
                .map(ConversionFunction::definition)
                .distinct()
                .toList();
    }

    /** The names of the definitions that there are conversions for. */
    public List<String> definitions() {
        return definitions;
    }

    /**
     * The object in another version.
     *
     * @param definition the name of its definition
     * @param apiVersion the version with its group
     * @throws IllegalStateException if it cannot be converted, with the reason
     */
    public Map<String, @Nullable Object> convert(
            String definition, Map<String, @Nullable Object> object, String apiVersion) throws InterruptedException {
        ObjectNode review = Json.object().put("apiVersion", "apiextensions.k8s.io/v1");
        review.put("kind", "ConversionReview");
        ObjectNode request = review.putObject("request").put("uid", "1").put("desiredAPIVersion", apiVersion);
        request.putArray("objects").add(Json.fromJava(object));
        byte[] answer = reviews.answer(
                        WebhookRequest.of(Json.bytes(review)).forHandler(ConversionReviews.path(definition)))
                .body();
        ObjectNode response = (ObjectNode) Json.parseObject(answer).get("response");
        if (response.at("/convertedObjects/0") instanceof ObjectNode converted) {
            return Json.toMutableMap(converted);
        }
        throw new IllegalStateException(response.at("/result/message").asString(""));
    }
}
