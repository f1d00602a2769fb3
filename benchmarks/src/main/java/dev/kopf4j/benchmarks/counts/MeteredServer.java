package dev.kopf4j.benchmarks.counts;

import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.runtime.Deadline;
import java.io.IOException;
import java.lang.management.ManagementFactory;

/**
 * Counts requests, and what the program has allocated without the server, which is in the same process. For
 * simulations: the server never waits, so while it works nothing else does.
 */
final class MeteredServer implements Transport {
    private final com.sun.management.ThreadMXBean threads =
            ManagementFactory.getPlatformMXBean(com.sun.management.ThreadMXBean.class);
    private final Transport server;
    private int requests;
    private int patches;
    private long allocatedByServer;

    MeteredServer(Transport server) {
        this.server = server;
    }

    @Override
    public TransportResponse send(TransportRequest request, Deadline deadline)
            throws IOException, InterruptedException {
        count(request);
        long before = threads.getTotalThreadAllocatedBytes();
        TransportResponse response = server.send(request, deadline);
        allocatedByServer += threads.getTotalThreadAllocatedBytes() - before;
        return response;
    }

    @Override
    public ResponseStream open(TransportRequest request, Deadline headersBy) throws IOException, InterruptedException {
        count(request);
        return server.open(request, headersBy);
    }

    private void count(TransportRequest request) {
        requests++;
        patches += request.method().equals("PATCH") ? 1 : 0;
    }

    /** All requests so far. */
    int requests() {
        return requests;
    }

    /** The PATCHes among them. */
    int patches() {
        return patches;
    }

    /** What all threads have allocated so far but for the answers of requests, in bytes. */
    long allocated() {
        return threads.getTotalThreadAllocatedBytes() - allocatedByServer;
    }

    @Override
    public void close() {
        server.close();
    }
}
