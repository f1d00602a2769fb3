package dev.kopf4j.devcluster.faultinjection;

import java.time.Duration;

/** What can go wrong with a request or a watch. Immutable. */
public sealed interface Fault {
    /** The answer comes later, by a random time between these; what was asked for is done at once. */
    record Latency(Duration least, Duration most) implements Fault {
        /** The bounds must not be negative nor the wrong way round. */
        public Latency {
            if (least.isNegative() || most.compareTo(least) < 0) {
                throw new IllegalArgumentException("latency from " + least + " to " + most);
            }
        }
    }

    /**
     * Nothing is done, and the answer is a failure.
     *
     * @param status 429, 500, 503 or any other from 400 to 599
     * @param retryAfter what the header Retry-After says, in whole seconds; zero for no such header
     */
    record Refusal(int status, Duration retryAfter) implements Fault {
        /** The status must be one of a failure. */
        public Refusal {
            if (status < 400 || status > 599) {
                throw new IllegalArgumentException("a refusal has a status from 400 to 599, not " + status);
            }
        }
    }

    /**
     * The connection breaks without an answer.
     *
     * @param done whether what was asked for is done before that
     */
    record Reset(boolean done) implements Fault {}

    /** After a time, a watch tells nothing any more, but its connection stays open: it is cut half-open. */
    record Silence(Duration after) implements Fault {}

    /** After a time, a watch tells nothing for a while, then all that was missed. */
    record Stall(Duration after, Duration time) implements Fault {}

    /** Some events of a watch come twice, one right after the other. */
    record Duplicates() implements Fault {}

    /** Events of a watch come later, each portion by a random time up to this; their order is kept. */
    record Delays(Duration most) implements Fault {}

    /**
     * Lists are refused by 410 at once; a watch gets the event for it after a time, and ends.
     *
     * @param after how long a watch goes well
     */
    record Expiry(Duration after) implements Fault {}

    /** Whether it befalls watches only. */
    default boolean isOfWatches() {
        return switch (this) {
            case Silence _, Stall _, Duplicates _, Delays _ -> true;
            case Latency _, Refusal _, Reset _, Expiry _ -> false;
        };
    }
}
