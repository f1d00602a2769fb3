package dev.kopf4j.engine.admission;

import dev.kopf4j.AdmissionOperation;
import dev.kopf4j.Resource;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.object.ObjectReference;
import dev.kopf4j.webhook.WebhookException;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A review as the API server sends it, checked for what everything else relies on. Immutable.
 *
 * @param json the whole review
 * @param request what it asks about
 * @param operation what the client wants to do
 * @see <a href="https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/">dynamic
 *     admission control</a>
 */
record AdmissionReview(ObjectNode json, ObjectNode request, AdmissionOperation operation) {
    private static final int BAD_REQUEST = 400;

    /**
     * Reads a review.
     *
     * @throws WebhookException if it is none, with what is missing
     */
    static AdmissionReview parse(byte[] body) {
        try {
            if (Json.parse(body) instanceof ObjectNode review) {
                return of(review);
            }
        } catch (JsonConversionException e) {
            throw malformed("the body is no JSON: " + e.getMessage());
        }
        throw malformed("the body is no JSON object; POST an AdmissionReview");
    }

    /** The same of a tree. */
    static AdmissionReview of(ObjectNode review) {
        ObjectNode request = object(review, "request");
        if (request == null) {
            throw malformed("the review has no request; POST an AdmissionReview");
        }
        if (object(request, "resource") == null) {
            throw malformed("the request has no resource");
        }
        if (object(request, "userInfo") == null) {
            throw malformed("the request has no userInfo");
        }
        if (object(request, "object") == null && object(request, "oldObject") == null) {
            throw malformed("the request has neither an object nor an oldObject");
        }
        return new AdmissionReview(review, request, operation(request));
    }

    /** Its version, which is sent back. */
    String apiVersion() {
        return text(json, "apiVersion", "admission.k8s.io/v1");
    }

    /** Its kind, which is sent back. */
    String kind() {
        return text(json, "kind", "AdmissionReview");
    }

    /** Which request is meant. */
    String uid() {
        return text(request, "uid", "");
    }

    /** True if the webhook was registered for that resource. */
    boolean isOf(Resource resource) {
        return resource.group().equals(ofResource("group"))
                && resource.version().equals(ofResource("version"))
                && resource.plural().equals(ofResource("resource"));
    }

    /** The name of the resource that the webhook was registered for. */
    String resource() {
        return ofResource("resource") + "." + ofResource("version") + "." + ofResource("group");
    }

    private String ofResource(String key) {
        return request.path("resource").path(key).asString("");
    }

    /** The subresource; empty for the object itself. */
    String subresource() {
        return text(request, "subResource", "");
    }

    /** True if nothing is going to be stored. */
    boolean dryRun() {
        return request.path("dryRun").asBoolean(false);
    }

    /** Who wants it. */
    JsonNode userInfo() {
        return request.path("userInfo");
    }

    /** The object as it would become; null if it is to be deleted. */
    @Nullable ObjectNode newBody() {
        return object(request, "object");
    }

    /** The object as it is; null if there is none yet. */
    @Nullable ObjectNode oldBody() {
        return object(request, "oldObject");
    }

    /** The object that it is about: as it would become, or as it is if it is to be deleted. */
    ObjectNode body() {
        ObjectNode body = newBody();
        return body == null ? Objects.requireNonNull(oldBody()) : body;
    }

    /**
     * Names it. What a client connects to is named by the request alone, as its body has options. Whatever has a name
     * says its namespace, too: the request of a Namespace has the name as its namespace.
     *
     * @see <a
     *     href="https://github.com/kubernetes/apiserver/blob/release-1.33/pkg/endpoints/request/requestinfo.go">what
     *     API servers make of a path</a>
     */
    ObjectReference reference() {
        ObjectReference own = ObjectReference.of(body());
        return own.name() != null
                ? own
                : new ObjectReference(
                        own.apiVersion(),
                        own.kind(),
                        textOrNull("name"),
                        own.uid(),
                        own.namespace() == null ? textOrNull("namespace") : own.namespace());
    }

    private @Nullable String textOrNull(String key) {
        String text = text(request, key, "");
        return text.isEmpty() ? null : text;
    }

    private static AdmissionOperation operation(ObjectNode request) {
        String operation = text(request, "operation", "");
        try {
            return AdmissionOperation.valueOf(operation.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException _) {
            throw malformed("the request has the operation '" + operation
                    + "'; possible are CREATE, UPDATE, DELETE and CONNECT");
        }
    }

    private static @Nullable ObjectNode object(ObjectNode parent, String key) {
        return parent.get(key) instanceof ObjectNode object ? object : null;
    }

    private static String text(ObjectNode parent, String key, String otherwise) {
        String text = parent.path(key).asString("");
        return text.isEmpty() ? otherwise : text;
    }

    private static WebhookException malformed(String problem) {
        return new WebhookException(BAD_REQUEST, problem);
    }
}
