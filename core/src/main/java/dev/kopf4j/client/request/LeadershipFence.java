package dev.kopf4j.client.request;

import dev.kopf4j.runtime.Deadline;

/** Until when requests may be made: nothing is begun after that, and nobody waits longer for an answer. Thread-safe. */
@FunctionalInterface
public interface LeadershipFence {
    /** Lets everything pass. */
    LeadershipFence OPEN = () -> Deadline.NEVER;

    /** The moment from which on nothing is sent; asked anew before each attempt. */
    Deadline until();
}
