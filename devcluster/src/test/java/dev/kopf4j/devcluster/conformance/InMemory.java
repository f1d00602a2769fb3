package dev.kopf4j.devcluster.conformance;

import dev.kopf4j.devcluster.ApiServer;
import dev.kopf4j.devcluster.Options;
import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.WatchStream;
import dev.kopf4j.devcluster.json.Json;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Random;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;

/** A server without sockets, in virtual time. */
public final class InMemory {
    public static final String TOKEN = "token";
    private final VirtualTime time = new VirtualTime();
    private final ApiServer server;

    /** A server with options on top of the clock and the seed. */
    public InMemory(UnaryOperator<Options> options) {
        server = new ApiServer(options.apply(Options.defaults().clock(time).random(new Random(1))), time, TOKEN);
        time.settle();
    }

    public VirtualTime time() {
        return time;
    }

    public ApiServer server() {
        return server;
    }

    /** The answer to the administrator; then all that follows from the request has happened. */
    public ApiResponse send(String method, String target, String body) {
        return send(method, target, body, Map.of());
    }

    /** The same with further headers. */
    public ApiResponse send(String method, String target, String body, Map<String, String> more) {
        Map<String, String> headers = new LinkedHashMap<>();
        headers.put("authorization", "Bearer " + TOKEN);
        headers.put("content-type", method.equals("PATCH") ? "application/merge-patch+json" : "application/yaml");
        headers.putAll(more);
        ApiResponse response =
                server.handle(ApiRequest.of(method, target, headers, body.getBytes(StandardCharsets.UTF_8)));
        time.settle();
        return response;
    }

    /** The object that is answered. */
    public JsonNode json(String method, String target, String body) {
        return Json.parse(text(send(method, target, body)));
    }

    public JsonNode get(String target) {
        return json("GET", target, "");
    }

    /** The body of an answer that is no watch. */
    public static String text(ApiResponse response) {
        StringBuilder text = new StringBuilder();
        switch (response.body()) {
            case ApiResponse.Whole(byte[] bytes) -> text.append(new String(bytes, StandardCharsets.UTF_8));
            case ApiResponse.Pieces(Iterable<byte[]> pieces) ->
                pieces.forEach(piece -> text.append(new String(piece, StandardCharsets.UTF_8)));
            case ApiResponse.Events(WatchStream stream) -> stream.close();
            case ApiResponse.Broken() -> text.append("");
        }
        return text.toString();
    }
}
