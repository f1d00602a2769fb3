package dev.kopf4j.engine.simulation;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.login.CredentialSource;
import dev.kopf4j.client.transport.PushedResponseStream;
import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.engine.ClusterAccess;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;

/**
 * Tokens that a server refuses from some moment on, as those of an expired session, until somebody renews them: until
 * then, logins give the old one. Confined to a simulation.
 */
public final class RenewedCredentials {
    private static final byte[] REFUSAL =
            "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"status\":\"Failure\",\"reason\":\"Unauthorized\",\"code\":401}"
                    .getBytes(StandardCharsets.UTF_8);

    private int accepted = 1;
    private int given = 1;
    private int refusals;

    /** The server refuses whatever logins give. */
    public void expire() {
        accepted = given + 1;
    }

    /** Logins give what the server accepts. */
    public void renew() {
        given = accepted;
    }

    public boolean areExpired() {
        return given != accepted;
    }

    /** How many requests were refused. */
    public int refusals() {
        return refusals;
    }

    /** An operator's access by these credentials. */
    public ClusterAccess access(Platform client, Transport transport) {
        CredentialSource logins = () -> Map.of(
                "login",
                ConnectionInfo.builder("https://cluster.example")
                        .token(Integer.toString(given))
                        .build());
        return new FakeClusterAccess(info -> checking(client, transport, info), logins);
    }

    private Transport checking(Platform client, Transport transport, ConnectionInfo info) {
        return new Transport() {
            @Override
            public TransportResponse send(TransportRequest request, Deadline deadline)
                    throws IOException, InterruptedException {
                return isAccepted(info) ? transport.send(request, deadline) : refusal();
            }

            @Override
            public ResponseStream open(TransportRequest request, Deadline headersBy)
                    throws IOException, InterruptedException {
                return isAccepted(info) ? transport.open(request, headersBy) : refused(client);
            }

            @Override
            public void close() {
                // The other one is not of this credential alone.
            }
        };
    }

    private boolean isAccepted(ConnectionInfo info) {
        return Integer.toString(accepted).equals(info.token());
    }

    private TransportResponse refusal() {
        refusals++;
        return new TransportResponse(401, Map.of("Content-Type", List.of("application/json")), REFUSAL);
    }

    private ResponseStream refused(Platform client) {
        TransportResponse refusal = refusal();
        PushedResponseStream stream = new PushedResponseStream(
                client, refusal.status(), refusal.headers(), PushedResponseStream.ChunkProducer.NONE);
        stream.feed(ByteBuffer.wrap(refusal.body()));
        stream.end();
        return stream;
    }
}
