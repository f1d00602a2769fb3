package dev.kopf4j.spi;

import java.io.IOException;
import java.util.List;
import java.util.Map;

/**
 * A way for the requests of another client library that uses no socket, such as into a simulation. It is used in the
 * thread that makes the call of the client.
 */
@FunctionalInterface
public interface RequestChannel {
    /**
     * Carries a request to the server, and its whole answer back.
     *
     * @throws IOException if the connection breaks
     * @throws InterruptedException if the task is interrupted
     * @throws IllegalStateException if the calling thread must not use this way; the message says why
     */
    Answer exchange(Request request) throws IOException, InterruptedException;

    /**
     * A request. Its bytes are not copied.
     *
     * @param method the HTTP method
     * @param target the raw path, with the query behind a question mark
     * @param headers the headers; several values of one are joined by commas
     * @param body the body; empty if there is none
     */
    @SuppressWarnings("ArrayRecordComponent") // carried, not compared
    record Request(String method, String target, Map<String, String> headers, byte[] body) {
        /** Copies the headers. */
        public Request {
            headers = Map.copyOf(headers);
        }
    }

    /**
     * An answer. Its bytes are not copied.
     *
     * @param status the HTTP status
     * @param headers the headers
     * @param body the whole body
     */
    @SuppressWarnings("ArrayRecordComponent") // carried, not compared
    record Answer(int status, Map<String, List<String>> headers, byte[] body) {
        /** Copies the headers. */
        public Answer {
            headers = Map.copyOf(headers);
        }
    }
}
