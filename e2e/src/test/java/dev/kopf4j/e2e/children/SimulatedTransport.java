package dev.kopf4j.e2e.children;

import dev.kopf4j.client.transport.PushedResponseStream;
import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.devcluster.ApiServer;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.WatchStream;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/** The way of one operator to a cluster in the same simulation. */
final class SimulatedTransport implements Transport {
    private final Platform client;
    private final ApiServer server;
    private final SimulatedScheduler scheduler;
    private final String token;
    private final Consumer<TransportRequest> log;

    SimulatedTransport(
            Platform client,
            ApiServer server,
            SimulatedScheduler scheduler,
            String token,
            Consumer<TransportRequest> log) {
        this.client = client;
        this.server = server;
        this.scheduler = scheduler;
        this.token = token;
        this.log = log;
    }

    private ApiResponse handle(TransportRequest request) throws InterruptedException {
        // Others may come first, and a machine that was killed sends nothing.
        client.monitor().awaitTrue(() -> true, Deadline.NEVER);
        log.accept(request);
        Map<String, String> headers = new HashMap<>(request.headers());
        headers.put("Authorization", "Bearer " + token);
        byte[] body = request.body() == null ? new byte[0] : request.body();
        ApiResponse response = server.handle(ApiRequest.of(request.method(), request.path(), headers, body));
        client.monitor().awaitTrue(() -> true, Deadline.NEVER);
        return response;
    }

    @Override
    public TransportResponse send(TransportRequest request, Deadline deadline)
            throws IOException, InterruptedException {
        ApiResponse response = handle(request);
        return new TransportResponse(response.status(), Map.of(), bytes(response));
    }

    @Override
    public ResponseStream open(TransportRequest request, Deadline headersBy) throws InterruptedException {
        ApiResponse response = handle(request);
        PushedResponseStream stream =
                new PushedResponseStream(client, response.status(), Map.of(), PushedResponseStream.ChunkProducer.NONE);
        if (response.body() instanceof ApiResponse.Events(WatchStream events)) {
            events.onSignal(() -> drain(events, stream));
            drain(events, stream);
        } else {
            stream.feed(ByteBuffer.wrap(bytes(response)));
            stream.end();
        }
        return stream;
    }

    private void drain(WatchStream events, PushedResponseStream stream) {
        if (stream.isClosed()) {
            // Not within the signal: the server is going through its watches.
            scheduler.run(events::close);
            return;
        }
        for (Optional<byte[]> line = events.take(); line.isPresent(); line = events.take()) {
            stream.feed(ByteBuffer.wrap(line.get()));
        }
        if (events.ended()) {
            stream.end();
        }
    }

    static byte[] bytes(ApiResponse response) {
        return switch (response.body()) {
            case ApiResponse.Whole(byte[] bytes) -> bytes;
            case ApiResponse.Pieces(Iterable<byte[]> pieces) -> {
                ByteArrayOutputStream all = new ByteArrayOutputStream();
                pieces.forEach(all::writeBytes);
                yield all.toByteArray();
            }
            case ApiResponse.Events _, ApiResponse.Broken _ -> throw new IllegalStateException("no body: " + response);
        };
    }

    @Override
    public void close() {
        // Streams end with their readers.
    }
}
