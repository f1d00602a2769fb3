package dev.kopf4j.devcluster.conversion;

import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.CustomConverter;
import dev.kopf4j.devcluster.selector.LabelSyntax;
import dev.kopf4j.devcluster.status.ApiException;
import dev.kopf4j.devcluster.status.FieldError;
import dev.kopf4j.devcluster.webhook.WebhookClientManager;
import dev.kopf4j.json.JsonEquality;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
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

    /**
     * The reviews that the server sends to conversion webhooks, and their answers:
     * {@code createConversionReviewObjects} and {@code getConvertedObjectsFromResponse} in
     * {@code pkg/apiserver/conversion/webhook_converter.go} of the apiextensions-apiserver, v1.33. Pure.
     */
    static final class ConversionReviews {
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

    /**
     * Gives a converted object the metadata of the original, except for labels and annotations, which a webhook may
     * convert: {@code restoreObjectMeta} in {@code pkg/apiserver/conversion/webhook_converter.go} of the
     * apiextensions-apiserver, v1.33. Pure.
     */
    static final class ConvertedMetadata {
        private static final int MAX_ANNOTATIONS = 256 * 1024;

        private ConvertedMetadata() {}

        static void restore(ObjectNode original, ObjectNode converted) throws ConversionFailed {
            JsonNode given = converted.get("metadata");
            if (given == null) {
                throw new ConversionFailed("missing metadata in converted object");
            }
            if (!given.isObject()) {
                throw new ConversionFailed("invalid metadata of type " + goType(given) + " in converted object");
            }
            ObjectNode restored = Json.child(original, "metadata").deepCopy();
            converted.set("metadata", restored);
            for (String field : List.of("labels", "annotations")) {
                restored.remove(field);
                if (given.hasNonNull(field)) {
                    JsonNode before = original.path("metadata").get(field);
                    restored.set(field, checked(field, given.get(field), before));
                }
            }
        }

        private static JsonNode checked(String field, JsonNode given, @Nullable JsonNode before)
                throws ConversionFailed {
            if (!given.isObject()) {
                throw new ConversionFailed(
                        "invalid metadata." + field + " of type " + goType(given) + " in converted object");
            }
            for (Map.Entry<String, JsonNode> entry : given.properties()) {
                if (!entry.getValue().isString()) {
                    throw new ConversionFailed("metadata." + field + "[" + entry.getKey()
                            + "] must be a string, but is " + goType(entry.getValue()) + " in converted object");
                }
            }
            if (!JsonEquality.same(given, before)) {
                refuse(field.equals("labels") ? labelErrors(given) : annotationErrors(given));
            }
            return given;
        }

        private static void refuse(List<FieldError> errors) throws ConversionFailed {
            if (!errors.isEmpty()) {
                String text = errors.stream()
                        .map(error -> error.field() + ": " + error.message())
                        .distinct()
                        .collect(Collectors.joining(", "));
                throw new ConversionFailed(errors.size() == 1 ? text : "[" + text + "]");
            }
        }

        private static List<FieldError> labelErrors(JsonNode labels) {
            List<FieldError> errors = new ArrayList<>();
            for (Map.Entry<String, JsonNode> label : labels.properties()) {
                String value = label.getValue().stringValue();
                add(errors, "metadata.labels", label.getKey(), LabelSyntax.key(label.getKey()));
                add(errors, "metadata.labels", value, LabelSyntax.value(value));
            }
            return errors;
        }

        /** The field is called so by the server. */
        private static List<FieldError> annotationErrors(JsonNode annotations) {
            List<FieldError> errors = new ArrayList<>();
            int size = 0;
            for (Map.Entry<String, JsonNode> annotation : annotations.properties()) {
                String name = annotation.getKey();
                add(errors, "metadata.annotation", name, LabelSyntax.key(name.toLowerCase(Locale.ROOT)));
                size += bytes(name) + bytes(annotation.getValue().stringValue());
            }
            if (size > MAX_ANNOTATIONS) {
                errors.add(new FieldError(
                        FieldError.Type.TOO_LONG,
                        "Too long: may not be more than " + MAX_ANNOTATIONS + " bytes",
                        "metadata.annotation"));
            }
            return errors;
        }

        private static int bytes(String text) {
            return text.getBytes(StandardCharsets.UTF_8).length;
        }

        private static void add(List<FieldError> errors, String field, String value, String problem) {
            if (!problem.isEmpty()) {
                errors.add(FieldError.invalidString(field, value, problem));
            }
        }

        private static String goType(JsonNode value) {
            return switch (value.getNodeType()) {
                case STRING -> "string";
                case BOOLEAN -> "bool";
                case NUMBER -> value.isIntegralNumber() ? "int64" : "float64";
                case ARRAY -> "[]interface {}";
                case OBJECT -> "map[string]interface {}";
                default -> "<nil>";
            };
        }
    }
}
