package dev.kopf4j.devcluster.conversion;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.CustomConverter;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.webhook.WebhookClientManager;
import java.io.IOException;
import java.time.Duration;
import java.util.function.Supplier;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Lets a webhook convert the objects of a definition, one object in each review, as the server reads and writes them
 * singly: {@code Convert} in {@code pkg/apiserver/conversion/webhook_converter.go} of the apiextensions-apiserver,
 * v1.33. A failure is answered by 500 without a reason, as from there. Thread-safe.
 */
public final class WebhookConverter implements CustomConverter {
    private static final Duration TIMEOUT = Duration.ofSeconds(30);
    private final JsonNode webhook;
    private final WebhookClientManager clients;
    private final Supplier<String> uids;

    /**
     * A converter.
     *
     * @param webhook the stanza {@code spec.conversion.webhook} of the definition
     * @param uids gives each review its uid
     */
    public WebhookConverter(JsonNode webhook, WebhookClientManager clients, Supplier<String> uids) {
        this.webhook = webhook;
        this.clients = clients;
        this.uids = uids;
    }

    @Override
    public ObjectNode convert(ObjectNode object, String apiVersion) {
        String source = "conversion webhook for " + ConversionReviews.kind(object);
        JsonNode review = review(object, apiVersion);
        JsonNode answers = answers(review, source + " failed: ");
        if (answers.size() != 1) {
            throw ApiException.plain500(source + " returned " + answers.size() + " objects, expected 1");
        }
        JsonNode answer = answers.get(0);
        if (!(answer instanceof ObjectNode converted)
                || Json.string(answer, "kind").isEmpty()) {
            throw ApiException.plain500("Object 'Kind' is missing in '" + Json.text(answer) + "'");
        }
        check(() -> checkKind(object, converted, apiVersion), source + " returned invalid object at index 0: ");
        check(() -> checkIdentity(object, converted), source + " returned invalid object: ");
        check(() -> ConvertedMetadata.restore(object, converted), source + " returned invalid metadata: ");
        return converted;
    }

    private JsonNode review(ObjectNode object, String apiVersion) {
        try {
            return ConversionReviews.request(webhook.path("conversionReviewVersions"), object, apiVersion, uids.get());
        } catch (ConversionFailed e) {
            throw ApiException.plain500(String.valueOf(e.getMessage()));
        }
    }

    private JsonNode answers(JsonNode review, String words) {
        try {
            byte[] answer = clients.post(webhook.path("clientConfig"), review, TIMEOUT);
            return ConversionReviews.convertedObjects(review, Json.parse(answer));
        } catch (JacksonException e) {
            throw ApiException.plain500(
                    words + "couldn't get version/kind; json parse error: " + e.getOriginalMessage());
        } catch (IOException | ConversionFailed e) {
            throw ApiException.plain500(words + e.getMessage());
        }
    }

    private interface Check {
        void run() throws ConversionFailed;
    }

    private static void check(Check check, String words) {
        try {
            check.run();
        } catch (ConversionFailed e) {
            throw ApiException.plain500(words + e.getMessage());
        }
    }

    /**
     * Checks that a conversion has made the wanted version of an object, and kept its kind:
     * {@code validateConvertedObject} in {@code pkg/apiserver/conversion/webhook_converter.go} of the
     * apiextensions-apiserver, v1.33.
     */
    private static void checkKind(JsonNode original, JsonNode converted, String apiVersion) throws ConversionFailed {
        String version = Json.string(converted, "apiVersion");
        if (!version.equals(apiVersion)) {
            throw new ConversionFailed("invalid groupVersion (expected " + apiVersion + ", received " + version + ")");
        }
        String expected = Json.string(original, "kind");
        String kind = Json.string(converted, "kind");
        if (!kind.equals(expected)) {
            throw new ConversionFailed("invalid kind (expected " + expected + ", received " + kind + ")");
        }
    }

    /** Checks that an object is still the same one. */
    private static void checkIdentity(ObjectNode original, ObjectNode converted) throws ConversionFailed {
        checkSame(original, converted, "name", "name");
        checkSame(original, converted, "namespace", "namespace");
        checkSame(original, converted, "uid", "UID");
    }

    private static void checkSame(ObjectNode original, ObjectNode converted, String field, String words)
            throws ConversionFailed {
        String expected = Json.string(original, "metadata", field);
        String given = Json.string(converted, "metadata", field);
        if (!given.equals(expected)) {
            throw new ConversionFailed("must have the same " + words + ": " + expected + " != " + given);
        }
    }
}
