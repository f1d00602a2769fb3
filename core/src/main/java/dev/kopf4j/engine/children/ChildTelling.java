package dev.kopf4j.engine.children;

import dev.kopf4j.Reason;
import dev.kopf4j.engine.children.live.ChildNews;
import dev.kopf4j.object.CompactBody;
import dev.kopf4j.persistence.progress.ProgressRecord;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** What some handlers have yet to be told of one child, as they have failed. Confined to the parent's worker. */
final class ChildTelling {
    /**
     * What one handler has to be told.
     *
     * @param record how far it has come
     * @param reason what has happened to the child since the handler was told of it
     * @param known the state that the handler knows; null if it knows none
     */
    record Left(
            ProgressRecord record, Reason reason, @Nullable CompactBody known) {
        /** Something else has happened meanwhile. */
        Left and(Reason later) {
            Reason merged = later == Reason.DELETE ? later : reason;
            return new Left(record, merged, known);
        }
    }

    private final String key;
    private ChildNews news;
    private CompactBody newest;
    private final Map<String, Left> left = new HashMap<>();

    /**
     * Nothing is left.
     *
     * @param key by what the child knows its parent
     * @param newest the newest state of the child
     */
    ChildTelling(String key, ChildNews news, CompactBody newest) {
        this.key = key;
        this.news = news;
        this.newest = newest;
    }

    String key() {
        return key;
    }

    ChildNews news() {
        return news;
    }

    CompactBody newest() {
        return newest;
    }

    void newer(ChildNews later, CompactBody state) {
        news = later;
        newest = state;
    }

    /** By the ids of the handlers. */
    Map<String, Left> left() {
        return left;
    }
}
