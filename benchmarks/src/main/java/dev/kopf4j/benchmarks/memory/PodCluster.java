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
import java.util.function.IntFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A cluster in memory that has only pods, which never change. Each list makes them anew. */
public final class PodCluster implements Transport {
    private static final Pattern LIMIT = Pattern.compile("[?&]limit=(\\d+)");
    private static final Pattern CONTINUE = Pattern.compile("[?&]continue=(\\d+)");
    private static final String RESOURCES = """
            {"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"pods","singularName":"pod",\
            "namespaced":true,"kind":"Pod","verbs":["list","watch","patch"]}]}""";

    private final Platform platform;
    private final int pods;
    private final IntFunction<String> pod;

    public PodCluster(Platform platform, int pods, IntFunction<String> pod) {
        this.platform = platform;
        this.pods = pods;
        this.pod = pod;
    }

    @Override
    public TransportResponse send(TransportRequest transportRequest, Deadline deadline) {
        String path = transportRequest.path().replaceAll("\\?.*", "");
        return switch (path) {
            case "/version" -> json("{\"major\":\"1\",\"minor\":\"33\",\"gitVersion\":\"v1.33.0\"}");
            case "/api" -> json("{\"kind\":\"APIVersions\",\"versions\":[\"v1\"]}");
            case "/apis" -> json("{\"kind\":\"APIGroupList\",\"groups\":[]}");
            case "/api/v1" -> json(RESOURCES);
            default -> new TransportResponse(404, Map.of(), new byte[0]);
        };
    }

    private static TransportResponse json(String body) {
        return new TransportResponse(
                200, Map.of("Content-Type", List.of("application/json")), body.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public ResponseStream open(TransportRequest transportRequest, Deadline headersBy) throws InterruptedException {
        PushedResponseStream stream =
                new PushedResponseStream(platform, 200, Map.of(), PushedResponseStream.ChunkProducer.NONE);
        if (!transportRequest.isWatch()) {
            String body =
                    transportRequest.path().startsWith("/api/v1/pods") ? page(transportRequest.path()) : list("", "");
            stream.feed(ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)));
            stream.end();
        }
        return stream;
    }

    private String page(String path) {
        int from = number(CONTINUE, path, 0);
        int to = Math.min(pods, from + number(LIMIT, path, pods));
        StringBuilder items = new StringBuilder();
        for (int each = from; each < to; each++) {
            items.append(each == from ? "" : ",").append(pod.apply(each));
        }
        return list(to < pods ? Integer.toString(to) : "", items.toString());
    }

    private static int number(Pattern pattern, String path, int otherwise) {
        Matcher matcher = pattern.matcher(path);
        return matcher.find() ? Integer.parseInt(matcher.group(1)) : otherwise;
    }

    private static String list(String next, String items) {
        return "{\"kind\":\"List\",\"metadata\":{\"resourceVersion\":\"1000\",\"continue\":\"" + next
                + "\"},\"items\":[" + items + "]}";
    }

    @Override
    public void close() {
        // Streams end with their readers.
    }
}
