package dev.kopf4j.devcluster.strategy.core.service;

import java.util.HashSet;
import java.util.IdentityHashMap;
import java.util.Optional;
import java.util.Set;
import java.util.function.IntFunction;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which addresses, or which ports, are in use. The services that are stored decide, and the writes that have not ended;
 * what was taken since is remembered, so that services are read only if a value seems to be taken. Thread-safe.
 */
final class ValuesInUse {
    private final Supplier<Set<String>> stored;
    private final IntFunction<String> values;
    private final int size;
    private final IdentityHashMap<Object, Set<String>> takenByWrites = new IdentityHashMap<>();
    private @Nullable Set<String> known;
    private int next;

    /**
     * Nothing is taken yet.
     *
     * @param stored the values of all services that are stored
     * @param values what is given to who wants any value, by numbers
     * @param size how many numbers there are
     * @param first the number that is given first
     */
    ValuesInUse(Supplier<Set<String>> stored, IntFunction<String> values, int size, int first) {
        this.stored = stored;
        this.values = values;
        this.size = size;
        this.next = first;
    }

    /** Takes a value for a write; false if it is in use. */
    synchronized boolean take(Object write, String value) {
        if (takenByWrites.values().stream().anyMatch(taken -> taken.contains(value))) {
            return false;
        }
        if (known == null || known.contains(value)) {
            known = read();
        }
        return add(known, write, value);
    }

    /** Takes any value for a write; empty if all are in use. */
    synchronized Optional<String> takeNext(Object write) {
        Set<String> since = known == null ? read() : known;
        known = since;
        Optional<String> taken = takeNext(since, write);
        if (taken.isEmpty()) {
            since = read();
            known = since;
            taken = takeNext(since, write);
        }
        return taken;
    }

    private Optional<String> takeNext(Set<String> since, Object write) {
        for (int tries = 0; tries < size; tries++) {
            String value = values.apply(next);
            next = (next + 1) % size;
            if (add(since, write, value)) {
                return Optional.of(value);
            }
        }
        return Optional.empty();
    }

    private boolean add(Set<String> since, Object write, String value) {
        boolean free = since.add(value);
        if (free) {
            takenByWrites.computeIfAbsent(write, first -> new HashSet<>()).add(value);
        }
        return free;
    }

    private Set<String> read() {
        Set<String> read = new HashSet<>(stored.get());
        takenByWrites.values().forEach(read::addAll);
        return read;
    }

    /** A write has ended: what it has taken is stored by now, or free. */
    synchronized void release(Object write) {
        takenByWrites.remove(write);
    }
}
