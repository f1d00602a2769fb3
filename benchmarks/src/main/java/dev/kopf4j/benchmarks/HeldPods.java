package dev.kopf4j.benchmarks;

import dev.kopf4j.client.Answer;
import dev.kopf4j.client.AnswerStream;
import dev.kopf4j.client.Call;
import dev.kopf4j.client.FedStream;
import dev.kopf4j.client.Transport;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** A cluster in memory with pods that have the operator's finalizer already, and never change. */
final class HeldPods implements Transport {
    private static final Pattern LIMIT = Pattern.compile("[?&]limit=(\\d+)");
    private static final Pattern CONTINUE = Pattern.compile("[?&]continue=(\\d+)");
    private static final String RESOURCES = """
            {"kind":"APIResourceList","groupVersion":"v1","resources":[{"name":"pods","singularName":"pod",\
            "namespaced":true,"kind":"Pod","verbs":["list","watch","patch"]}]}""";

    private final Platform platform;
    private final int pods;

    HeldPods(Platform platform, int pods) {
        this.platform = platform;
        this.pods = pods;
    }

    /** How large a pod is, as compact JSON. */
    static int bodySize() {
        return pod(12_345).length();
    }

    @Override
    public Answer send(Call call, Deadline deadline) {
        return switch (call.path().replaceAll("\\?.*", "")) {
            case "/version" -> json("{\"major\":\"1\",\"minor\":\"33\",\"gitVersion\":\"v1.33.0\"}");
            case "/api" -> json("{\"kind\":\"APIVersions\",\"versions\":[\"v1\"]}");
            case "/apis" -> json("{\"kind\":\"APIGroupList\",\"groups\":[]}");
            case "/api/v1" -> json(RESOURCES);
            default -> new Answer(404, Map.of(), new byte[0]);
        };
    }

    private static Answer json(String body) {
        return new Answer(
                200, Map.of("Content-Type", List.of("application/json")), body.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public AnswerStream open(Call call, Deadline headersBy) throws InterruptedException {
        FedStream stream = new FedStream(platform, 200, Map.of(), FedStream.Feeder.INDIFFERENT);
        if (!call.isWatch()) {
            String body = call.path().startsWith("/api/v1/pods") ? page(call.path()) : list("", "");
            stream.feed(ByteBuffer.wrap(body.getBytes(StandardCharsets.UTF_8)));
            stream.end();
        }
        return stream;
    }

    private String page(String path) {
        int from = number(CONTINUE, path, 0);
        int to = Math.min(pods, from + number(LIMIT, path, pods));
        StringBuilder items = new StringBuilder();
        for (int pod = from; pod < to; pod++) {
            items.append(pod == from ? "" : ",").append(pod(pod));
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

    private static String pod(int pod) {
        return """
                {"apiVersion":"v1","kind":"Pod","metadata":{"name":"pod-%d","namespace":"namespace-%d",\
                "uid":"00000000-0000-4000-8000-%012d","resourceVersion":"%d","creationTimestamp":"2026-01-01T00:00:00Z",\
                "finalizers":["kopf.zalando.org/KopfFinalizerMarker"],"labels":{"app":"web"}},"spec":{"nodeName":"node-1",\
                "containers":[{"name":"main","image":"example.com/app:1"}]},"status":{"phase":"Running"}}""".formatted(pod, pod % 100, pod, pod + 1);
    }

    @Override
    public void close() {
        // Streams end with their readers.
    }
}
