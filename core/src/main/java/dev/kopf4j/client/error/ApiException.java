package dev.kopf4j.client.error;

import java.io.Serial;
import java.time.Duration;
import java.util.Optional;
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

    /** The server's message, shortened; empty if it may hold secrets. */
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
        if (known == null) {
            return false;
        }
        for (JsonNode cause : known.path("causes")) {
            if (cause.path("reason").asString("").equals("NamespaceTerminating")) {
                return status == 403;
            }
        }
        return status == 404 && known.path("kind").asString("").equals("namespaces");
    }

    /** How long the server asks to wait before the next attempt. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
