package dev.kopf4j.engine.chaos;

import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Lets requests and answers fail on their way, until the world becomes calm. */
final class RequestFaults {
    private final Platform platform;
    private final WorldHistory worldHistory;
    private final int percent;
    private final int latencyMillisMax;
    private boolean outage;
    private boolean over;

    /** So many of a hundred requests fail; others take up to so long on each way. */
    RequestFaults(Platform platform, WorldHistory worldHistory, int percent, int latencyMillisMax) {
        this.platform = platform;
        this.worldHistory = worldHistory;
        this.percent = percent;
        this.latencyMillisMax = latencyMillisMax;
    }

    /** The server is not to be reached, or is again. */
    void outage(boolean begins) {
        this.outage = begins;
    }

    boolean isOutage() {
        return outage;
    }

    void end() {
        outage = false;
        over = true;
    }

    private RandomGenerator random() {
        return platform.random();
    }

    Duration latency() {
        int longest = over ? 5 : latencyMillisMax;
        // Mostly quick, sometimes slow.
        int bound = random().nextInt(4) == 0 ? longest : Math.min(longest, 10);
        return Duration.ofMillis(random().nextInt(bound + 1));
    }

    /** A failure of a request that the server does not get or does not do; null for none. */
    @Nullable TransportResponse before(TransportRequest transportRequest) throws IOException {
        if (outage) {
            throw new ConnectException("connection refused");
        }
        if (!happens()) {
            return null;
        }
        int kind = random().nextInt(transportRequest.method().equals("PATCH") ? 7 : 5);
        worldHistory.note("fault " + kind + " before " + transportRequest);
        return switch (kind) {
            case 0 -> throw new ConnectException("connection refused");
            case 1 -> throw new IOException("connection reset");
            case 2 -> ChaosServer.status(500, "InternalError", "etcdserver: leader changed");
            case 3 -> ChaosServer.status(503, "ServiceUnavailable", "the server is overloaded");
            case 4 -> ChaosServer.status(429, "TooManyRequests", "too many requests");
            case 5 -> ChaosServer.status(409, "Conflict", "the object has been modified; please apply your changes");
            default -> ChaosServer.status(403, "Forbidden", "no permissions yet");
        };
    }

    /** A failure of a request that the server has done; null for none. */
    @Nullable TransportResponse after(TransportRequest transportRequest) throws IOException {
        if (!happens()) {
            return null;
        }
        int kind = random().nextInt(3);
        worldHistory.note("fault " + kind + " after " + transportRequest);
        return switch (kind) {
            case 0 -> throw new IOException("connection reset");
            case 1 -> ChaosServer.status(504, "Timeout", "the request was accepted, but was not answered in time");
            default -> ChaosServer.status(500, "InternalError", "cannot say how it went");
        };
    }

    private boolean happens() {
        return !over && random().nextInt(100) < percent;
    }
}
