package dev.kopf4j.devcluster.journal;

import dev.kopf4j.devcluster.api.TaskScheduler;
import dev.kopf4j.devcluster.storage.ObjectStore;

/** The journal of a store in its folder, which is locked until this is closed. Thread-safe. */
public final class StoreOnDisk implements AutoCloseable {
    private final DataFolder folder;
    private final Journal journal;

    private StoreOnDisk(DataFolder folder, Journal journal) {
        this.folder = folder;
        this.journal = journal;
    }

    /** Restores a store from a folder, and writes all further changes to it; closes the folder with itself. */
    public static StoreOnDisk restore(DataFolder folder, ObjectStore objectStore, TaskScheduler taskScheduler) {
        try {
            return new StoreOnDisk(folder, Journal.restore(folder, objectStore, taskScheduler));
        } catch (RuntimeException e) {
            folder.close();
            throw e;
        }
    }

    /** What was damaged, and what is lost; empty if nothing is. */
    public String damage() {
        return journal.damage();
    }

    @Override
    public void close() {
        try (folder) {
            journal.close();
        }
    }
}
