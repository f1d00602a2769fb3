package dev.kopf4j.client.transport;

import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One request, without the server's address and the credentials.
 *
 * @param method the HTTP method
 * @param path the path with the query, as in {@link dev.kopf4j.Resource#url}
 * @param headers the headers besides those of the credentials
 * @param body what is sent; null for nothing
 */
@SuppressWarnings("ArrayRecordComponent")
public record TransportRequest(String method, String path, Map<String, String> headers, byte @Nullable [] body) {
    /** A request; the headers are copied, the body is not. */
    public TransportRequest {
        headers = Map.copyOf(headers);
    }

    /** A request for JSON without a body. */
    public static TransportRequest get(String path) {
        return new TransportRequest("GET", path, Map.of("Accept", "application/json"), null);
    }

    /** True if the answer is a stream that stays open: such requests do not count as being in flight. */
    public boolean isWatch() {
        return path.contains("?watch=true") || path.contains("&watch=true");
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
