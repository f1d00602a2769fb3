package dev.kopf4j.engine.admission;

import dev.kopf4j.AdmissionOperation;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import dev.kopf4j.webhook.WebhookException;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A review as the API server sends it, checked for what everything else relies on. Immutable.
 *
 * @param apiVersion its version, which is sent back
 * @param kind its kind, which is sent back
 * @param uid which request is meant
 * @param group the API group of the resource that the webhook was registered for
 * @param version its version
 * @param plural its plural name
 * @param subresource the subresource; empty for the object itself
 * @param operation what the client wants to do
 * @param dryRun true if nothing is going to be stored
 * @param userInfo who wants it
 * @param newBody the object as it would become; null if it is to be deleted
 * @param oldBody the object as it is; null if there is none yet
 * @param request the whole request
 * @see <a href="https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/">dynamic
 *     admission control</a>
 */
record AdmissionReview(
        String apiVersion,
        String kind,
        String uid,
        String group,
        String version,
        String plural,
        String subresource,
        AdmissionOperation operation,
        boolean dryRun,
        ObjectNode userInfo,
        @Nullable ObjectNode newBody,
        @Nullable ObjectNode oldBody,
        ObjectNode request) {
    private static final int BAD_REQUEST = 400;

    /**
     * Reads a review.
     *
     * @throws WebhookException if it is none, with what is missing
     */
    static AdmissionReview parse(byte[] body) {
        if (!(parsed(body) instanceof ObjectNode review)) {
            throw malformed("the body is no JSON object; POST an AdmissionReview");
        }
        return of(review);
    }

    /** The same of a tree. */
    static AdmissionReview of(ObjectNode review) {
        ObjectNode request = object(review, "request");
        if (request == null) {
            throw malformed("the review has no request; POST an AdmissionReview");
        }
        ObjectNode resource = object(request, "resource");
        ObjectNode userInfo = object(request, "userInfo");
        if (resource == null) {
            throw malformed("the request has no resource");
        }
        if (userInfo == null) {
            throw malformed("the request has no userInfo");
        }
        ObjectNode newBody = object(request, "object");
        ObjectNode oldBody = object(request, "oldObject");
        if (newBody == null && oldBody == null) {
            throw malformed("the request has neither an object nor an oldObject");
        }
        return new AdmissionReview(
                text(review, "apiVersion", "admission.k8s.io/v1"),
                text(review, "kind", "AdmissionReview"),
                text(request, "uid", ""),
                text(resource, "group", ""),
                text(resource, "version", ""),
                text(resource, "resource", ""),
                text(request, "subResource", ""),
                operation(request),
                request.path("dryRun").asBoolean(false),
                userInfo,
                newBody,
                oldBody,
                request);
    }

    /** The object that it is about: as it would become, or as it is if it is to be deleted. */
    ObjectNode body() {
        return newBody == null ? Objects.requireNonNull(oldBody) : newBody;
    }

    private static @Nullable JsonNode parsed(byte[] body) {
        try {
            return Json.parse(body);
        } catch (JsonConversionException e) {
            throw malformed("the body is no JSON: " + e.getMessage());
        }
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
