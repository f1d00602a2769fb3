package dev.kopf4j.devcluster.faultinjection;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.TaskScheduler;
import dev.kopf4j.devcluster.api.WatchStream;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;

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
                    return FailureResponses.refusal(status, retryAfter).after(delay);
                }
                case Fault.Reset(boolean done) -> {
                    if (done) {
                        discard(server.apply(request));
                    }
                    return FailureResponses.brokenConnection().after(delay);
                }
                case Fault.Expiry _ -> {
                    if (!request.isWatch()) {
                        return FailureResponses.expired().after(delay);
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
}
