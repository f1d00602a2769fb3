package dev.kopf4j.engine.admission.http;

import java.nio.charset.StandardCharsets;
import java.util.Map;

/**
 * What goes back to an HTTP client.
 *
 * @param headers beyond those of every reply
 * @param isLast true if the connection is closed after it
 */
@SuppressWarnings("ArrayRecordComponent") // never compared
public record HttpReply(int status, String type, byte[] body, Map<String, String> headers, boolean isLast) {
    private static final int OK = 200;

    /** A good reply. */
    public static HttpReply json(byte[] body) {
        return new HttpReply(OK, "application/json", body, Map.of(), false);
    }

    /** A bad one, in words. */
    public static HttpReply problem(int status, String message) {
        byte[] body = (message + "\n").getBytes(StandardCharsets.UTF_8);
        return new HttpReply(status, "text/plain; charset=utf-8", body, Map.of(), false);
    }

    /** The same with a header. */
    public HttpReply with(String name, String value) {
        return new HttpReply(status, type, body, Map.of(name, value), isLast);
    }

    /** The same, after which the connection is closed. */
    public HttpReply asLast() {
        return new HttpReply(status, type, body, headers, true);
    }
}
