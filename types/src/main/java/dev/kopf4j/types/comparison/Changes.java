package dev.kopf4j.types.comparison;

import dev.kopf4j.types.Change;
import java.util.ArrayList;
import java.util.List;

/** Collects changes in their order. */
final class Changes {
    private final List<Change> found = new ArrayList<>();

    void breaking(String where, String what) {
        found.add(new Change(true, where, what));
    }

    void harmless(String where, String what) {
        found.add(new Change(false, where, what));
    }

    List<Change> list() {
        return List.copyOf(found);
    }
}
