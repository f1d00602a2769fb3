package dev.kopf4j.engine.processing;

import dev.kopf4j.runtime.Deadline;
import org.jspecify.annotations.Nullable;

/**
 * Which version of an object is known or expected; {@link ConsistencyCheck} and {@link OwnChangeEcho} alone write it.
 * Confined to the worker.
 */
final class KnownVersion {
    private @Nullable String newest;
    private int learntInList;
    private Deadline expectedUntil = Deadline.NEVER;
    private @Nullable String echo;
    private boolean deletedEventAwaited;

    /** Nothing is known. */
    KnownVersion() {}

    /** The newest version that was seen or made; null if none is known. */
    @Nullable String newest() {
        return newest;
    }

    /** The number of the list that had begun last when the newest version became known. */
    int learntInList() {
        return learntInList;
    }

    /** Until when the newest version is waited for; never if it has been seen. */
    Deadline expectedUntil() {
        return expectedUntil;
    }

    /** The version of the operator's own change, after which nothing is left to do; null if there is none. */
    @Nullable String echo() {
        return echo;
    }

    /** True if the finalizer is off the object in deletion: its DELETED event comes next, and nothing else counts. */
    boolean isDeletedEventAwaited() {
        return deletedEventAwaited;
    }

    void learn(@Nullable String version, int list) {
        newest = version;
        learntInList = list;
    }

    void expectUntil(Deadline deadline) {
        expectedUntil = deadline;
    }

    void expectEcho(@Nullable String version) {
        echo = version;
    }

    void awaitDeletedEvent(boolean awaited) {
        deletedEventAwaited = awaited;
    }
}
