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

/** Injects faults into the responses of a server. Thread-safe if the server is. */
final class FaultInjector implements Function<ApiRequest, ApiResponse> {
    private final Faults faults;
    private final TaskScheduler taskScheduler;
    private final Function<ApiRequest, ApiResponse> server;

    FaultInjector(Faults faults, TaskScheduler taskScheduler, Function<ApiRequest, ApiResponse> server) {
        this.faults = faults;
        this.taskScheduler = taskScheduler;
        this.server = server;
    }

    @Override
    public ApiResponse apply(ApiRequest request) {
        List<Fault> drawn = faults.draw(request);
        return drawn.isEmpty() ? server.apply(request) : respond(request, drawn);
    }

    /** Answers the request. Latencies add up; the first fault that replaces the usual answer ends the search. */
    private ApiResponse respond(ApiRequest request, List<Fault> drawn) {
        Duration delay = Duration.ZERO;
        for (Fault fault : drawn) {
            switch (fault) {
                case Fault.Latency(Duration least, Duration most) ->
                    delay = delay.plus(faults.randomDuration(least, most));
                case Fault.Refusal(int status, Duration retryAfter) -> {
                    return refusal(status, retryAfter).after(delay);
                }
                case Fault.Reset(boolean done) -> {
                    if (done) {
                        discard(server.apply(request));
                    }
                    return brokenConnection().after(delay);
                }
                case Fault.Expiry _ -> {
                    if (!request.isWatch()) {
                        return expired().after(delay);
                    }
                }
                case Fault.Silence _, Fault.Stall _, Fault.Duplicates _, Fault.Delays _ -> {}
            }
        }
        return withFaultyWatch(server.apply(request), drawn).after(delay);
    }

    private ApiResponse withFaultyWatch(ApiResponse response, List<Fault> drawn) {
        if (response.body() instanceof ApiResponse.Events(WatchStream stream)) {
            WatchStream faulty = new FaultyWatchStream(stream, drawn, taskScheduler, faults.newRandom());
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

    private static ApiResponse brokenConnection() {
        return new ApiResponse(500, "text/plain", List.of(), new ApiResponse.Broken());
    }

    private static ApiResponse expired() {
        return ResponseFactory.failure(ApiException.expired("The provided continue parameter is too old."), List.of());
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
