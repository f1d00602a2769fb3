package dev.kopf4j.devcluster.faultinjection;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.TaskScheduler;
import dev.kopf4j.devcluster.api.WatchStream;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.response.ResponseFactory;
import dev.kopf4j.devcluster.status.ApiException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;
import tools.jackson.databind.node.ObjectNode;

/** The faults of one request, carried out. */
public final class FaultInjector {
    private final Faults faults;
    private final List<Fault> befalling;
    private final TaskScheduler taskScheduler;

    public FaultInjector(Faults faults, List<Fault> befalling, TaskScheduler taskScheduler) {
        this.faults = faults;
        this.befalling = befalling;
        this.taskScheduler = taskScheduler;
    }

    /** The answer; the first fault that keeps it from being as usual counts, and latencies add up. */
    public ApiResponse answer(ApiRequest request, Function<ApiRequest, ApiResponse> usual) {
        Duration delay = Duration.ZERO;
        for (Fault fault : befalling) {
            switch (fault) {
                case Fault.Latency(Duration least, Duration most) ->
                    delay = delay.plus(faults.randomDuration(least, most));
                case Fault.Refusal(int status, Duration retryAfter) -> {
                    return refusal(status, retryAfter).after(delay);
                }
                case Fault.Reset(boolean done) -> {
                    if (done) {
                        discard(usual.apply(request));
                    }
                    return broken().after(delay);
                }
                case Fault.Expiry _ -> {
                    if (!request.isWatch()) {
                        return ResponseFactory.failure(
                                        ApiException.expired("The provided continue parameter is too old."), List.of())
                                .after(delay);
                    }
                }
                case Fault.Silence _, Fault.Stall _, Fault.Duplicates _, Fault.Delays _ -> {}
            }
        }
        return faulty(usual.apply(request)).after(delay);
    }

    private ApiResponse faulty(ApiResponse response) {
        if (response.body() instanceof ApiResponse.Events(WatchStream stream)) {
            WatchStream faulty = new FaultyWatchStream(stream, befalling, taskScheduler, faults.newRandom());
            return new ApiResponse(
                    response.status(), response.contentType(), response.headers(), new ApiResponse.Events(faulty));
        }
        return response;
    }

    private static void discard(ApiResponse response) {
        if (response.body() instanceof ApiResponse.Events(WatchStream stream)) {
            stream.close();
        }
    }

    private static ApiResponse broken() {
        return new ApiResponse(500, "text/plain", List.of(), new ApiResponse.Broken());
    }

    private static ApiResponse refusal(int status, Duration retryAfter) {
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
