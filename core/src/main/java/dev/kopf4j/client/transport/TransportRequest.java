package dev.kopf4j.client.transport;

import dev.kopf4j.Kopf;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * One request, without the server's address and the credentials.
 *
 * @param method the HTTP method
 * @param path the path with the query, as in {@link dev.kopf4j.Resource#url}
 * @param headers the headers besides those of the credentials
 * @param body the body; null for none
 * @param urgent true if it waits for no other request but the urgent ones; see {@link NetworkSettings#urgent}
 */
@SuppressWarnings("ArrayRecordComponent")
public record TransportRequest(
        String method, String path, Map<String, String> headers, byte @Nullable [] body, boolean urgent) {
    /**
     * The value of the {@code User-Agent} header: the name and version by which the framework presents itself to
     * servers. The API server takes its first part as the field manager of changes.
     */
    public static final String USER_AGENT = "kopf4j/" + Kopf.version();

    /** Copies the headers, but not the body. */
    public TransportRequest {
        headers = Map.copyOf(headers);
    }

    /** Makes a request that waits for its turn. */
    public TransportRequest(String method, String path, Map<String, String> headers, byte @Nullable [] body) {
        this(method, path, headers, body, false);
    }

    /** Returns the same request, urgent or not. */
    public TransportRequest urgent(boolean wanted) {
        return wanted == urgent ? this : new TransportRequest(method, path, headers, body, wanted);
    }

    /** Makes a GET request for JSON. */
    public static TransportRequest get(String path) {
        return new TransportRequest("GET", path, Map.of("Accept", "application/json"), null);
    }

    /** True if the response is a stream that stays open. Such requests do not count as being in flight. */
    public boolean isWatch() {
        return path.contains("?watch=true") || path.contains("&watch=true");
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
