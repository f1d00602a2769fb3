package dev.kopf4j.engine;

import dev.kopf4j.OperatorBuilder;
import dev.kopf4j.engine.conversion.ConversionAddress;
import dev.kopf4j.engine.conversion.ConversionFunction;
import dev.kopf4j.engine.conversion.ConversionReviews;
import dev.kopf4j.engine.registration.RegistryBuilder;
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

    private OperatorConversions(ConversionReviews reviews, List<String> definitions) {
        this.reviews = reviews;
        this.definitions = definitions;
    }

    /**
     * The conversions of what a builder has collected.
     *
     * @throws dev.kopf4j.HandlerDeclarationException if a handler was declared in a way that makes no sense
     */
    public static OperatorConversions of(OperatorBuilder builder) {
        OperatorPlan plan = OperatorPlan.of(builder);
        List<ConversionFunction> functions =
                RegistryBuilder.build(plan.registrations()).conversions();
        return new OperatorConversions(
                new ConversionReviews(functions, plan.settings().persistence().prefix()),
                functions.stream()
                        .map(ConversionFunction::definition)
                        .distinct()
                        .toList());
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
                        WebhookRequest.of(Json.bytes(review)).forHandler(ConversionAddress.of(definition)))
                .body();
        ObjectNode response = (ObjectNode) Json.parseObject(answer).get("response");
        if (response.at("/convertedObjects/0") instanceof ObjectNode converted) {
            return Json.toMutableMap(converted);
        }
        throw new IllegalStateException(response.at("/result/message").asString(""));
    }
}
