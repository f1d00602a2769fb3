package dev.kopf4j.devcluster.faultinjection;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.TaskScheduler;
import dev.kopf4j.devcluster.api.WatchStream;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.resource.ResourcePath;
import dev.kopf4j.devcluster.response.ResponseFactory;
import dev.kopf4j.devcluster.status.ApiException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;
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
                    if (isList(request)) {
                        return expired().after(delay);
                    }
                }
                case Fault.Silence _, Fault.Stall _, Fault.Duplicates _, Fault.Delays _ -> {}
            }
        }
        return withFaultyWatch(server.apply(request), drawn).after(delay);
    }

    /** Whether a request reads a collection, and does not watch it. */
    private static boolean isList(ApiRequest request) {
        if (!request.method().equals("GET") || request.isWatch()) {
            return false;
        }
        List<String> parts = List.of(request.path().substring(1).split("/", -1));
        int version = parts.getFirst().equals("api") ? 2 : 3;
        return List.of("api", "apis").contains(parts.getFirst())
                && parts.size() > version
                && !parts.getLast().isEmpty()
                && ResourcePath.of(parts.subList(version, parts.size())).name().isEmpty();
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
                ApiException.of(status, reason(status), Faults.WORDS + ": " + reason(status), details, true);
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

    /** Injects faults into a watch. */
    private static final class FaultyWatchStream implements WatchStream {
        private final WatchStream inner;
        private final RandomGenerator random;
        private final UnaryOperator<byte[]> duplication;
        private final Duration delay;
        private final WatchTimers timers;
        private volatile boolean silent;
        private volatile boolean stalled;
        private volatile boolean expired;
        private volatile boolean closed;
        private boolean waiting;
        private byte[] held = {};

        /** A watch with these faults, whose times begin now. */
        FaultyWatchStream(WatchStream inner, List<Fault> faults, TaskScheduler taskScheduler, RandomGenerator random) {
            this.inner = inner;
            this.random = random;
            this.timers = new WatchTimers(taskScheduler);
            UnaryOperator<byte[]> eachOnce = UnaryOperator.identity();
            Duration longest = Duration.ZERO;
            for (Fault fault : faults) {
                switch (fault) {
                    case Fault.Silence(Duration after) -> timers.after(after, () -> silent = true);
                    case Fault.Stall(Duration after, Duration time) -> {
                        timers.after(after, () -> stalled = true);
                        timers.after(after.plus(time), () -> stalled = false);
                    }
                    case Fault.Expiry(Duration after) -> timers.after(after, () -> expired = true);
                    case Fault.Delays(Duration most) -> longest = most;
                    case Fault.Duplicates _ -> eachOnce = new EventDuplicator(random)::repeatSome;
                    case Fault.Latency _, Fault.Refusal _, Fault.Reset _ -> {}
                }
            }
            this.duplication = eachOnce;
            this.delay = longest;
        }

        @Override
        public void onSignal(Runnable signal) {
            timers.onSignal(signal);
            inner.onSignal(signal);
        }

        @Override
        public synchronized Optional<byte[]> take() {
            if (closed || stalled) {
                return Optional.empty();
            }
            if (silent) {
                discard();
                return Optional.empty();
            }
            if (expired) {
                close();
                return Optional.of(expiry());
            }
            return delay.isZero() ? inner.take().map(duplication) : delayed();
        }

        private void discard() {
            Optional<byte[]> lost = inner.take();
            while (lost.isPresent()) {
                lost = inner.take();
            }
        }

        private static byte[] expiry() {
            String status = Json.text(ApiException.expired("The resourceVersion for the provided watch is too old.")
                    .status());
            return ("{\"type\":\"ERROR\",\"object\":" + status + "}\n").getBytes(StandardCharsets.UTF_8);
        }

        /** Delays each portion; later portions wait behind it. */
        private Optional<byte[]> delayed() {
            if (waiting) {
                return Optional.empty();
            }
            if (held.length > 0) {
                byte[] lines = held;
                held = new byte[0];
                return Optional.of(duplication.apply(lines));
            }
            Optional<byte[]> next = inner.take();
            if (next.isPresent()) {
                held = next.get();
                waiting = true;
                timers.after(Duration.ofNanos(1 + random.nextLong(delay.toNanos())), this::release);
            }
            return Optional.empty();
        }

        private synchronized void release() {
            waiting = false;
        }

        @Override
        public synchronized boolean ended() {
            if (closed) {
                return true;
            }
            return !silent && !stalled && !waiting && held.length == 0 && inner.ended();
        }

        @Override
        public void close() {
            closed = true;
            inner.close();
            timers.close();
        }

        /** Repeats half of the events of a watch, at random. Used by the watch's reader only. */
        private static final class EventDuplicator {
            private final RandomGenerator random;

            EventDuplicator(RandomGenerator random) {
                this.random = random;
            }

            /** Some of the lines twice, one right after the other. */
            byte[] repeatSome(byte[] lines) {
                ByteArrayOutputStream out = new ByteArrayOutputStream(lines.length * 2);
                int start = 0;
                for (int at = 0; at < lines.length; at++) {
                    if (lines[at] == '\n') {
                        int times = random.nextBoolean() ? 2 : 1;
                        for (int count = 0; count < times; count++) {
                            out.write(lines, start, at + 1 - start);
                        }
                        start = at + 1;
                    }
                }
                return out.toByteArray();
            }
        }

        /** Changes one watch after some time, and then signals its reader. Thread-safe. */
        private static final class WatchTimers implements AutoCloseable {
            private final TaskScheduler taskScheduler;
            private final List<TaskScheduler.Timer> timers = new ArrayList<>();
            private volatile Runnable signal = () -> {};

            WatchTimers(TaskScheduler taskScheduler) {
                this.taskScheduler = taskScheduler;
            }

            void onSignal(Runnable newSignal) {
                signal = newSignal;
            }

            /** Makes a change after a time; if the time is zero, at once and without a signal. */
            void after(Duration time, Runnable change) {
                if (time.isZero()) {
                    change.run();
                    return;
                }
                synchronized (timers) {
                    timers.add(taskScheduler.later(time, () -> {
                        change.run();
                        signal.run();
                    }));
                }
            }

            @Override
            public void close() {
                synchronized (timers) {
                    timers.forEach(TaskScheduler.Timer::cancel);
                    timers.clear();
                }
            }
        }
    }
}
