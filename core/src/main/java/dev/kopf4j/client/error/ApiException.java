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
    private final transient ErrorBody body;
    private final @Nullable Duration retryAfter;

    ApiException(Refusal refusal) {
        super(refusal.message());
        this.status = refusal.status();
        this.body = refusal.body();
        this.retryAfter = refusal.retryAfter();
    }

    /**
     * The exception that fits the status of an answer.
     *
     * @param body what the server has answered; of it, only what is fit to be told is kept
     * @param retryAfter the header {@code Retry-After}; null if there was none
     */
    public static ApiException of(Target target, String server, int status, byte[] body, @Nullable String retryAfter) {
        return of(Refusal.of(target, server, status, body, retryAfter));
    }

    /** The exception that fits a {@code Status} object that has come within a stream. */
    public static ApiException ofStatus(Target target, int code, JsonNode status) {
        return of(new Refusal(target, "the API server", code, ErrorBody.of(status), null));
    }

    private static ApiException of(Refusal refusal) {
        return switch (refusal.status()) {
            case 401 -> new UnauthorizedException(refusal);
            case 403 -> new ForbiddenException(refusal);
            case 404 -> new NotFoundException(refusal);
            case 409 -> new ConflictException(refusal);
            case 410 -> new GoneException(refusal);
            case 422 -> new UnprocessableException(refusal);
            case 429 -> new TooManyRequestsException(refusal);
            default -> refusal.status() >= 500 ? new ServerErrorException(refusal) : new ApiException(refusal);
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

    /** What the server said; shortened, and empty if it may hold secrets. */
    public String serverMessage() {
        return body.message();
    }

    /** The server's details as JSON; null if it gave none. */
    public @Nullable JsonNode details() {
        return body.details();
    }

    /** How long the server asks to wait before the next attempt. */
    public Optional<Duration> retryAfter() {
        return Optional.ofNullable(retryAfter);
    }
}
