package dev.kopf4j.devcluster;

import java.util.List;

/**
 * The answer to one request. Immutable.
 *
 * @param status the HTTP status
 * @param contentType the media type of the body
 * @param headers further headers; a name may occur more than once
 * @param body what follows
 */
public record ApiResponse(int status, String contentType, List<Header> headers, Body body) {
    /** Makes the headers unmodifiable. */
    public ApiResponse {
        headers = List.copyOf(headers);
    }

    /** One header. */
    public record Header(String name, String value) {}

    /** The forms of a body. */
    public sealed interface Body {}

    /** All of it. */
    @SuppressWarnings("ArrayRecordComponent") // bodies are not copied: they may be megabytes
    public record Whole(byte[] bytes) implements Body {}

    /** Pieces that are made while they are written, so that a big list never stands in memory as a whole. */
    public record Pieces(Iterable<byte[]> pieces) implements Body {}

    /** The events of a watch, to be pulled; the reader must close it. */
    public record Events(WatchStream stream) implements Body {}

    /** A complete answer. */
    public static ApiResponse whole(int status, String contentType, byte[] bytes) {
        return new ApiResponse(status, contentType, List.of(), new Whole(bytes));
    }
}
