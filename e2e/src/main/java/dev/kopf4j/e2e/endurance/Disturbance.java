package dev.kopf4j.e2e.endurance;

import java.util.Arrays;
import java.util.Locale;
import java.util.stream.Collectors;

/** What is done to an operator and its cluster. */
enum Disturbance {
    /** The operator's process is killed, and started again, sometimes while it is starting. */
    KILLS,
    /** The operator's process stands still for a while. */
    FREEZES,
    /** The server accepts connections, and does not answer. */
    SILENCES,
    /** The server is killed, and started again later. */
    OUTAGES,
    /** The operator's credentials are refused, and there are new ones. */
    ROTATIONS,
    /** The definition is deleted with all objects; every second time, the operator is killed meanwhile. */
    DEFINITIONS,
    /** Objects are deleted and created anew at once, while handlers run for them. */
    REPLACEMENTS,
    /** A namespace is deleted with its objects. */
    NAMESPACES,
    /** The replica that leads stands still until another one leads. */
    LEADERS;

    static Disturbance of(String name) {
        try {
            return valueOf(name.toUpperCase(Locale.ROOT));
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "'" + name + "' is no disturbance: "
                            + Arrays.stream(values()).map(Disturbance::toString).collect(Collectors.joining(", ")),
                    e);
        }
    }

    @Override
    public String toString() {
        return name().toLowerCase(Locale.ROOT);
    }
}
