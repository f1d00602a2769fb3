package dev.kopf4j.devcluster.api;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * The response to one request. Immutable.
 *
 * @param status the HTTP status
 * @param contentType the media type of the body
 * @param headers further headers; a name may occur more than once
 * @param body what follows the headers
 * @param delay how long the transport waits before it sends the response; zero unless a fault is injected
 */
public record ApiResponse(int status, String contentType, List<Header> headers, Body body, Duration delay) {
    /** Makes the headers unmodifiable. */
    public ApiResponse {
        headers = List.copyOf(headers);
    }

    /** A response without delay. */
    public ApiResponse(int status, String contentType, List<Header> headers, Body body) {
        this(status, contentType, headers, body, Duration.ZERO);
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

    /** No answer at all: who carries it breaks the connection. Only by faults on demand. */
    public record Broken() implements Body {}

    /** The same answer, a while later. */
    public ApiResponse after(Duration time) {
        return new ApiResponse(status, contentType, headers, body, time);
    }

    /** The same answer with one more header. */
    public ApiResponse with(Header header) {
        List<Header> more = new ArrayList<>(headers);
        more.add(header);
        return new ApiResponse(status, contentType, more, body, delay);
    }

    /** A complete answer. */
    public static ApiResponse whole(int status, String contentType, byte[] bytes) {
        return new ApiResponse(status, contentType, List.of(), new Whole(bytes));
    }
}
