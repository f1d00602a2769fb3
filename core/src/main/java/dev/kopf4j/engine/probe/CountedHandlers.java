package dev.kopf4j.engine.probe;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The ids under which calls of handlers are counted. Those of sub-handlers are made of what is in objects, so there is
 * no end to them: a thousand ids are told apart, and further sub-handlers count as {@code parent/*}. Thread-safe.
 */
public final class CountedHandlers {
    private static final int MAX = 1000;

    private final Set<String> known = ConcurrentHashMap.newKeySet();

    /** None yet. */
    public CountedHandlers() {}

    /** The id under which a call is counted. */
    public String counted(String id) {
        int parent = id.indexOf('/');
        if (parent < 0 || known.contains(id)) {
            return id;
        }
        if (known.size() >= MAX) {
            return id.substring(0, parent) + "/*";
        }
        known.add(id);
        return id;
    }
}
