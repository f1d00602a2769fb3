package dev.kopf4j.devcluster.journal;

import dev.kopf4j.devcluster.storage.ObjectStore;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fills a store from a folder: the newest snapshot, then the journals since. Used once. */
final class JournalRecovery {
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
        long size = 0;
        if (!snapshots.isEmpty()) {
            SnapshotFile.read(snapshots.getLast(), objectStore);
            size = Files.size(snapshots.getLast());
        }
        List<Path> journals = folder.journals();
        for (int index = 0; index < journals.size(); index++) {
            if (!journal(journals.get(index))) {
                for (Path later : journals.subList(index + 1, journals.size())) {
                    Files.move(later, aside(later), StandardCopyOption.REPLACE_EXISTING);
                    LOG.error("{} follows the damaged journal and is not used; it was kept as {}", later, aside(later));
                }
                break;
            }
        }
        return size;
    }

    /** What was damaged; empty if nothing was. */
    String damage() {
        return damage;
    }

    /** Replays a journal; true if it is intact. */
    private boolean journal(Path file) throws IOException {
        try (JournalReader reader = new JournalReader(file)) {
            for (Optional<JournalEntry> next = reader.next(); next.isPresent(); next = reader.next()) {
                play(next.get());
            }
            if (reader.damage().isEmpty()) {
                return true;
            }
            damage = "the journal " + file + " is damaged at byte " + reader.whole() + ": " + reader.damage()
                    + ". The cluster continues at version " + objectStore.version()
                    + " with all changes up to there; the "
                    + reader.rest() + " bytes from there on are lost, and a copy of the file was kept as "
                    + aside(file);
            LOG.error(damage);
            Files.copy(file, aside(file), StandardCopyOption.REPLACE_EXISTING);
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

    private static Path aside(Path file) {
        return file.resolveSibling(file.getFileName() + ASIDE);
    }

    private static void cut(Path file, long size) throws IOException {
        // Not a channel: this thread may have been interrupted.
        try (RandomAccessFile cut = new RandomAccessFile(file.toFile(), "rw")) {
            cut.setLength(size);
            cut.getFD().sync();
        }
    }
}
