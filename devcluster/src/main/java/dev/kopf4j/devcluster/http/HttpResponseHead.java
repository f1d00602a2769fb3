package dev.kopf4j.devcluster.http;

import dev.kopf4j.devcluster.api.ApiResponse;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The first lines of a response. Pure. */
final class HttpResponseHead {
    private static final Map<Integer, String> REASONS = Map.ofEntries(
            Map.entry(101, "Switching Protocols"),
            Map.entry(200, "OK"),
            Map.entry(201, "Created"),
            Map.entry(202, "Accepted"),
            Map.entry(400, "Bad Request"),
            Map.entry(401, "Unauthorized"),
            Map.entry(403, "Forbidden"),
            Map.entry(404, "Not Found"),
            Map.entry(405, "Method Not Allowed"),
            Map.entry(406, "Not Acceptable"),
            Map.entry(409, "Conflict"),
            Map.entry(410, "Gone"),
            Map.entry(413, "Request Entity Too Large"),
            Map.entry(415, "Unsupported Media Type"),
            Map.entry(422, "Unprocessable Entity"),
            Map.entry(429, "Too Many Requests"),
            Map.entry(431, "Request Header Fields Too Large"),
            Map.entry(500, "Internal Server Error"),
            Map.entry(501, "Not Implemented"),
            Map.entry(503, "Service Unavailable"),
            Map.entry(504, "Gateway Timeout"));

    private HttpResponseHead() {}

    /** The head with these further lines, each with its line end. */
    static byte[] of(ApiResponse response, String lines) {
        StringBuilder head = new StringBuilder(160 + lines.length());
        start(head, response.status());
        head.append("Content-Type: ").append(response.contentType()).append("\r\n");
        for (ApiResponse.Header header : response.headers()) {
            head.append(header.name())
                    .append(": ")
                    .append(clean(header.value()))
                    .append("\r\n");
        }
        return head.append(lines).append("\r\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    /** A head that is not followed by a response of the server. */
    static byte[] bare(int status, String lines) {
        StringBuilder head = new StringBuilder();
        start(head, status);
        return head.append(lines).append("\r\n").toString().getBytes(StandardCharsets.UTF_8);
    }

    private static void start(StringBuilder head, int status) {
        head.append("HTTP/1.1 ").append(status).append(' ');
        head.append(REASONS.getOrDefault(status, "Status")).append("\r\n");
    }

    /** A line break within a value would begin another header. */
    private static String clean(String value) {
        return value.indexOf('\n') < 0 && value.indexOf('\r') < 0
                ? value
                : value.replace('\r', ' ').replace('\n', ' ');
    }
}
