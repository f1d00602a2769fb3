package dev.kopf4j.engine.admission.server;

import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;

/** Holds one request to its deadlines: its thread is interrupted, which breaks the connection. Thread-safe. */
final class RequestGuard {
    /** For the handshake, the headers and the body. API servers are near, and send a few megabytes at most. */
    private static final Duration RECEIVED_WITHIN = Duration.ofSeconds(10);

    /** For the answer: longer than the 30 seconds that API servers wait at most. */
    private static final Duration ANSWERED_WITHIN = Duration.ofSeconds(60);

    /** For the client, to take the answer. */
    private static final Duration SENT_WITHIN = Duration.ofSeconds(10);

    private final Platform platform;
    private final Thread thread;
    private volatile Deadline deadline;

    RequestGuard(Platform platform, Thread thread) {
        this.platform = platform;
        this.thread = thread;
        this.deadline = platform.after(RECEIVED_WITHIN);
    }

    /** The request is there; it is answered now. */
    void received() {
        deadline = platform.after(ANSWERED_WITHIN);
    }

    /** The answer is there; it is sent now. */
    void answered() {
        deadline = platform.after(SENT_WITHIN);
    }

    /** Breaks the request off if its time is over. */
    void check() {
        if (deadline.hasPassed(platform)) {
            thread.interrupt();
        }
    }
}
