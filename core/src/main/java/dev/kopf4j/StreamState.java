package dev.kopf4j;

import dev.kopf4j.text.PlaceText;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * How one watch-stream is doing. Immutable.
 *
 * @param resource which resource
 * @param namespace where; null for the whole cluster
 * @param listed true once all that existed at the start is known
 * @param paused true while the operator does not act here
 * @param trouble what is wrong at the moment; null if nothing is
 * @param silence the time since the server was last heard
 * @param waiting how many objects wait for their processing, or are being processed
 */
public record StreamState(
        Resource resource,
        @Nullable String namespace,
        boolean listed,
        boolean paused,
        @Nullable String trouble,
        Duration silence,
        int waiting) {
    /** Which resource, and where, for people: the words may change. */
    public String name() {
        return resource + " " + PlaceText.of(namespace);
    }

    /**
     * True if it sees what happens: it knows what existed and nothing disturbs it, or the operator does not act here.
     *
     * @param patience for how long the server may be silent
     */
    public boolean isWell(Duration patience) {
        return paused || (listed && trouble == null && silence.compareTo(patience) <= 0);
    }
}
