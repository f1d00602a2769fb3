package dev.kopf4j.client.error;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

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
        return seconds == null || !seconds.isNumber()
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
            text.append(": ").append(body.message());
        }
        if (status == 403 && !body.message().contains("because it is being terminated")) {
            text.append("; the missing permission: ").append(requestDescription.permission());
        }
        return text.toString();
    }
}
