package dev.kopf4j.client.transport;

import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A complete response.
 *
 * @param status the HTTP status
 * @param headers the headers, with names in upper or lower case
 * @param body the body; empty if there is none
 */
@SuppressWarnings("ArrayRecordComponent")
public record TransportResponse(int status, Map<String, List<String>> headers, byte[] body) {
    /** Copies the headers, but not the body. */
    public TransportResponse {
        headers = Map.copyOf(headers);
    }

    /** Returns the first header of this name, in upper or lower case; null if there is none. */
    public @Nullable String header(String name) {
        return header(headers, name);
    }

    /** Returns the first one of these headers that has this name, in upper or lower case; null if there is none. */
    public static @Nullable String header(Map<String, List<String>> headers, String name) {
        for (Map.Entry<String, List<String>> entry : headers.entrySet()) {
            if (entry.getKey().equalsIgnoreCase(name) && !entry.getValue().isEmpty()) {
                return entry.getValue().getFirst();
            }
        }
        return null;
    }
}
