package dev.kopf4j.testing.simulation;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.SimulatedPlatform;
import dev.kopf4j.testing.recording.Recording;
import dev.kopf4j.virtual.SimulatedNetwork;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/** The network between operators and their server: with delays, and with the faults that were laid. Confined. */
final class FaultyNetwork implements SimulatedNetwork {
    private static final int DELAY_MILLIS = 15;

    private final Function<ApiRequest, ApiResponse> server;
    private final Recording recording;
    private final RequestListener requestListener;
    private final ObjectReplacement replacement;
    private final List<LaidFault> laid = new ArrayList<>();
    private final List<OpenWatch> watches = new ArrayList<>();
    private final Map<SimulatedPlatform, Deadline> cutOff = new HashMap<>();

    private record OpenWatch(SimulatedPlatform client, ControlledWatch watch) {}

    /** Hears of what operators ask for. */
    interface RequestListener {
        void carriedOut(SimulatedPlatform client, ApiRequest request, ApiResponse response);
    }

    FaultyNetwork(
            Function<ApiRequest, ApiResponse> server,
            Recording recording,
            RequestListener requestListener,
            ObjectReplacement replacement) {
        this.replacement = replacement;
        this.server = server;
        this.recording = recording;
        this.requestListener = requestListener;
    }

    private static final class LaidFault {
        private final RequestFault fault;
        private int left;

        LaidFault(RequestFault fault, int left) {
            this.fault = fault;
            this.left = left;
        }

        boolean hits(ApiRequest request) {
            return fault.isOf(request.method()) && --left == 0;
        }
    }

    /** Lays a fault for the request of that number from now. */
    void lay(RequestFault fault, int number) {
        laid.add(new LaidFault(fault, number));
    }

    /** All will be well from now on. */
    void clear() {
        laid.clear();
        cutOff.clear();
    }

    /** Nothing gets through between that machine and the server for so long; its watches are silent for good. */
    void cutOff(SimulatedPlatform client, Duration time) {
        cutOff.put(client, client.after(time));
        watches.stream()
                .filter(each -> each.client().equals(client))
                .forEach(each -> each.watch().fallSilent());
        watches.removeIf(each -> each.client().equals(client));
    }

    void breakWatches() {
        List<OpenWatch> broken = List.copyOf(watches);
        watches.clear();
        broken.forEach(each -> each.watch().breakUp());
    }

    void silenceWatches() {
        watches.forEach(each -> each.watch().fallSilent());
        watches.clear();
    }

    @Override
    public ApiResponse exchange(SimulatedPlatform client, ApiRequest request) throws IOException, InterruptedException {
        travelThere(client);
        Optional<RequestFault> fault = draw(request);
        fault.ifPresent(each -> recording.noted("fault", each.words() + " " + request.method() + " " + request.path()));
        if (fault.isPresent() && fault.get().status() > 0) {
            return refusal(fault.get().status());
        }
        if (fault.isPresent() && fault.get() == RequestFault.REPLACED) {
            replacement.before(request);
        }
        hit(fault, RequestFault.KILL_BEFORE, RequestFault.LOST_REQUEST, client);
        ApiResponse response = controlled(client, server.apply(request));
        requestListener.carriedOut(client, request, response);
        hit(fault, RequestFault.KILL_AFTER, RequestFault.LOST_RESPONSE, client);
        client.sleep(delay(client));
        endIfCutOff(client);
        return response;
    }

    /** What a process has not sent yet when it is suspended never arrives: nobody could keep it from arriving late. */
    private void travelThere(SimulatedPlatform client) throws IOException, InterruptedException {
        int suspensions = client.suspensions();
        client.sleep(delay(client));
        if (client.suspensions() > suspensions) {
            throw new IOException("connection reset");
        }
        endIfCutOff(client);
    }

    /** Nothing comes until the connection is there again, and has forgotten what was sent. */
    private void endIfCutOff(SimulatedPlatform client) throws IOException, InterruptedException {
        Deadline end = cutOff.get(client);
        if (end != null && !end.hasPassed(client)) {
            var _ = client.monitor().awaitTrue(() -> !cutOff.containsKey(client), end);
            throw new IOException("connection reset");
        }
    }

    private static void hit(
            Optional<RequestFault> fault, RequestFault kill, RequestFault loss, SimulatedPlatform client)
            throws IOException, InterruptedException {
        if (fault.isPresent() && fault.get() == kill) {
            client.kill();
            client.sleep(Duration.ZERO); // the task ends here
        }
        if (fault.isPresent() && fault.get() == loss) {
            throw new IOException("connection reset");
        }
    }

    private static Duration delay(SimulatedPlatform client) {
        return Duration.ofMillis(client.random().nextInt(DELAY_MILLIS));
    }

    private Optional<RequestFault> draw(ApiRequest request) {
        List<LaidFault> hits = laid.stream().filter(each -> each.hits(request)).toList();
        laid.removeAll(hits);
        return hits.stream().findFirst().map(each -> each.fault);
    }

    private ApiResponse controlled(SimulatedPlatform client, ApiResponse response) {
        if (!(response.body() instanceof ApiResponse.Events(var stream))) {
            return response;
        }
        ControlledWatch watch = new ControlledWatch(stream);
        watches.add(new OpenWatch(client, watch));
        return new ApiResponse(
                response.status(),
                response.contentType(),
                response.headers(),
                new ApiResponse.Events(watch),
                response.delay());
    }

    private static ApiResponse refusal(int status) {
        String reason = switch (status) {
            case 409 -> "Conflict";
            case 429 -> "TooManyRequests";
            case 503 -> "ServiceUnavailable";
            default -> "InternalError";
        };
        String body = """
                {"kind":"Status","apiVersion":"v1","status":"Failure","message":"a fault of the simulation",\
                "reason":"%s","code":%s}""".formatted(reason, status);
        return ApiResponse.whole(status, "application/json", body.getBytes(StandardCharsets.UTF_8));
    }
}
