package dev.kopf4j.e2e.endurance;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/**
 * How long and how hard. Immutable.
 *
 * @param seed of what is disturbed when, and of the load
 * @param length how long
 * @param load what happens meanwhile
 * @param only what is done
 * @param login how operators log in
 * @param cluster an existing cluster, if not the dev cluster
 * @param paths where files are
 */
record EndurancePlan(
        long seed,
        Length length,
        Rate load,
        Set<Disturbance> only,
        Login login,
        Optional<ExistingCluster> cluster,
        Paths paths) {
    /**
     * How long.
     *
     * @param time how long objects are changed and things are disturbed; what is left then gets {@link #PATIENCE} more
     * @param rounds after how many disturbances it is enough, if that is before the time is over
     * @param seconds how long a freeze, a silence, an outage, or a time without credentials lasts, if that is not drawn
     */
    record Length(Duration time, int rounds, OptionalInt seconds) {}

    /**
     * How hard.
     *
     * @param objects how many objects there are at a time
     * @param pace how many of them are created, changed or deleted in a second
     * @param replicas how many operators there are; of several, the one with the lease acts
     */
    record Rate(int objects, int pace, int replicas) {}

    /**
     * Where files are.
     *
     * @param program the launcher of kopf4j
     * @param folder where all files go
     */
    record Paths(Path program, Path folder) {}

    /** How operators log in. */
    enum Login {
        /** By a kubeconfig that names a file with the token. */
        FILE,
        /** By a kubeconfig with a plugin that prints the token. */
        EXEC,
        /** By turns, process by process. */
        BOTH
    }

    /** How long the operator may take at the end until nothing is left to be done. */
    static final Duration PATIENCE = Duration.ofMinutes(3);

    /** Makes the set unmodifiable. */
    EndurancePlan {
        only = Set.copyOf(only);
    }
}
