package dev.kopf4j.devcluster.faultinjection;

import java.time.Duration;

/** What can go wrong with a request or a watch. Immutable. Durations are those of the cluster's scheduler. */
public sealed interface Fault {
    /** The response comes later, by a random time between these two; the request is carried out at once. */
    record Latency(Duration least, Duration most) implements Fault {
        /** Refuses negative times, and a minimum above the maximum. */
        public Latency {
            if (least.isNegative() || most.compareTo(least) < 0) {
                throw new IllegalArgumentException("latency from " + least + " to " + most);
            }
        }
    }

    /**
     * The server does not carry out the request, and responds with a failure.
     *
     * @param status 429, 500, 503 or any other from 400 to 599
     * @param retryAfter the header Retry-After, rounded to whole seconds, at least one; zero for no such header
     */
    record Refusal(int status, Duration retryAfter) implements Fault {
        /** Refuses a status that is not a failure. */
        public Refusal {
            if (status < 400 || status > 599) {
                throw new IllegalArgumentException("a refusal has a status from 400 to 599, not " + status);
            }
        }
    }

    /**
     * The connection breaks without a response.
     *
     * @param done whether the request is carried out before that
     */
    record Reset(boolean done) implements Fault {}

    /** After this time a watch sends no more events, but its connection stays open (half-open). */
    record Silence(Duration after) implements Fault {}

    /** After a time, a watch sends no events for a while, and then all events of that while. */
    record Stall(Duration after, Duration time) implements Fault {}

    /** Some events of a watch come twice, one right after the other. */
    record Duplicates() implements Fault {}

    /** Events of a watch come later, each by a random time up to this; their order is kept. */
    record Delays(Duration most) implements Fault {}

    /**
     * Lists are refused with 410 at once; a watch gets an event with 410 after a time, and ends.
     *
     * @param after how long a watch works before
     */
    record Expiry(Duration after) implements Fault {}

    /** Whether it is a fault of watches only. */
    default boolean isOfWatches() {
        return switch (this) {
            case Silence _, Stall _, Duplicates _, Delays _ -> true;
            case Latency _, Refusal _, Reset _, Expiry _ -> false;
        };
    }
}
