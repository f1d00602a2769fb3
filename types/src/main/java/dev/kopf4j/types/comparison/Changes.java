package dev.kopf4j.types.comparison;

import java.util.ArrayList;
import java.util.List;

/** Collects changes in their order. */
public final class Changes {
    private final List<Found> found = new ArrayList<>();

    Changes() {}

    /**
     * A difference.
     *
     * @param breaking true if what was fine before may not be so any more
     * @param where the version and field; empty for the definition itself
     * @param what what has changed, for people
     */
    public record Found(boolean breaking, String where, String what) {}

    void breaking(String where, String what) {
        found.add(new Found(true, where, what));
    }

    void harmless(String where, String what) {
        found.add(new Found(false, where, what));
    }

    List<Found> list() {
        return List.copyOf(found);
    }
}
