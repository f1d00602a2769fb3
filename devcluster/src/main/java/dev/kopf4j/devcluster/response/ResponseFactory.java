package dev.kopf4j.devcluster.response;

import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.ApiResponse.Header;
import dev.kopf4j.devcluster.api.WatchStream;
import dev.kopf4j.devcluster.json.Json;
import dev.kopf4j.devcluster.json.YamlWriter;
import dev.kopf4j.devcluster.status.ApiException;
import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** Makes responses. Pure. */
public final class ResponseFactory {
    private ResponseFactory() {}

    /** An object with warnings. */
    public static ApiResponse object(int status, AcceptHeader acceptHeader, JsonNode object, List<String> warnings) {
        return new ApiResponse(
                status, acceptHeader.type(), headers(warnings), new ApiResponse.Whole(encode(acceptHeader, object)));
    }

    /** The same response with warnings. */
    public static ApiResponse warned(ApiResponse answer, List<String> warnings) {
        if (warnings.isEmpty()) {
            return answer;
        }
        List<Header> headers = new ArrayList<>(answer.headers());
        headers.addAll(headers(warnings));
        return new ApiResponse(answer.status(), answer.contentType(), headers, answer.body());
    }

    /** A response with this JSON, or with the same as YAML. */
    public static ApiResponse json(int status, AcceptHeader acceptHeader, byte[] json) {
        byte[] body = acceptHeader.yaml() ? encode(acceptHeader, Json.parse(json)) : line(json);
        return ApiResponse.whole(status, acceptHeader.type(), body);
    }

    private static byte[] encode(AcceptHeader acceptHeader, JsonNode node) {
        return acceptHeader.yaml() ? YamlWriter.text(node).getBytes(StandardCharsets.UTF_8) : line(Json.bytes(node));
    }

    private static byte[] line(byte[] json) {
        byte[] line = Arrays.copyOf(json, json.length + 1);
        line[json.length] = '\n';
        return line;
    }

    /** A list in pieces. */
    public static ApiResponse pieces(AcceptHeader acceptHeader, Iterable<byte[]> pieces) {
        if (!acceptHeader.yaml()) {
            return new ApiResponse(200, acceptHeader.type(), List.of(), new ApiResponse.Pieces(pieces));
        }
        ByteArrayOutputStream whole = new ByteArrayOutputStream();
        pieces.forEach(whole::writeBytes);
        return json(200, acceptHeader, whole.toByteArray());
    }

    /** A watch. */
    public static ApiResponse events(AcceptHeader acceptHeader, WatchStream stream) {
        return new ApiResponse(200, acceptHeader.type(), List.of(), new ApiResponse.Events(stream));
    }

    /** A refusal. */
    public static ApiResponse failure(ApiException failure, List<String> warnings) {
        List<Header> headers = new ArrayList<>(headers(warnings));
        long seconds =
                failure.status().path("details").path("retryAfterSeconds").longValue(0);
        if (seconds > 0) {
            headers.add(new Header("Retry-After", String.valueOf(seconds)));
        }
        return new ApiResponse(
                failure.code(), "application/json", headers, new ApiResponse.Whole(Json.bytes(failure.status())));
    }

    /** Plain text. */
    public static ApiResponse text(int status, String text) {
        return ApiResponse.whole(status, "text/plain; charset=utf-8", text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Those that no header can have are left out: see {@code AddWarning} in {@code warning.go} of the apiserver
     * library.
     */
    private static List<Header> headers(List<String> warnings) {
        return warnings.stream()
                .filter(words -> !words.isEmpty() && words.codePoints().noneMatch(Character::isISOControl))
                .map(ResponseFactory::warning)
                .toList();
    }

    /** A warning header. */
    public static Header warning(String words) {
        return new Header("Warning", "299 - \"" + words.replace("\\", "\\\\").replace("\"", "\\\"") + "\"");
    }
}
