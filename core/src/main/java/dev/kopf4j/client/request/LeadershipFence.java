package dev.kopf4j.client.request;

import dev.kopf4j.runtime.Deadline;

/** The moment until which requests may be sent. After it, no attempt begins and no response is awaited. Thread-safe. */
@FunctionalInterface
public interface LeadershipFence {
    /** Permits every request. */
    LeadershipFence OPEN = () -> Deadline.NEVER;

    /** Returns the moment after which nothing is sent. Called before each attempt. */
    Deadline until();
}
