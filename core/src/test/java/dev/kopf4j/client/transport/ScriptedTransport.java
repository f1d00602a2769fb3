package dev.kopf4j.client.transport;

import dev.kopf4j.client.transport.Transport.ClosedTransportException;
import dev.kopf4j.json.Json;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * A transport whose answers are written in the test: a function answers requests and lists, the test feeds watches.
 * Waits only by the platform, so that it works in simulated time.
 */
public final class ScriptedTransport implements Transport {
    /** Answers a request; may throw what a connection throws, and may wait. */
    public interface Script {
        TransportResponse answer(TransportRequest transportRequest) throws IOException, InterruptedException;
    }

    private final Platform platform;
    private Script script = transportRequest -> status(404, "NotFound", "not scripted: " + transportRequest);
    private Script watchHead = transportRequest -> json(200, "");
    private final List<TransportRequest> calls = new ArrayList<>();
    private final Queue<PushedResponseStream> watches = new ArrayDeque<>();
    private int watchCount;
    private @Nullable String silentAt;
    private boolean endless;
    private boolean closed;
    private boolean retired;

    public ScriptedTransport(Platform platform) {
        this.platform = platform;
    }

    /** How requests and lists are answered. */
    public ScriptedTransport answering(Script newScript) {
        script = newScript;
        return this;
    }

    /** How the head of a watch is answered; statuses from 300 end it with the body, others open a stream. */
    public ScriptedTransport answeringWatches(Script newScript) {
        watchHead = newScript;
        return this;
    }

    /** Requests of this path are not answered before their deadlines. */
    public ScriptedTransport silentAt(String path) {
        silentAt = path;
        return this;
    }

    /** The bodies of lists come, but not their ends. */
    public ScriptedTransport leavingListsOpen() {
        endless = true;
        return this;
    }

    /** All requests so far, watches included. */
    public List<TransportRequest> calls() {
        return List.copyOf(calls);
    }

    /** All requests so far as text. */
    public List<String> requests() {
        return calls.stream().map(TransportRequest::toString).toList();
    }

    /** How many watches were opened. */
    public int watchCount() {
        return watchCount;
    }

    /** The oldest watch that was opened and not taken yet. */
    public PushedResponseStream takeWatch() {
        return Optional.ofNullable(watches.poll()).orElseThrow(() -> new AssertionError("no watch was opened"));
    }

    /** The latest watch that was opened. */
    public PushedResponseStream lastWatch() {
        PushedResponseStream last = takeWatch();
        while (!watches.isEmpty()) {
            last = takeWatch();
        }
        return last;
    }

    public boolean isClosed() {
        return closed;
    }

    public boolean isRetired() {
        return retired;
    }

    @Override
    public TransportResponse send(TransportRequest transportRequest, Deadline deadline)
            throws IOException, InterruptedException {
        begin(transportRequest, deadline);
        return script.answer(transportRequest);
    }

    @Override
    public ResponseStream open(TransportRequest transportRequest, Deadline headersBy)
            throws IOException, InterruptedException {
        begin(transportRequest, headersBy);
        TransportResponse head =
                transportRequest.isWatch() ? watchHead.answer(transportRequest) : script.answer(transportRequest);
        PushedResponseStream stream = new PushedResponseStream(
                platform, head.status(), head.headers(), PushedResponseStream.ChunkProducer.NONE);
        stream.feed(ByteBuffer.wrap(head.body()));
        if (transportRequest.isWatch() && head.status() < 300) {
            watchCount++;
            watches.add(stream);
        } else if (!endless) {
            stream.end();
        }
        return stream;
    }

    private void begin(TransportRequest transportRequest, Deadline deadline) throws IOException, InterruptedException {
        if (closed || retired) {
            throw new ClosedTransportException("closed by the test");
        }
        calls.add(transportRequest);
        if (transportRequest.path().equals(silentAt)) {
            platform.sleep(deadline.remaining(platform));
            throw new RequestTimeoutException("no answer in time");
        }
    }

    @Override
    public void closeWhenIdle() {
        retired = true;
    }

    @Override
    public void close() {
        closed = true;
    }

    /** Writes a line into a watch. */
    public static void line(PushedResponseStream stream, String json) {
        stream.feed(ByteBuffer.wrap((json + "\n").getBytes(StandardCharsets.UTF_8)));
    }

    /** Writes an event into a watch; single quotes will do. */
    public static void event(PushedResponseStream stream, String type, String object) {
        line(stream, "{\"type\":\"" + type + "\",\"object\":" + object.replace('\'', '"') + "}");
    }

    /** An answer with a JSON body; single quotes will do. */
    public static TransportResponse json(int status, String body) {
        return new TransportResponse(
                status,
                Map.of("Content-Type", List.of("application/json")),
                body.replace('\'', '"').getBytes(StandardCharsets.UTF_8));
    }

    public static TransportResponse json(int status, JsonNode body) {
        return new TransportResponse(status, Map.of("Content-Type", List.of("application/json")), Json.bytes(body));
    }

    /** A refusal. */
    public static TransportResponse status(int code, String reason, String message) {
        return json(
                code,
                Json.object()
                        .put("kind", "Status")
                        .put("apiVersion", "v1")
                        .put("status", "Failure")
                        .put("reason", reason)
                        .put("message", message)
                        .put("code", code));
    }
}
