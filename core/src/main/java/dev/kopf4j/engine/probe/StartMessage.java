package dev.kopf4j.engine.probe;

import dev.kopf4j.OperatorState;
import dev.kopf4j.StreamState;
import java.util.ArrayList;
import java.util.List;

/**
 * What the log says once the start is over: ready, or what is in the way. It agrees with {@link ReadinessPage}. Pure.
 */
public final class StartMessage {
    private StartMessage() {}

    /** What the operator cannot watch, with the reasons; empty if it watches all that it should, or is paused. */
    public static List<String> obstacles(OperatorState state) {
        List<String> obstacles = new ArrayList<>(state.troubles());
        state.streams().stream()
                .filter(stream -> !stream.paused() && (!stream.listed() || stream.trouble() != null))
                .map(StartMessage::obstacle)
                .forEach(obstacles::add);
        return obstacles;
    }

    private static String obstacle(StreamState stream) {
        return stream.name() + (stream.trouble() == null ? " is not listed yet" : ": " + stream.trouble());
    }

    /** That the operator is ready, or what it waits for before it acts. */
    public static String ready(OperatorState state) {
        return "The operator is ready"
                + (state.pauses().isEmpty() ? "" : ", but does not act yet: " + String.join("; ", state.pauses()))
                + ".";
    }

    /** That the operator is not ready, and why. */
    public static String notReady(List<String> obstacles) {
        return "The operator has started, but is not ready, and goes on trying: " + String.join("; ", obstacles) + ".";
    }
}
