package dev.kopf4j.devcluster.journal;

import dev.kopf4j.devcluster.storage.ObjectStore;
import dev.kopf4j.devcluster.storage.StoredObject;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;

/** A file with all objects of a store at one version. Stateless. */
public final class SnapshotFile {
    private SnapshotFile() {}

    private record State(long version, Map<String, List<StoredObject>> objects) {}

    /**
     * Writes the present state of a store to a file, which is replaced.
     *
     * @throws UncheckedIOException if the file cannot be written
     */
    public static void save(ObjectStore objectStore, Path file) {
        AtomicReference<State> captured = new AtomicReference<>(new State(0, Map.of()));
        objectStore.capture((version, objects) -> captured.set(new State(version, objects)));
        try {
            write(file, captured.get().version(), captured.get().objects());
        } catch (IOException e) {
            throw new UncheckedIOException("the snapshot " + file + " cannot be written", e);
        }
    }

    /**
     * Fills an empty store from a file.
     *
     * @throws UncheckedIOException if there is no such file, it is damaged, or a newer version has written it
     */
    public static void restore(Path file, ObjectStore objectStore) {
        try {
            read(file, objectStore);
        } catch (IOException e) {
            throw new UncheckedIOException("the cluster cannot start from the snapshot " + file, e);
        }
    }

    /** Returns the size of the file in bytes. */
    static long write(Path file, long version, Map<String, List<StoredObject>> objects) throws IOException {
        Files.deleteIfExists(file);
        long count = 0;
        try (JournalWriter out = new JournalWriter(file)) {
            for (Map.Entry<String, List<StoredObject>> bucket : objects.entrySet()) {
                for (StoredObject object : bucket.getValue()) {
                    out.append(new JournalEntry.Put(bucket.getKey(), object));
                    count++;
                }
            }
            out.append(new JournalEntry.SnapshotEnd(version, count));
            out.force();
            return out.size();
        }
    }

    static void read(Path file, ObjectStore objectStore) throws IOException {
        JournalReader.refuseNewer(file);
        long count = 0;
        try (JournalReader reader = new JournalReader(file, true)) {
            for (Optional<JournalEntry> next = reader.next(); next.isPresent(); next = reader.next()) {
                switch (next.get()) {
                    case JournalEntry.Put(var bucket, var object) -> {
                        objectStore.restore(bucket, object);
                        count++;
                    }
                    case JournalEntry.SnapshotEnd snapshotEnd -> {
                        if (snapshotEnd.count() != count) {
                            throw damaged(
                                    file, reader, "it should have " + snapshotEnd.count() + " objects, not " + count);
                        }
                        objectStore.endRestore(snapshotEnd.version());
                        return;
                    }
                    default -> throw damaged(file, reader, "a record that no snapshot has");
                }
            }
            throw damaged(file, reader, reader.damage().isEmpty() ? "its end is missing" : reader.damage());
        }
    }

    private static IOException damaged(Path file, JournalReader reader, String reason) {
        return new IOException("the snapshot " + file + " is damaged at byte " + reader.whole() + ": " + reason
                + "; put back a copy of the folder, or delete the folder to begin with an empty cluster");
    }
}
