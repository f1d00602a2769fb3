package dev.kopf4j;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How the operator is doing. Immutable.
 *
 * @param ready true once it has listed all that it can list, or has been refused: {@link #isWell} tells whether it is
 *     kept from anything
 * @param troubles what is wrong beside the streams
 * @param pauses why it does not act at the moment; empty if it acts
 * @param streams its watch-streams
 * @param serving true while the API server can reach its webhooks, or if it has none, until it stops: what a Service
 *     needs to know of it, whatever it watches; false from the start on until the webhook configurations that it
 *     manages were tried to be written, and as long as they are refused, as forbidden or invalid
 * @param shards the part of the objects that it acts on; null if it shares them with nobody
 */
public record OperatorState(
        boolean ready,
        List<String> troubles,
        List<String> pauses,
        List<StreamState> streams,
        boolean serving,
        @Nullable Shards shards) {
    /** It has not begun to watch. */
    public static final OperatorState STARTING = new OperatorState(false, List.of(), List.of(), List.of(), false, null);

    /**
     * The shards of an operator that shares the objects with other replicas. Immutable.
     *
     * @param count into how many shards all objects fall
     * @param served how many of them this replica acts on
     * @param numbers which ones, as in {@code 0-31,40}; empty for none
     */
    public record Shards(int count, int served, String numbers) {}

    /** An operator whose webhooks are served, and that shares the objects with nobody. */
    public OperatorState(boolean ready, List<String> troubles, List<String> pauses, List<StreamState> streams) {
        this(ready, troubles, pauses, streams, true, null);
    }

    /**
     * True if it watches all that it should, as the page of readiness judges: it has seen all that exists, and neither
     * a stream nor anything beside the streams is in trouble.
     *
     * @param patience for how long the server may be silent: {@code settings().watching().inactivityTimeout()}
     */
    public boolean isWell(Duration patience) {
        return ready && troubles.isEmpty() && streams.stream().allMatch(stream -> stream.isWell(patience));
    }

    /** Copies the lists. */
    public OperatorState {
        troubles = List.copyOf(troubles);
        pauses = List.copyOf(pauses);
        streams = List.copyOf(streams);
    }
}
