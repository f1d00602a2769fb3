package dev.kopf4j.engine.processing;

import dev.kopf4j.object.PatchContent;

/**
 * What the cycles of one object could not send yet, and how often that has failed in a row; {@link CyclePatch} alone
 * writes it. Confined to the worker.
 */
final class UnsentPatch {
    private PatchContent content = new PatchContent();
    private int conflictsInRow;
    private boolean refreshNeeded;

    /** Nothing is left to send. */
    UnsentPatch() {}

    boolean isEmpty() {
        return content.isEmpty();
    }

    /** Takes everything that is left to send. */
    PatchContent take() {
        PatchContent taken = content;
        content = new PatchContent();
        return taken;
    }

    /** Adds something to send later. */
    void add(PatchContent later) {
        content.add(later);
    }

    /** Counts a conflict with a newer state; returns how many there were before it. */
    int countConflict() {
        return conflictsInRow++;
    }

    /** Something was sent without a conflict. */
    void forgetConflicts() {
        conflictsInRow = 0;
        refreshNeeded = false;
    }

    /** True if the object has to be asked for anew before anything is sent. */
    boolean isRefreshNeeded() {
        return refreshNeeded;
    }

    void needRefresh(boolean needed) {
        refreshNeeded = needed;
    }
}
