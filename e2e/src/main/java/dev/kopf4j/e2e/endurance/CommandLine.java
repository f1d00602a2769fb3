package dev.kopf4j.e2e.endurance;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The options of the command line, by their names. Immutable. */
final class CommandLine {
    static final String USAGE = """
            usage: e2e/endurance [OPTION VALUE]...
            Runs an operator for some minutes while it and its cluster are disturbed, and counts what was lost and repeated.

              --minutes N             how long (default: 5); then it waits until nothing is left to be done, 3 minutes at most
              --rounds N              end after so many disturbances (default: no limit but the time)
              --seconds N             how long each freeze, silence, outage, or time without credentials lasts (default: drawn)
              --objects N             how many objects there are at a time (default: 100)
              --pace N                how many objects are created, changed or deleted in a second (default: 20)
              --replicas N            how many operators there are; of several, the one with the lease acts (default: 1; 2 for leaders)
              --only NAME[,NAME]...   what is done; default: all but leaders, which is in it with --replicas 2
                kills                   the operator's process is killed (SIGKILL) and started again
                freezes                 the operator's process stands still for up to 9 s (SIGSTOP)
                silences                the server accepts connections, and does not answer for up to 15 s
                outages                 the server is killed, and started again after up to 12 s
                rotations               the operator's credentials are refused, and replaced up to 4 s later
                definitions             the definition is deleted with its objects; every second time the operator is killed meanwhile
                replacements            objects are deleted and created anew at once, while handlers run for them
                namespaces              a namespace is deleted with its objects
                leaders                 the replica that leads stands still until another one leads
              --login NAME            how the operator logs in: file (of a token), exec (a plugin), both (by turns; the default)
              --seed N                the seed of all that (default: drawn, and printed)
              --folder DIR            where files go, to be kept (default: a temporary folder, deleted if all is well)

            The dev cluster is started unless a cluster is named. There, the administrator makes the definition trials.endurance.kopf4j.dev, the
            namespaces endurance-a and endurance-b, and the binding kopf4j-endurance, and deletes them at the end:

              --kubeconfig FILE       the cluster, as an administrator
              --freeze-server CMD     makes its server silent (for silences), by sh -c; with
              --thaw-server CMD       lets it go on
              --kill-server CMD       ends its server (for outages); with
              --start-server CMD      starts it, and returns when it listens

            Exit codes: 0 all is well; 1 a change was lost, or repeated after its success was recorded, or not all came to an end, or liveness said
            that a restart would help; 2 wrong usage.
            """;

    private static final Set<String> NAMES = Set.of(
            "--minutes",
            "--rounds",
            "--seconds",
            "--objects",
            "--pace",
            "--replicas",
            "--only",
            "--login",
            "--seed",
            "--folder",
            "--kubeconfig",
            "--freeze-server",
            "--thaw-server",
            "--kill-server",
            "--start-server");

    private final Map<String, String> values = new HashMap<>();

    /**
     * Takes them apart.
     *
     * @throws IllegalArgumentException if one is unknown or without a value
     */
    CommandLine(String... arguments) {
        for (int at = 0; at < arguments.length; at += 2) {
            if (!NAMES.contains(arguments[at])) {
                throw new IllegalArgumentException("unknown: " + arguments[at]);
            }
            if (at + 1 == arguments.length) {
                throw new IllegalArgumentException("a value is missing after " + arguments[at]);
            }
            values.put(arguments[at], arguments[at + 1]);
        }
    }

    boolean has(String name) {
        return values.containsKey(name);
    }

    @Nullable String get(String name) {
        return values.get(name);
    }

    /** A whole number, from 1. */
    int number(String name, int otherwise, int most) {
        String text = values.getOrDefault(name, Integer.toString(otherwise));
        try {
            int number = Integer.parseInt(text);
            if (number >= 1 && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException(name + " takes a whole number, not '" + text + "'", e);
        }
        throw new IllegalArgumentException(name + " must be 1 to " + most + ": " + text);
    }
}
