package dev.kopf4j.devcluster.journal;

import dev.kopf4j.devcluster.api.TaskScheduler;
import dev.kopf4j.devcluster.file.FileErrors;
import dev.kopf4j.devcluster.storage.ObjectChange;
import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.storage.StoredObject;
import dev.kopf4j.devcluster.storage.WriteAheadLog;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Appends each change, forces changes to the disk once a second, and writes a new snapshot when the journal is bigger
 * than the last one. Thread-safe.
 */
public final class Journal implements WriteAheadLog, AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(Journal.class);
    private static final Duration FORCE_INTERVAL = Duration.ofSeconds(1);
    private static final long SMALLEST_COMPACTION = 4 << 20;
    private final DataFolder folder;
    private final ObjectStore objectStore;
    private final TaskScheduler taskScheduler;
    private final String damage;
    private JournalWriter writer;
    /** The journal before that, as long as the disk may not have all of it. */
    private @Nullable JournalWriter former;

    private long limit;
    private boolean compacting;
    private boolean dirty;
    private boolean closed;

    /** Held while a snapshot is written, and files are deleted for it; taken before the lock of this object. */
    private final Object snapshotting = new Object();

    private Journal(
            DataFolder folder,
            ObjectStore objectStore,
            TaskScheduler taskScheduler,
            JournalWriter writer,
            long snapshotSize,
            String damage) {
        this.damage = damage;
        this.folder = folder;
        this.objectStore = objectStore;
        this.taskScheduler = taskScheduler;
        this.writer = writer;
        this.limit = Math.max(SMALLEST_COMPACTION, 2 * snapshotSize);
    }

    /**
     * Fills a new store from the folder, and writes all further changes to it.
     *
     * @throws UncheckedIOException if the folder cannot be read, its snapshot is damaged, or a newer version has
     *     written to it: then it stays as it is
     */
    public static Journal restore(DataFolder folder, ObjectStore objectStore, TaskScheduler taskScheduler) {
        try {
            JournalRecovery journalRecovery = new JournalRecovery(folder, objectStore);
            long size = journalRecovery.run();
            List<Path> journals = folder.journals();
            Path file = journals.isEmpty() ? folder.journal(objectStore.version()) : journals.getLast();
            Journal journal = new Journal(
                    folder, objectStore, taskScheduler, new JournalWriter(file), size, journalRecovery.damage());
            objectStore.log(journal);
            return journal;
        } catch (IOException e) {
            throw FileErrors.failure("the cluster cannot be restored", e);
        }
    }

    /** What was damaged at the start, and what is lost; empty if nothing is. */
    public String damage() {
        return damage;
    }

    @Override
    public void append(String bucket, ObjectChange objectChange) {
        StoredObject after = objectChange.after();
        StoredObject object = objectChange.object();
        write(
                after != null
                        ? new JournalEntry.Put(bucket, after)
                        : new JournalEntry.Remove(bucket, objectChange.version(), object.namespace(), object.name()));
    }

    @Override
    public void discard(String bucket, long version) {
        write(new JournalEntry.Discard(bucket, version));
    }

    private synchronized void write(JournalEntry journalEntry) {
        try {
            writer.append(journalEntry);
        } catch (IOException e) {
            throw new UncheckedIOException("the change cannot be kept on disk: " + e.getMessage(), e);
        }
        if (!dirty) {
            dirty = true;
            taskScheduler.later(FORCE_INTERVAL, this::force);
        }
        if (writer.size() > limit && !compacting) {
            compacting = true;
            taskScheduler.run(this::compact);
        }
    }

    /** Runs without the lock, since disks are slow. */
    private void force() {
        JournalWriter current;
        synchronized (this) {
            if (closed || !dirty) {
                return;
            }
            dirty = false;
            current = writer;
        }
        try {
            current.force();
        } catch (ClosedChannelException e) {
            LOG.atDebug().log("the journal was closed meanwhile, which forces it too");
        } catch (IOException e) {
            LOG.atError().setCause(e).log("changes cannot be forced to the disk");
        }
    }

    /** Writes a snapshot of the present state, and deletes the journals before it. */
    void compact() {
        boolean begun = false;
        try {
            objectStore.capture(this::beginNewJournal);
            begun = true;
        } catch (UncheckedIOException e) {
            LOG.atError().setCause(e).log("cannot begin a new journal; the old one stays in use");
        } finally { // too large for the memory, too
            if (!begun) {
                synchronized (this) {
                    settle(writer.size());
                }
            }
        }
    }

    /** Called under the store's lock: changes after this version go to a new journal. */
    private void beginNewJournal(long version, Map<String, List<StoredObject>> objects) {
        synchronized (this) {
            if (closed) {
                return;
            }
            JournalWriter before = writer;
            try {
                writer = new JournalWriter(folder.journal(version));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
            former = before;
            taskScheduler.run(() -> {
                synchronized (snapshotting) {
                    if (isOpen()) {
                        snapshot(before, version, objects);
                    }
                }
            });
        }
    }

    private synchronized boolean isOpen() {
        return !closed;
    }

    private void snapshot(JournalWriter before, long version, Map<String, List<StoredObject>> objects) {
        long size = 0;
        Path file = folder.snapshot(version);
        Path made = file.resolveSibling(DataFolder.UNFINISHED);
        try {
            try (before) {
                before.force();
            } finally {
                forget(before);
            }
            size = SnapshotFile.write(made, version, objects);
            Files.move(made, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
            folder.force();
            for (Path old : folder.snapshots()) {
                deleteBefore(old, version);
            }
            for (Path old : folder.journals()) {
                deleteBefore(old, version);
            }
        } catch (IOException | UncheckedIOException e) {
            LOG.atError().setCause(e).log("cannot write a snapshot; the journal grows until this works");
        } finally { // too large for the memory, too
            deleteUnfinished(made);
            settle(size);
        }
    }

    /** It may be what fills the disk, so that not even a deletion can be kept. */
    private static void deleteUnfinished(Path made) {
        try {
            Files.deleteIfExists(made);
        } catch (IOException e) {
            LOG.atError().setCause(e).log("cannot delete what was written of a snapshot");
        }
    }

    private synchronized void forget(JournalWriter closed) {
        if (former == closed) {
            former = null;
        }
    }

    private static void deleteBefore(Path file, long version) throws IOException {
        if (DataFolder.version(file) < version) {
            Files.delete(file);
        }
    }

    private synchronized void settle(long snapshotSize) {
        limit = Math.max(SMALLEST_COMPACTION, 2 * snapshotSize);
        compacting = false;
    }

    /** Forces all changes to the disk, and refuses further ones. Waits for a snapshot that is being written. */
    @Override
    public void close() {
        synchronized (snapshotting) {
            end();
        }
    }

    private synchronized void end() {
        if (closed) {
            return;
        }
        closed = true;
        try (JournalWriter last = writer;
                JournalWriter before = former) {
            try {
                if (before != null) {
                    before.force();
                }
            } finally {
                last.force();
            }
        } catch (IOException e) {
            throw FileErrors.failure("the journal cannot be closed", e);
        }
    }

    /** Fills a store from a folder: the newest snapshot, then the journals since. Used once. */
    private static final class JournalRecovery {
        private static final Logger LOG = LoggerFactory.getLogger(JournalRecovery.class);
        private static final String ASIDE = ".damaged";
        private final DataFolder folder;
        private final ObjectStore objectStore;
        private String damage = "";

        JournalRecovery(DataFolder folder, ObjectStore objectStore) {
            this.folder = folder;
            this.objectStore = objectStore;
        }

        /** Restores the store; returns the size of the snapshot in bytes, 0 if there is none. */
        long run() throws IOException {
            List<Path> snapshots = folder.snapshots();
            List<Path> journals = folder.journals();
            for (Path file : journals) { // before any of them is cut
                JournalReader.refuseNewer(file);
            }
            long size = 0;
            if (!snapshots.isEmpty()) {
                SnapshotFile.read(snapshots.getLast(), objectStore);
                size = Files.size(snapshots.getLast());
            }
            for (int index = 0; index < journals.size(); index++) {
                if (!journal(journals.get(index), index == journals.size() - 1)) {
                    putAside(journals.subList(index + 1, journals.size()));
                    LOG.error(damage);
                    break;
                }
            }
            return size;
        }

        /** They have changes of objects in states that are lost. */
        private void putAside(List<Path> journals) throws IOException {
            List<String> kept = new ArrayList<>();
            for (Path each : journals) {
                Path aside = aside(each);
                Files.move(each, aside);
                kept.add(aside.toString());
            }
            if (!kept.isEmpty()) {
                damage += ". What follows it is not used, and was kept as " + String.join(", ", kept);
            }
        }

        /** What was damaged; empty if nothing was. */
        String damage() {
            return damage;
        }

        /** Replays a journal; true if it is intact. Only the last one can be one that was just begun. */
        private boolean journal(Path file, boolean last) throws IOException {
            try (JournalReader reader = new JournalReader(file, last)) {
                for (Optional<JournalEntry> next = reader.next(); next.isPresent(); next = reader.next()) {
                    play(next.get());
                }
                if (reader.damage().isEmpty()) {
                    return true;
                }
                Path aside = aside(file);
                damage = "the journal " + file + " is damaged at byte " + reader.whole() + ": " + reader.damage()
                        + ". The cluster continues at version " + objectStore.version()
                        + " with all changes up to there; the "
                        + reader.rest() + " bytes from there on are lost, and a copy of the file was kept as "
                        + aside;
                Files.copy(file, aside);
                cut(file, reader.whole());
                return false;
            }
        }

        private void play(JournalEntry journalEntry) {
            switch (journalEntry) {
                case JournalEntry.Put(var bucket, var object) -> {
                    if (object.version() > objectStore.version()) {
                        objectStore.replay(bucket, object.version(), object.namespace(), object.name(), object);
                    }
                }
                case JournalEntry.Remove(var bucket, long version, var namespace, var name) -> {
                    if (version > objectStore.version()) {
                        objectStore.replay(bucket, version, namespace, name, null);
                    }
                }
                case JournalEntry.Discard(var bucket, long version) -> {
                    if (version >= objectStore.version()) {
                        objectStore.replayDiscard(bucket);
                    }
                }
                case JournalEntry.SnapshotEnd ignored ->
                    throw new UncheckedIOException(new IOException("the end of a snapshot in a journal"));
            }
        }

        /** A name that no file has: what was put aside earlier may be all that is left of a cluster. */
        private static Path aside(Path file) {
            Path aside = file.resolveSibling(file.getFileName() + ASIDE);
            for (int count = 2; Files.exists(aside, LinkOption.NOFOLLOW_LINKS); count++) {
                aside = file.resolveSibling(file.getFileName() + ASIDE + "." + count);
            }
            return aside;
        }

        private static void cut(Path file, long size) throws IOException {
            // Not a channel: this thread may have been interrupted.
            try (RandomAccessFile cut = new RandomAccessFile(file.toFile(), "rw")) {
                cut.setLength(size);
                cut.getFD().sync();
            }
        }
    }
}
