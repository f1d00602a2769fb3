package dev.kopf4j.engine.admission.server;

import java.nio.charset.StandardCharsets;

/** What goes back to an HTTP client. */
@SuppressWarnings("ArrayRecordComponent") // never compared
record HttpReply(int status, String type, byte[] body) {
    static HttpReply json(byte[] body) {
        return new HttpReply(200, "application/json", body);
    }

    static HttpReply problem(int status, String message) {
        return new HttpReply(status, "text/plain; charset=utf-8", (message + "\n").getBytes(StandardCharsets.UTF_8));
    }
}
