package dev.kopf4j.benchmarks.memory;

import dev.kopf4j.client.transport.PushedResponseStream;
import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.Transport;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.IntFunction;

/** A cluster in memory whose pods change when they are told to: watches tell of it, lists do not. Thread-safe. */
public final class ChangingPods implements Transport {
    private final Platform platform;
    private final PodCluster unchanged;
    private final IntFunction<String> pod;
    private final List<PushedResponseStream> watches = new CopyOnWriteArrayList<>();

    /**
     * Pods that have not changed.
     *
     * @param pod makes each of them, as JSON with the version 1000
     */
    public ChangingPods(Platform platform, int pods, IntFunction<String> pod) {
        this.platform = platform;
        this.unchanged = new PodCluster(platform, pods, pod);
        this.pod = pod;
    }

    /** A pod is in its next version. */
    public void change(int number, long version) {
        String line = "{\"type\":\"MODIFIED\",\"object\":"
                + pod.apply(number)
                        .replaceFirst("\"resourceVersion\":\"\\d+\"", "\"resourceVersion\":\"" + version + "\"")
                + "}\n";
        watches.forEach(watch -> watch.feed(ByteBuffer.wrap(line.getBytes(StandardCharsets.UTF_8))));
    }

    @Override
    public TransportResponse send(TransportRequest request, Deadline deadline) throws InterruptedException {
        return unchanged.send(request, deadline);
    }

    @Override
    public ResponseStream open(TransportRequest request, Deadline headersBy) throws InterruptedException {
        if (!request.isWatch() || !request.path().startsWith("/api/v1/pods")) {
            return unchanged.open(request, headersBy);
        }
        PushedResponseStream watch =
                new PushedResponseStream(platform, 200, Map.of(), PushedResponseStream.ChunkProducer.NONE);
        watches.add(watch);
        return watch;
    }

    @Override
    public void close() {
        unchanged.close();
    }
}
