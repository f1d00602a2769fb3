package dev.kopf4j.benchmarks.process;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.socket.SocketTransport;
import dev.kopf4j.client.transport.NetworkSettings;
import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SystemPlatform;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;

/** The operator's own transport. */
final class TransportLoopClient implements LoopClient {
    private static final Duration PATIENCE = Duration.ofMinutes(5);
    private static final Map<String, String> MERGE =
            Map.of("Accept", "application/json", "Content-Type", "application/merge-patch+json");

    private final Platform platform = new SystemPlatform();
    private final ActionSchedule deadlines = new ActionSchedule(platform, "deadlines");
    private final SocketTransport transport;

    TransportLoopClient(String server, String token) {
        ConnectionInfo info =
                ConnectionInfo.builder(server).insecure(true).token(token).build();
        this.transport = new SocketTransport(platform, info, NetworkSettings.DEFAULTS, deadlines);
    }

    private Deadline deadline() {
        return platform.after(PATIENCE);
    }

    @Override
    public byte[] get(String path) throws IOException, InterruptedException {
        return transport.send(TransportRequest.get(path), deadline()).body();
    }

    @Override
    public Lines watch(String path) throws IOException, InterruptedException {
        ResponseStream stream = transport.open(TransportRequest.get(path), deadline());
        return () -> stream.nextLine(Deadline.NEVER);
    }

    @Override
    public int patch(String path, byte[] body) throws IOException, InterruptedException {
        return transport
                .send(new TransportRequest("PATCH", path, MERGE, body), deadline())
                .status();
    }

    @Override
    public void close() {
        transport.close();
        deadlines.close();
    }
}
