package dev.kopf4j.virtual;

import dev.kopf4j.client.transport.PushedResponseStream;
import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.client.transport.Transport.RequestTimeoutException;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.WatchStream;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;

/** Carries the requests of an operator through a simulated network. Confined to the simulation. */
final class SimulatedTransport implements Transport {
    private final SimulatedPlatform client;
    private final Platform server;
    private final SimulatedNetwork network;
    private final String token;

    SimulatedTransport(SimulatedPlatform client, Platform server, SimulatedNetwork network, String token) {
        this.client = client;
        this.server = server;
        this.network = network;
        this.token = token;
    }

    @Override
    public TransportResponse send(TransportRequest request, Deadline deadline)
            throws IOException, InterruptedException {
        ApiResponse response = exchange(request, deadline);
        return new TransportResponse(response.status(), ResponseBytes.headers(response), ResponseBytes.body(response));
    }

    @Override
    public ResponseStream open(TransportRequest request, Deadline headersBy) throws IOException, InterruptedException {
        ApiResponse response = exchange(request, headersBy);
        if (response.body() instanceof ApiResponse.Events(WatchStream events)) {
            return new SimulatedWatch(client, server, events).open(response);
        }
        PushedResponseStream stream = new PushedResponseStream(
                client, response.status(), ResponseBytes.headers(response), PushedResponseStream.ChunkProducer.NONE);
        stream.feed(ByteBuffer.wrap(ResponseBytes.body(response)));
        stream.end();
        return stream;
    }

    private ApiResponse exchange(TransportRequest request, Deadline deadline) throws IOException, InterruptedException {
        ApiResponse response = network.exchange(client, apiRequest(request));
        Duration left = deadline.remaining(client);
        if (response.delay().compareTo(left) > 0) {
            client.sleep(left);
            throw new RequestTimeoutException("no response to " + request + " in time");
        }
        client.sleep(response.delay());
        if (response.body() instanceof ApiResponse.Broken) {
            throw new IOException("connection reset");
        }
        return response;
    }

    private ApiRequest apiRequest(TransportRequest request) {
        Map<String, String> headers = new HashMap<>(request.headers());
        headers.put("User-Agent", TransportRequest.USER_AGENT);
        headers.put("Authorization", "Bearer " + token);
        byte[] body = request.body();
        return ApiRequest.of(request.method(), request.path(), headers, body == null ? new byte[0] : body);
    }

    @Override
    public void close() {
        // Nothing is open: watches end with their readers or with the machine.
    }
}
