package dev.kopf4j.devcluster.status;

import dev.kopf4j.devcluster.json.Json;
import java.io.Serial;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Collectors;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** A request that is refused: carries the {@code Status} that the client gets. */
public final class ApiException extends RuntimeException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final transient ObjectNode status;
    private final int code;

    private ApiException(int code, String message, ObjectNode status) {
        super(message, null, false, false);
        this.code = code;
        this.status = status;
    }

    /** The HTTP status. */
    public int code() {
        return code;
    }

    /** The body of the response. */
    public ObjectNode status() {
        return status;
    }

    /** A failure with a reason (empty: none) and details (empty object: shown as such; none: left out). */
    public static ApiException of(int code, String reason, String message, ObjectNode details, boolean showDetails) {
        ObjectNode status = statusOf("Failure").put("message", message);
        if (!reason.isEmpty()) {
            status.put("reason", reason);
        }
        if (showDetails) {
            status.set("details", details);
        }
        status.put("code", code);
        return new ApiException(code, message, status);
    }

    /** A {@code Status} that says how a request went, and nothing more. */
    public static ObjectNode statusOf(String outcome) {
        ObjectNode status = Json.object().put("kind", "Status").put("apiVersion", "v1");
        status.putObject("metadata");
        return status.put("status", outcome);
    }

    private static ApiException about(int code, String reason, String message, StatusDetails statusDetails) {
        return of(code, reason, message, statusDetails.details(), true);
    }

    /** 400 without details. */
    public static ApiException badRequest(String message) {
        return of(400, "BadRequest", message, Json.object(), false);
    }

    /** 404 about an object. */
    public static ApiException notFound(StatusDetails statusDetails) {
        return about(404, "NotFound", statusDetails + " not found", statusDetails);
    }

    /** 404 about a path of a built-in group. */
    public static ApiException noSuchResource() {
        return of(404, "NotFound", "the server could not find the requested resource", Json.object(), true);
    }

    /** 405 about a path of a built-in group. */
    public static ApiException methodNotAllowed() {
        return of(
                405,
                "MethodNotAllowed",
                "the server does not allow this method on the requested resource",
                Json.object(),
                true);
    }

    /** 405 about a verb that a resource does not have. */
    public static ApiException verbNotSupported(String verb, StatusDetails statusDetails) {
        return about(
                405,
                "MethodNotAllowed",
                verb + " is not supported on resources of kind " + FieldError.quote(statusDetails.qualified()),
                statusDetails.unnamed());
    }

    /** 405 about a verb that a resource does not have for now. */
    public static ApiException verbNotAllowed(String message, StatusDetails statusDetails) {
        return about(405, "MethodNotAllowed", message, statusDetails);
    }

    /** 409: the name is taken. */
    public static ApiException alreadyExists(StatusDetails statusDetails, boolean beingDeleted) {
        String prefix = beingDeleted ? "object is being deleted: " : "";
        return about(409, "AlreadyExists", prefix + statusDetails + " already exists", statusDetails);
    }

    /** 409: a precondition does not hold. */
    public static ApiException conflict(StatusDetails statusDetails, String detail) {
        return about(
                409, "Conflict", "Operation cannot be fulfilled on " + statusDetails + ": " + detail, statusDetails);
    }

    /** 409: another write came between. */
    public static ApiException modified(StatusDetails statusDetails) {
        return conflict(
                statusDetails,
                "the object has been modified; please apply your changes to the latest version and try again");
    }

    /** 403 with optional causes. */
    public static ApiException forbidden(
            StatusDetails statusDetails, String detail, List<FieldError> causes, String causeReason) {
        ObjectNode details = statusDetails.details();
        if (!causes.isEmpty()) {
            addCauses(details, causes, each -> causeReason);
        }
        String what = statusDetails.name().isEmpty() ? statusDetails.qualified() : statusDetails.toString();
        return of(403, "Forbidden", what + " is forbidden: " + detail, details, true);
    }

    private static void addCauses(ObjectNode details, List<FieldError> causes, Function<FieldError, String> reason) {
        ArrayNode array = details.putArray("causes");
        for (FieldError cause : causes) {
            array.addObject()
                    .put("reason", reason.apply(cause))
                    .put("message", cause.message())
                    .put("field", cause.field());
        }
    }

    /** 422 with all errors. */
    public static ApiException invalid(StatusDetails statusDetails, List<FieldError> causes) {
        ObjectNode details = statusDetails.details();
        addCauses(details, causes, each -> each.type().reason());
        List<String> words = causes.stream()
                .map(fieldError -> fieldError.field() + ": " + fieldError.message())
                .distinct()
                .toList();
        String told = words.size() == 1 ? words.getFirst() : words.stream().collect(Collectors.joining(", ", "[", "]"));
        return of(422, "Invalid", statusDetails.forInvalid() + " is invalid: " + told, details, true);
    }

    /** 422 for a JSON patch that cannot be applied: without a reason. */
    public static ApiException unprocessable() {
        return of(
                422, "Invalid", "the server rejected our request due to an error in our request", Json.object(), true);
    }

    /** 415 with the accepted media types. */
    public static ApiException unsupportedMediaType(Iterable<String> accepted) {
        return of(
                415,
                "UnsupportedMediaType",
                "the body of the request was in an unknown format - accepted media types include: "
                        + String.join(", ", accepted),
                Json.object(),
                false);
    }

    /** 406 for an Accept header that cannot be met. */
    public static ApiException notAcceptable(String message) {
        return of(406, "NotAcceptable", message, Json.object(), false);
    }

    /** 410: the version is too old. */
    public static ApiException expired(String message) {
        return of(410, "Expired", message, Json.object(), false);
    }

    /** 410: the page before is too old, but the list may go on at what there is now. */
    public static ApiException expired(String message, String token) {
        ApiException expired = expired(message);
        Json.child(expired.status, "metadata").put("continue", token);
        return expired;
    }

    /** 413 for a body beyond the limit. */
    public static ApiException tooLarge(String message) {
        return of(413, "RequestEntityTooLarge", message, Json.object(), false);
    }

    /** 504: a version that does not exist yet. */
    public static ApiException versionTooLarge(String wanted, long current) {
        ObjectNode details = Json.object();
        details.putArray("causes")
                .addObject()
                .put("reason", "ResourceVersionTooLarge")
                .put("message", "Too large resource version");
        details.put("retryAfterSeconds", 1);
        return of(
                504,
                "Timeout",
                "Timeout: Too large resource version: " + wanted + ", current: " + current,
                details,
                true);
    }

    /** 504: other writes came between for as long as a request may take. */
    public static ApiException timeout() {
        return of(
                504,
                "Timeout",
                "Timeout: request did not complete within requested timeout - context deadline exceeded",
                Json.object(),
                true);
    }

    /** 500 without a reason, as Kubernetes answers some client errors. */
    public static ApiException plain500(String message) {
        return of(500, "", message, Json.object(), false);
    }

    /** 500 with a reason. */
    public static ApiException internal(String message) {
        ObjectNode details = Json.object();
        details.putArray("causes").addObject().put("message", message);
        return of(500, "InternalError", "Internal error occurred: " + message, details, true);
    }
}
