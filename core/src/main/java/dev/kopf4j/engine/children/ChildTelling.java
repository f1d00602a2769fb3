package dev.kopf4j.engine.children;

import dev.kopf4j.Reason;
import dev.kopf4j.engine.children.live.ChildNotice;
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
    record Pending(
            ProgressRecord record, Reason reason, @Nullable CompactBody known) {
        /** Something else has happened meanwhile. */
        Pending and(Reason later) {
            Reason merged = later == Reason.DELETE ? later : reason;
            return new Pending(record, merged, known);
        }
    }

    private final String key;
    private ChildNotice notice;
    private CompactBody newest;
    private final Map<String, Pending> pending = new HashMap<>();

    /**
     * Nothing is pending.
     *
     * @param key by what the child knows its parent
     * @param newest the newest state of the child
     */
    ChildTelling(String key, ChildNotice notice, CompactBody newest) {
        this.key = key;
        this.notice = notice;
        this.newest = newest;
    }

    String key() {
        return key;
    }

    ChildNotice notice() {
        return notice;
    }

    CompactBody newest() {
        return newest;
    }

    void newer(ChildNotice later, CompactBody state) {
        notice = later;
        newest = state;
    }

    /** By the ids of the handlers. */
    Map<String, Pending> pending() {
        return pending;
    }
}
