package dev.kopf4j.virtual;

import dev.kopf4j.client.transport.PushedResponseStream;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.WatchStream;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SimulatedPlatform;
import java.nio.ByteBuffer;
import java.util.Optional;

/** One watch: a task of the server carries its events to the client. Confined to the simulation. */
final class SimulatedWatch {
    private final SimulatedPlatform client;
    private final Platform server;
    private final WatchStream events;
    private boolean signalled = true;

    SimulatedWatch(SimulatedPlatform client, Platform server, WatchStream events) {
        this.client = client;
        this.server = server;
        this.events = events;
    }

    PushedResponseStream open(ApiResponse response) {
        PushedResponseStream stream = new PushedResponseStream(
                client, response.status(), ResponseBytes.headers(response), PushedResponseStream.ChunkProducer.NONE);
        events.onSignal(() -> signalled = true);
        server.spawn("watch", () -> serve(stream));
        return stream;
    }

    private void serve(PushedResponseStream stream) {
        try {
            while (!isOver(stream) && !events.ended()) {
                var _ = server.monitor().awaitTrue(() -> signalled || isOver(stream), Deadline.NEVER);
                signalled = false;
                carry(stream);
            }
            stream.end();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            events.close();
        }
    }

    private void carry(PushedResponseStream stream) {
        for (Optional<byte[]> line = events.take(); line.isPresent(); line = events.take()) {
            stream.feed(ByteBuffer.wrap(line.get()));
        }
    }

    private boolean isOver(PushedResponseStream stream) {
        return stream.isClosed() || client.isKilled();
    }
}
