package dev.kopf4j.devcluster.faultinjection;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.response.ResponseFactory;
import dev.kopf4j.devcluster.status.ApiException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.node.ObjectNode;

/** The responses that faults put in the place of the usual one. Pure. */
final class FailureResponses {
    private FailureResponses() {}

    static ApiResponse brokenConnection() {
        return new ApiResponse(500, "text/plain", List.of(), new ApiResponse.Broken());
    }

    static ApiResponse expired() {
        return ResponseFactory.failure(ApiException.expired("The provided continue parameter is too old."), List.of());
    }

    static ApiResponse refusal(int status, Duration retryAfter) {
        ObjectNode details = Json.object();
        List<ApiResponse.Header> headers = new ArrayList<>();
        if (retryAfter.isPositive()) {
            long seconds = Math.max(1, retryAfter.toSeconds());
            details.put("retryAfterSeconds", seconds);
            headers.add(new ApiResponse.Header("Retry-After", Long.toString(seconds)));
        }
        ApiException failure =
                ApiException.of(status, reason(status), "a fault on demand: " + reason(status), details, true);
        ApiResponse response = ResponseFactory.failure(failure, List.of());
        return new ApiResponse(status, response.contentType(), headers, response.body());
    }

    private static String reason(int status) {
        return switch (status) {
            case 401 -> "Unauthorized";
            case 403 -> "Forbidden";
            case 404 -> "NotFound";
            case 409 -> "Conflict";
            case 410 -> "Expired";
            case 422 -> "Invalid";
            case 429 -> "TooManyRequests";
            case 500 -> "InternalError";
            case 503 -> "ServiceUnavailable";
            case 504 -> "Timeout";
            default -> status < 500 ? "BadRequest" : "InternalError";
        };
    }
}
