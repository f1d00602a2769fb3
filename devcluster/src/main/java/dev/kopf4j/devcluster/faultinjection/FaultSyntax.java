package dev.kopf4j.devcluster.faultinjection;

import java.time.Duration;
import java.util.Deque;

/** Reads and writes faults as words: the end of a rule. Pure. */
final class FaultSyntax {
    private FaultSyntax() {}

    /** Reads a fault, and removes its words from the queue. */
    static Fault parse(Deque<String> words) {
        String kind = words.remove();
        return switch (kind) {
            case "latency" -> {
                Duration least = time(words);
                yield new Fault.Latency(least, words.isEmpty() ? least : time(words));
            }
            case "reset" -> new Fault.Reset(false);
            case "reset-after" -> new Fault.Reset(true);
            case "silence" -> new Fault.Silence(timeOrZero(words));
            case "stall" -> new Fault.Stall(time(words), time(words));
            case "duplicates" -> new Fault.Duplicates();
            case "delays" -> new Fault.Delays(time(words));
            case "gone" -> new Fault.Expiry(timeOrZero(words));
            default -> {
                if (!kind.matches("[0-9]{3}")) {
                    throw new IllegalArgumentException("unknown fault '" + kind + "'");
                }
                yield new Fault.Refusal(Integer.parseInt(kind), timeOrZero(words));
            }
        };
    }

    private static Duration timeOrZero(Deque<String> words) {
        return words.isEmpty() ? Duration.ZERO : time(words);
    }

    private static Duration time(Deque<String> words) {
        return TimeSyntax.parse(words.remove());
    }

    /** Writes a fault so that {@link #parse} reads it. */
    static String write(Fault fault) {
        return switch (fault) {
            case Fault.Latency(Duration least, Duration most) -> "latency " + write(least) + " " + write(most);
            case Fault.Refusal(int status, Duration after) -> status + (after.isZero() ? "" : " " + write(after));
            case Fault.Reset(boolean done) -> done ? "reset-after" : "reset";
            case Fault.Silence(Duration after) -> "silence " + write(after);
            case Fault.Stall(Duration after, Duration time) -> "stall " + write(after) + " " + write(time);
            case Fault.Duplicates() -> "duplicates";
            case Fault.Delays(Duration most) -> "delays " + write(most);
            case Fault.Expiry(Duration after) -> "gone " + write(after);
        };
    }

    private static String write(Duration time) {
        return TimeSyntax.write(time);
    }
}
