package dev.kopf4j.benchmarks.memory;

import dev.kopf4j.client.transport.PushedResponseStream;
import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.devcluster.DevCluster;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.WatchStream;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;

/** The way to a dev cluster in this process, without sockets; counts the requests that change something. */
public final class ServerInProcess implements Transport {
    private final Platform platform;
    private final DevCluster cluster;
    private final AtomicInteger changes = new AtomicInteger();

    public ServerInProcess(Platform platform, DevCluster cluster) {
        this.platform = platform;
        this.cluster = cluster;
    }

    /** How many requests have changed something, or might have. */
    public int changes() {
        return changes.get();
    }

    private ApiResponse handle(TransportRequest request) {
        if (!request.method().equals("GET")) {
            changes.incrementAndGet();
        }
        Map<String, String> headers = new HashMap<>(request.headers());
        headers.put("Authorization", "Bearer " + cluster.token());
        byte[] body = request.body() == null ? new byte[0] : request.body();
        return cluster.handle(ApiRequest.of(request.method(), request.path(), headers, body));
    }

    @Override
    public TransportResponse send(TransportRequest request, Deadline deadline) {
        ApiResponse response = handle(request);
        return new TransportResponse(response.status(), Map.of(), bytes(response));
    }

    @Override
    public ResponseStream open(TransportRequest request, Deadline headersBy) {
        ApiResponse response = handle(request);
        PushedResponseStream stream = new PushedResponseStream(
                platform, response.status(), Map.of(), PushedResponseStream.ChunkProducer.NONE);
        if (response.body() instanceof ApiResponse.Events(WatchStream events)) {
            platform.spawn("watch", () -> serve(events, stream));
        } else {
            stream.feed(ByteBuffer.wrap(bytes(response)));
            stream.end();
        }
        return stream;
    }

    /** The store calls the signal while it is locked, so that nothing can be taken from it there. */
    private void serve(WatchStream events, PushedResponseStream stream) {
        Monitor monitor = platform.monitor();
        AtomicBoolean signalled = new AtomicBoolean(true);
        events.onSignal(() -> monitor.locked(() -> signalled.set(true)));
        try {
            while (!stream.isClosed() && !events.ended()) {
                var _ = monitor.awaitTrue(() -> signalled.getAndSet(false), Deadline.NEVER);
                for (Optional<byte[]> line = events.take(); line.isPresent(); line = events.take()) {
                    stream.feed(ByteBuffer.wrap(line.get()));
                }
            }
            stream.end();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            events.close();
        }
    }

    private static byte[] bytes(ApiResponse response) {
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
