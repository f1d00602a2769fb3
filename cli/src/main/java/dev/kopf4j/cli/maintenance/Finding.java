package dev.kopf4j.cli.maintenance;

import java.util.List;

/**
 * Something that is wrong, in words for people. Immutable.
 *
 * @param problem what
 * @param wayOut what to do about it
 * @param places where: some of the objects; empty if it is about no object
 * @param count how many there are in all
 */
public record Finding(String problem, String wayOut, List<String> places, long count) {
    /** Copies the list. */
    public Finding {
        places = List.copyOf(places);
    }
}
