package dev.kopf4j.engine.children;

import dev.kopf4j.Reason;
import dev.kopf4j.engine.children.KnownChildren.ChildNotice;
import dev.kopf4j.object.CompactBody;
import dev.kopf4j.persistence.progress.ProgressRecord;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/**
 * What the operator remembers of a parent and its children between cycles: a few flags at rest. Confined to the
 * parent's worker.
 */
public final class ChildrenMemory {
    private static final Duration WINDOW = Duration.ofMinutes(1);

    private final List<String> keys;
    private final Runnable wake;
    private long reconciledState;
    private long writtenCondition;
    private Deadline writesUntil = Deadline.NEVER;
    private int writes;
    private boolean everReconciled;
    private boolean atRest;
    private boolean childrenStay;
    private @Nullable Troubles troubles;
    /** What the server has taken off children, by the handlers and the children's titles; null for nothing. */
    private @Nullable Map<String, Map<String, String>> droppedMarks;

    /** What is only there while something is wrong, or has changed. */
    private static final class Troubles {
        private final Map<String, ProgressRecord> handlers = new HashMap<>();
        private final Map<String, WriteFailure> writes = new HashMap<>();
        /** As they have come: the end of a child before its successor of that name. */
        private final Map<String, ChildTelling> tellings = new LinkedHashMap<>();
        /** The last of each child or handler, by its title. */
        private final Map<String, String> reported = new HashMap<>();

        private Deadline retryAt = Deadline.NEVER;
    }

    /**
     * Nothing is known.
     *
     * @param keys by what children know the parent
     * @param wake tells the parent's worker to look at the children
     */
    ChildrenMemory(List<String> keys, Runnable wake) {
        this.keys = keys;
        this.wake = wake;
    }

    Runnable wake() {
        return wake;
    }

    List<String> keys() {
        return keys;
    }

    /** True if the handlers have seen the parent in this state. */
    boolean hasReconciled(long state) {
        return everReconciled && reconciledState == state;
    }

    /** Somebody deletes the parent, and wants its children to stay. */
    void childrenStay() {
        childrenStay = true;
    }

    /** True if somebody has wanted that. */
    boolean doChildrenStay() {
        return childrenStay;
    }

    void reconciled(long state) {
        reconciledState = state;
        everReconciled = true;
    }

    private Troubles troubles() {
        if (troubles == null) {
            troubles = new Troubles();
        }
        return troubles;
    }

    /** The failed attempts of a handler; null if there are none. */
    @Nullable ProgressRecord failure(String handler) {
        return troubles == null ? null : troubles.handlers.get(handler);
    }

    void handlerSucceeded(String handler) {
        if (troubles != null) {
            troubles.handlers.remove(handler);
        }
    }

    /** The failed attempts of handlers, by their ids. */
    Map<String, ProgressRecord> failures() {
        return troubles().handlers;
    }

    /** Why children could not be written or deleted, by their titles. */
    Map<String, WriteFailure> writeFailures() {
        return troubles().writes;
    }

    /** Why a child could not be written, or else deleted; null if it could, or was not tried. */
    @Nullable WriteFailure writeFailure(String title, boolean deletion) {
        WriteFailure last = troubles == null ? null : troubles.writes.get(title);
        return last == null || last.deletion() != deletion ? null : last;
    }

    /** True if a child could not be written or deleted. */
    public boolean hasWriteFailures() {
        return troubles != null && !troubles.writes.isEmpty();
    }

    void writeSucceeded(String title) {
        if (troubles != null) {
            troubles.writes.remove(title);
        }
    }

    /** Of all children that were looked at, these alone are tried again: what was refused of others is over. */
    void keepWriteFailures(Set<String> titles) {
        if (troubles != null) {
            troubles.writes.keySet().retainAll(titles);
        }
    }

    void forgetFailures() {
        writes = 0;
        if (troubles != null) {
            troubles.handlers.clear();
            troubles.writes.clear();
        }
    }

    /**
     * Counts a write. If somebody changes children back each time, both sides would go on for ever: so there is a limit
     * for each minute; false if it is reached.
     */
    boolean mayWrite(Platform platform, int max) {
        if (writesUntil.isNever() || writesUntil.hasPassed(platform)) {
            writesUntil = platform.after(WINDOW);
            writes = 0;
        }
        writes++;
        return writes <= max;
    }

    /** A write that was counted was refused: there is nothing that somebody could change back. */
    void writeRefused() {
        writes--;
    }

    /** When there may be writes again. */
    Deadline writesUntil() {
        return writesUntil;
    }

    /** What some handlers have yet to be told, by the uids of the children. */
    Map<String, ChildTelling> tellings() {
        return troubles().tellings;
    }

    boolean hasTellings() {
        return troubles != null && !troubles.tellings.isEmpty();
    }

    /** True if it is another trouble of that child or handler than the last one: the same is not reported again. */
    boolean reports(String title, String trouble) {
        return !trouble.equals(troubles().reported.put(title, trouble));
    }

    /**
     * True if these marks of a child that a handler wants, in words, are dropped anew; empty for none. The same is not
     * reported again.
     */
    boolean reportsDroppedMarks(String handler, String title, String marks) {
        if (marks.isEmpty()) {
            droppedMarks(handler).remove(title);
            return false;
        }
        if (droppedMarks == null) {
            droppedMarks = new HashMap<>();
        }
        return !marks.equals(
                droppedMarks.computeIfAbsent(handler, _ -> new HashMap<>()).put(title, marks));
    }

    /** A handler wants the children with these titles, and no others: what was reported of others is forgotten. */
    void wants(String handler, Set<String> titles) {
        droppedMarks(handler).keySet().retainAll(titles);
    }

    private Map<String, String> droppedMarks(String handler) {
        return droppedMarks == null ? new HashMap<>() : droppedMarks.getOrDefault(handler, new HashMap<>());
    }

    /** True if the last pass has reported a trouble. */
    boolean hasReported() {
        return troubles != null && !troubles.reported.isEmpty();
    }

    /** Tells people whether all children are as they ought to be, and why some could not be written. */
    public void tell(ObjectNode into) {
        into.put("atRest", atRest);
        if (troubles != null) {
            troubles.writes.forEach(
                    (title, failure) -> into.withObjectProperty("failures").put(title, failure.message()));
        }
    }

    void forgetReports() {
        if (troubles != null) {
            troubles.reported.clear();
        }
    }

    /** When something has to be tried again; never if nothing has. */
    Deadline retryAt() {
        return troubles == null ? Deadline.NEVER : troubles.retryAt;
    }

    void retryAt(Deadline moment) {
        if (troubles != null || !moment.isNever()) {
            troubles().retryAt = moment;
        }
    }

    /** True if that condition was written last, and was not seen on the parent since. */
    boolean hasWritten(long condition) {
        return writtenCondition == condition;
    }

    void written(long condition) {
        writtenCondition = condition;
    }

    /** True if all children are as they ought to be, and ready: the parent's state need not be kept. */
    public boolean isAtRest() {
        return atRest;
    }

    void rest(boolean nothingLeft) {
        atRest = nothingLeft;
        if (nothingLeft && troubles != null && !hasTellings()) {
            troubles = null;
        }
    }

    /** What that handler has yet to be told is told as its changed records say; false if there is nothing. */
    boolean changeRecords(String handler, UnaryOperator<ProgressRecord> change) {
        boolean any = false;
        if (hasTellings()) {
            for (ChildTelling telling : tellings().values()) {
                any |= telling.pending().computeIfPresent(handler, (_, pending) -> pending.with(change)) != null;
            }
        }
        return any;
    }

    /** Everything is to be looked at anew. What handlers have yet to be told stays: the children tell nothing anew. */
    public void forgetState() {
        everReconciled = false;
        Map<String, ChildTelling> untold = hasTellings() ? tellings() : Map.of();
        troubles = null;
        if (!untold.isEmpty()) {
            tellings().putAll(untold);
        }
    }

    /**
     * Why a child could not be written or deleted, and when it is tried again. Immutable.
     *
     * @param uid that of the child; null if there was none yet
     * @param deletion true if it was to be deleted
     * @param reason a word for machines
     * @param message in words for people
     * @param inRow how often it has failed in a row by the server, or the way to it, being in trouble
     */
    record WriteFailure(
            @Nullable String uid, boolean deletion, String reason, String message, Deadline retryAt, int inRow) {}

    /** What some handlers have yet to be told of one child, as they have failed. Confined to the parent's worker. */
    static final class ChildTelling {
        /**
         * What one handler has to be told.
         *
         * @param record how far it has come
         * @param reason what has happened to the child since the handler was told of it
         * @param known the state that the handler knows; null if it knows none
         */
        record Pending(
                ProgressRecord record,
                Reason reason,
                @Nullable CompactBody known) {
            /** Something else has happened meanwhile. */
            Pending and(Reason later) {
                Reason merged = later == Reason.DELETE ? later : reason;
                return new Pending(record, merged, known);
            }

            /** The same with another record. */
            Pending with(UnaryOperator<ProgressRecord> change) {
                return new Pending(change.apply(record), reason, known);
            }
        }

        private ChildNotice notice;
        private CompactBody newest;
        private final Map<String, Pending> pending = new HashMap<>();

        /**
         * Nothing is pending.
         *
         * @param newest the newest state of the child
         */
        ChildTelling(ChildNotice notice, CompactBody newest) {
            this.notice = notice;
            this.newest = newest;
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
}
