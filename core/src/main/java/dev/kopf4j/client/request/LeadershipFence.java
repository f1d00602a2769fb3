package dev.kopf4j.client.request;

import dev.kopf4j.runtime.Deadline;

/**
 * The moment until which requests may be sent, and handlers be called. After it, no attempt and no call begins, and no
 * response is awaited. Thread-safe.
 */
@FunctionalInterface
public interface LeadershipFence {
    /** Permits everything. */
    LeadershipFence OPEN = () -> Deadline.NEVER;

    /** Returns the moment after which nothing is begun. Called before each attempt and each call. */
    Deadline until();

    /** Returns the moment after which nothing is begun for the object with that uid; not after {@link #until()}. */
    default Deadline until(String uid) {
        return until();
    }
}
