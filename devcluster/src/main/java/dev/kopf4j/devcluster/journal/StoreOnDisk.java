package dev.kopf4j.devcluster.journal;

import dev.kopf4j.devcluster.api.TaskScheduler;
import dev.kopf4j.devcluster.storage.ObjectStore;
import java.nio.file.Path;

/** The journal of a store in its folder, which is locked until this is closed. Thread-safe. */
public final class StoreOnDisk implements AutoCloseable {
    private final DataFolder folder;
    private final Journal journal;

    private StoreOnDisk(DataFolder folder, Journal journal) {
        this.folder = folder;
        this.journal = journal;
    }

    /** Restores a store from a folder, and writes all further changes to it. */
    public static StoreOnDisk restore(Path path, ObjectStore objectStore, TaskScheduler taskScheduler) {
        DataFolder folder = DataFolder.open(path);
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
