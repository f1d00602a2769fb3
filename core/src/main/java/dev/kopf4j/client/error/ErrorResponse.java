package dev.kopf4j.client.error;

import java.time.Duration;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/** An answer with an error status, and what it was an answer to. */
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

    /** As seconds, fractions cut off; a date (allowed by HTTP, never sent by Kubernetes) is no hint. */
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
        if (status == 403) {
            text.append("; the missing permission: ").append(requestDescription.permission());
        }
        return text.toString();
    }
}
