package dev.kopf4j.devcluster.strategy.core.service;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which addresses, or which ports, are in use. The services that are stored decide; what was taken since is remembered,
 * so that they are read only if a value seems to be taken. Thread-safe.
 */
final class ValuesInUse {
    private final Supplier<Set<String>> stored;
    private @Nullable Set<String> known;

    /**
     * Nothing is taken yet.
     *
     * @param stored the values of all services that are stored
     */
    ValuesInUse(Supplier<Set<String>> stored) {
        this.stored = stored;
    }

    /** Takes a value; false if it is in use. */
    synchronized boolean take(String value) {
        if (known == null) {
            known = new HashSet<>(stored.get());
        } else if (known.contains(value)) {
            known = new HashSet<>(stored.get());
        }
        return known.add(value);
    }
}
