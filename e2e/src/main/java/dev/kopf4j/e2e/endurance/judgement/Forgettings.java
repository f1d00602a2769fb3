package dev.kopf4j.e2e.endurance.judgement;

import java.util.List;

/**
 * When operators have forgotten what their handlers had seen: it is in memory only, so that a new process does not know
 * it, nor does one that has stepped down.
 */
public sealed interface Forgettings {
    /** Whether they have forgotten between these moments, in milliseconds. */
    boolean isBetween(long after, long before);

    /** At the starts of processes, in milliseconds. */
    static Forgettings at(List<Long> starts) {
        return new Starts(List.copyOf(starts));
    }

    /** Perhaps at any time. */
    static Forgettings atAnyTime() {
        return new Anytime();
    }

    /** Processes have begun. */
    record Starts(List<Long> millis) implements Forgettings {
        @Override
        public boolean isBetween(long after, long before) {
            return millis.stream().anyMatch(start -> after <= start && start <= before);
        }
    }

    /** Nobody knows. */
    record Anytime() implements Forgettings {
        @Override
        public boolean isBetween(long after, long before) {
            return true;
        }
    }
}
