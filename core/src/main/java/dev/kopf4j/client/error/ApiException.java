package dev.kopf4j.client.error;

import dev.kopf4j.client.error.ApiException.ErrorResponse;
import dev.kopf4j.json.Json;
import dev.kopf4j.json.JsonConversionException;
import java.io.Serial;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** The API server has refused a request. The message names the verb, the resource, the object, and the server. */
public class ApiException extends ClientException {
    @Serial
    private static final long serialVersionUID = 1L;

    private final int status;
    private final transient RedactedErrorBody body;
    private final @Nullable Duration retryAfter;

    ApiException(ErrorResponse errorResponse) {
        super(errorResponse.message());
        this.status = errorResponse.status();
        this.body = errorResponse.body();
        this.retryAfter = errorResponse.retryAfter();
    }

    /**
     * Makes the exception for the status of a response.
     *
     * @param body the body of the response; only what cannot hold secrets is kept
     * @param retryAfter the header {@code Retry-After}; null if there was none
     */
    public static ApiException of(
            RequestDescription requestDescription,
            String server,
            int status,
            byte[] body,
            @Nullable String retryAfter) {
        return of(ErrorResponse.of(requestDescription, server, status, body, retryAfter));
    }

    /** Makes the exception for the {@code Status} object of an {@code ERROR} event. */
    public static ApiException ofStatus(RequestDescription requestDescription, int code, JsonNode status) {
        return of(new ErrorResponse(requestDescription, "the API server", code, RedactedErrorBody.of(status), null));
    }

    private static ApiException of(ErrorResponse errorResponse) {
        return switch (errorResponse.status()) {
            case 401 -> new UnauthorizedException(errorResponse);
            case 403 -> new ForbiddenException(errorResponse);
            case 404 -> new NotFoundException(errorResponse);
            case 409 -> new ConflictException(errorResponse);
            case 410 -> new GoneException(errorResponse);
            case 422 -> new UnprocessableException(errorResponse);
            case 429 -> new TooManyRequestsException(errorResponse);
            default ->
                errorResponse.status() >= 500
                        ? new ServerErrorException(errorResponse)
                        : new ApiException(errorResponse);
        };
    }

    /** The HTTP status. */
    public int status() {
        return status;
    }

    /** The machine-readable reason, such as {@code AlreadyExists}; empty if the server gave none. */
    public String reason() {
        return body.reason();
    }

    /**
     * The server's message in full, to be judged; empty if it may hold secrets. Names alone may have hundreds of
     * letters, so that what is shown of it may end before what matters.
     */
    public String serverMessage() {
        return body.message();
    }

    /** The server's details as JSON; null if it gave none. */
    public @Nullable JsonNode details() {
        return body.details();
    }

    /**
     * True if the server makes nothing new in the namespace because it is being deleted, or is gone. No permission
     * lacks then, and no attempt will succeed.
     *
     * @see <a href="https://kubernetes.io/docs/concepts/overview/working-with-objects/namespaces/">namespaces</a>
     */
    public boolean isNamespaceEnding() {
        JsonNode known = details();
        return hasCause("reason", "NamespaceTerminating")
                ? status == 403
                : status == 404
                        && known != null
                        && known.path("kind").asString("").equals("namespaces");
    }

    /**
     * True if the server does not know of such a new version: it has gone back, or is behind others for a moment.
     *
     * @see <a href="https://kubernetes.io/docs/reference/using-api/api-concepts/#unavailable-resource-versions">
     *     Unavailable resource versions</a>
     */
    public boolean isAboutFutureVersion() {
        return hasCause("reason", "ResourceVersionTooLarge") || serverMessage().contains("Too large resource version");
    }

    private boolean hasCause(String key, String value) {
        JsonNode known = details();
        return known != null
                && known.path("causes")
                        .valueStream()
                        .anyMatch(cause -> cause.path(key).asString("").equals(value));
    }

    /**
     * True if the server has refused the request because the object has another uid than it says: another one has its
     * name by now, or none. Other refusals may name that field, too, as one that something could be taken from.
     */
    public boolean isAboutIdentity() {
        String message = serverMessage();
        return hasCause("field", "metadata.uid")
                || message.contains("metadata.uid: Invalid value")
                || message.contains("uid mismatch")
                || message.contains("Precondition failed: UID");
    }

    /**
     * True if an admission webhook or a validating admission policy has denied the request: no permission lacks, and
     * the same request will be denied again.
     *
     * @see <a href="https://kubernetes.io/docs/reference/access-authn-authz/extensible-admission-controllers/">dynamic
     *     admission control</a>
     */
    public boolean isDenied() {
        return status < 500 && body.tellsDenial();
    }

    /**
     * True if admission has refused the content of the request, whatever the code, or could not be asked about it: that
     * is a trouble of this object, and others may be written.
     */
    public boolean isAboutObject() {
        return body.tellsDenial() || isAboutContent() || isFailedWebhook() || isRefusedApply();
    }

    /**
     * True if server-side apply has refused what it was given: a value of a wrong type, or elements of a list with the
     * same key. Servers answer 500 to that, and will again.
     */
    public boolean isRefusedApply() {
        return status == 500
                && (serverMessage().startsWith("failed to create typed patch object") || isOfVersionThatIsGone());
    }

    /**
     * True if server-side apply has met managed fields in a version that the definition does not have any more: it
     * refuses each apply of the object until somebody empties them.
     *
     * @see <a href="https://github.com/kubernetes/kubernetes/issues/111937">the defect of API servers</a>
     */
    public boolean isOfVersionThatIsGone() {
        return status == 500
                && serverMessage().contains("request to convert CR ")
                && serverMessage().contains(" an invalid group/version: ");
    }

    /**
     * True if no permission lacks, but what is in the request is not permitted: by admission (a quota, the security of
     * pods, an owner that may not be blocked), or because it would give rights away. It may be permitted later.
     */
    public boolean isAboutContent() {
        return status == 403 && body.tellsContent();
    }

    /**
     * True if an admission webhook could not be called, or has failed: the object is written to when that is mended,
     * and others of its kind may be meanwhile.
     */
    public boolean isFailedWebhook() {
        return status >= 500 && serverMessage().contains("failed calling webhook");
    }

    /** True if the object would be larger than the server's storage permits: the same request will be refused again. */
    public boolean isTooLarge() {
        return status == 413
                || (status >= 500
                        && (serverMessage().contains("request is too large")
                                || serverMessage().contains("larger than max")));
    }

    /** How long the server asks to wait before the next attempt. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }

    /** A response with an error status, and the request that it answers. */
    record ErrorResponse(
            RequestDescription requestDescription,
            String server,
            int status,
            RedactedErrorBody body,
            @Nullable Duration retryAfter) {

        static ErrorResponse of(
                RequestDescription requestDescription,
                String server,
                int status,
                byte[] body,
                @Nullable String retryAfterHeader) {
            RedactedErrorBody error = RedactedErrorBody.of(body);
            Duration hint = fromHeader(retryAfterHeader)
                    .or(() -> fromDetails(error.details()))
                    .orElse(null);
            return new ErrorResponse(requestDescription, server, status, error, hint);
        }

        /**
         * Reads seconds, and cuts off fractions. HTTP also allows a date, which Kubernetes never sends: it counts as
         * absent.
         */
        private static Optional<Duration> fromHeader(@Nullable String header) {
            if (header == null || !header.strip().matches("\\d{1,9}(\\.\\d*)?")) {
                return Optional.empty();
            }
            return Optional.of(Duration.ofSeconds((long) Double.parseDouble(header.strip())));
        }

        private static Optional<Duration> fromDetails(@Nullable JsonNode details) {
            JsonNode seconds = details == null ? null : details.get("retryAfterSeconds");
            return seconds == null || !seconds.isNumber() || !seconds.canConvertToInt() || seconds.asLong() < 0
                    ? Optional.empty()
                    : Optional.of(Duration.ofSeconds(seconds.asLong()));
        }

        String message() {
            StringBuilder text =
                    new StringBuilder(requestDescription.describe() + " at " + server + " failed: HTTP " + status);
            if (!body.reason().isEmpty()) {
                text.append(' ').append(body.reason());
            }
            if (!body.message().isEmpty()) {
                text.append(": ").append(RedactedErrorBody.shortened(body.message()));
            }
            boolean permitted = body.message().contains("because it is being terminated")
                    || body.tellsDenial()
                    || body.tellsContent();
            if (status == 403 && !permitted) {
                text.append("; the missing permission: ").append(requestDescription.permission());
            }
            return text.toString();
        }
    }

    /** HTTP 401: the credentials are not valid, or not any more. */
    public static final class UnauthorizedException extends ApiException {
        @Serial
        private static final long serialVersionUID = 1L;

        UnauthorizedException(ErrorResponse errorResponse) {
            super(errorResponse);
        }
    }

    /**
     * HTTP 403: the credentials lack a permission, and the message names the missing RBAC rule; or what is in the
     * request is not permitted.
     */
    public static final class ForbiddenException extends ApiException {
        @Serial
        private static final long serialVersionUID = 1L;

        ForbiddenException(ErrorResponse errorResponse) {
            super(errorResponse);
        }
    }

    /** HTTP 404: there is no such object or resource. */
    public static final class NotFoundException extends ApiException {
        @Serial
        private static final long serialVersionUID = 1L;

        /** What servers say of all objects of a resource that they do not know. */
        private static final String NO_RESOURCE = "the server could not find the requested resource";

        NotFoundException(ErrorResponse errorResponse) {
            super(errorResponse);
        }

        /**
         * True if the server says that there is no object of that name; false for what proxies answer, and servers that
         * do not know the resource, or its subresource.
         */
        public boolean isAbsenceOf(@Nullable String name) {
            JsonNode known = details();
            return reason().equals("NotFound")
                    && (known == null
                            ? !serverMessage().contains(NO_RESOURCE)
                            : known.path("name").asString("").equals(name));
        }
    }

    /** HTTP 409: the object was changed in between, or exists already. */
    public static final class ConflictException extends ApiException {
        @Serial
        private static final long serialVersionUID = 1L;

        ConflictException(ErrorResponse errorResponse) {
            super(errorResponse);
        }
    }

    /**
     * HTTP 410: the requested version or continue token has expired. {@code PagedList} restarts the list;
     * {@code ListAndWatchLoop} lists everything again (see {@code WatchEnding}).
     */
    public static final class GoneException extends ApiException {
        @Serial
        private static final long serialVersionUID = 1L;

        GoneException(ErrorResponse errorResponse) {
            super(errorResponse);
        }
    }

    /** HTTP 422: the object or the patch is invalid. */
    public static final class UnprocessableException extends ApiException {
        @Serial
        private static final long serialVersionUID = 1L;

        UnprocessableException(ErrorResponse errorResponse) {
            super(errorResponse);
        }
    }

    /** HTTP 429: the server is overloaded, or this client sends too fast. */
    public static final class TooManyRequestsException extends ApiException {
        @Serial
        private static final long serialVersionUID = 1L;

        TooManyRequestsException(ErrorResponse errorResponse) {
            super(errorResponse);
        }
    }

    /** HTTP 5xx: the server has failed. */
    public static final class ServerErrorException extends ApiException {
        @Serial
        private static final long serialVersionUID = 1L;

        ServerErrorException(ErrorResponse errorResponse) {
            super(errorResponse);
        }
    }

    /**
     * The part of an error's body that may be logged: the fields of a {@code Status} object, or a short text. Other
     * JSON is dropped, because it may be an object with secrets.
     */
    record RedactedErrorBody(
            String reason, String message, @Nullable JsonNode details) {
        static final RedactedErrorBody NOTHING = new RedactedErrorBody("", "", null);

        private static final Pattern TITLE = Pattern.compile("(?is)<title[^>]*>(.*?)</title>");

        /** Before a patched object that the server cannot decode, and so quotes as a whole. */
        private static final String OBJECT = "patch: Invalid value: \"";

        /**
         * What server-side apply found in a Secret where something of another type belongs, and all that follows: a
         * value may have several lines, and nothing tells where it ends.
         */
        private static final Pattern VALUE_OF_SECRET = Pattern.compile("(?s)(?<=, got )&.*");

        private static final int TEXT_MAX = 256;
        private static final String ELLIPSIS = "...";

        static RedactedErrorBody of(byte[] body) {
            JsonNode json;
            try {
                json = Json.parse(body);
            } catch (JsonConversionException e) {
                return new RedactedErrorBody("", readable(new String(body, StandardCharsets.UTF_8).strip()), null);
            }
            return json.isObject() ? of(json) : NOTHING;
        }

        /** As webhooks are told to have denied a request, and policies. */
        boolean tellsDenial() {
            return message.contains("denied the request") || message.contains(" denied request");
        }

        /** Whom a permission lacks, is named at once: authorizers say {@code is forbidden: User "..." cannot ...}. */
        boolean tellsContent() {
            return reason.equals("Forbidden")
                    && message.contains(" is forbidden: ")
                    && !message.contains(" is forbidden: User \"");
        }

        private static String readable(String text) {
            if (!text.startsWith("<")) {
                return shortened(text);
            }
            Matcher title = TITLE.matcher(text);
            return "an HTML page"
                    + (title.find() ? " '" + shortened(title.group(1).strip()) + "'" : "")
                    + ", so that this is no Kubernetes API server, or something stands in between";
        }

        static RedactedErrorBody of(JsonNode status) {
            return "Status".equals(text(status, "kind"))
                    ? new RedactedErrorBody(
                            text(status, "reason"), withoutContent(text(status, "message")), status.get("details"))
                    : NOTHING;
        }

        /** The object that is quoted may be a Secret, and is longer than what is shown; the reason stands behind it. */
        private static String withoutContent(String message) {
            if (message.contains(", Kind=Secret): ")) {
                return VALUE_OF_SECRET.matcher(message).replaceAll("something else");
            }
            int quoted = message.indexOf(OBJECT + "{");
            if (quoted < 0) {
                return message;
            }
            int start = quoted + OBJECT.length();
            int end = start;
            while (end < message.length() && message.charAt(end) != '"') {
                end += message.charAt(end) == '\\' ? 2 : 1;
            }
            return message.substring(0, start) + "{...}" + (end < message.length() ? message.substring(end) : "");
        }

        private static String text(JsonNode object, String field) {
            JsonNode value = object.get(field);
            return value != null && value.isString() ? value.stringValue() : "";
        }

        private static String shortened(String text) {
            if (text.codePointCount(0, text.length()) <= TEXT_MAX) {
                return text;
            }
            return text.substring(0, text.offsetByCodePoints(0, TEXT_MAX - ELLIPSIS.length())) + ELLIPSIS;
        }
    }
}
