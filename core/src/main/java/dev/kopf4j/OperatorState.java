package dev.kopf4j;

import java.util.List;

/**
 * How the operator is doing. Immutable.
 *
 * @param ready true once it has seen all that exists
 * @param troubles what is wrong beside the streams
 * @param pauses why it does not act at the moment; empty if it acts
 * @param streams its watch-streams
 */
public record OperatorState(boolean ready, List<String> troubles, List<String> pauses, List<StreamState> streams) {
    /** It has not begun to watch. */
    public static final OperatorState STARTING = new OperatorState(false, List.of(), List.of(), List.of());

    /** Copies the lists. */
    public OperatorState {
        troubles = List.copyOf(troubles);
        pauses = List.copyOf(pauses);
        streams = List.copyOf(streams);
    }
}
