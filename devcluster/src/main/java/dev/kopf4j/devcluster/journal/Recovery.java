package dev.kopf4j.devcluster.journal;

import dev.kopf4j.devcluster.store.Store;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.List;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fills a store from a folder: the newest snapshot, then the journals since. Used once. */
final class Recovery {
    private static final Logger LOG = LoggerFactory.getLogger(Recovery.class);
    private static final String ASIDE = ".damaged";
    private final DataFolder folder;
    private final Store store;
    private String damage = "";

    Recovery(DataFolder folder, Store store) {
        this.folder = folder;
        this.store = store;
    }

    /** Restores the store; the size of the snapshot in bytes, 0 when there is none. */
    long run() throws IOException {
        List<Path> snapshots = folder.snapshots();
        long size = 0;
        if (!snapshots.isEmpty()) {
            snapshot(snapshots.getLast());
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

    /** What was damaged; empty when all was whole. */
    String damage() {
        return damage;
    }

    private void snapshot(Path file) throws IOException {
        long count = 0;
        try (RecordReader reader = new RecordReader(file)) {
            for (Optional<Entry> next = reader.next(); next.isPresent(); next = reader.next()) {
                switch (next.get()) {
                    case Entry.Put(var bucket, var object) -> {
                        store.restore(bucket, object);
                        count++;
                    }
                    case Entry.End end -> {
                        if (end.count() != count) {
                            throw damaged(file, reader, "it should have " + end.count() + " objects, not " + count);
                        }
                        store.restored(end.version());
                        return;
                    }
                    default -> throw damaged(file, reader, "a record that no snapshot has");
                }
            }
            throw damaged(file, reader, reader.trouble().isEmpty() ? "its end is missing" : reader.trouble());
        }
    }

    private static IOException damaged(Path file, RecordReader reader, String reason) {
        return new IOException("the snapshot " + file + " is damaged at byte " + reader.whole() + ": " + reason
                + "; put back a copy of the folder, or delete the folder to begin with an empty cluster");
    }

    /** Plays a journal; whether it was whole. */
    private boolean journal(Path file) throws IOException {
        try (RecordReader reader = new RecordReader(file)) {
            for (Optional<Entry> next = reader.next(); next.isPresent(); next = reader.next()) {
                play(next.get());
            }
            if (reader.trouble().isEmpty()) {
                return true;
            }
            damage = "the journal " + file + " is damaged at byte " + reader.whole() + ": " + reader.trouble()
                    + ". The cluster continues at version " + store.version() + " with all changes up to there; the "
                    + reader.rest() + " bytes from there on are lost, and a copy of the file was kept as "
                    + aside(file);
            LOG.error(damage);
            Files.copy(file, aside(file), StandardCopyOption.REPLACE_EXISTING);
            cut(file, reader.whole());
            return false;
        }
    }

    private void play(Entry entry) {
        switch (entry) {
            case Entry.Put(var bucket, var object) -> {
                if (object.version() > store.version()) {
                    store.replay(bucket, object.version(), object.namespace(), object.name(), object);
                }
            }
            case Entry.Remove(var bucket, long version, var namespace, var name) -> {
                if (version > store.version()) {
                    store.replay(bucket, version, namespace, name, null);
                }
            }
            case Entry.Discard(var bucket, long version) -> {
                if (version >= store.version()) {
                    store.replayDiscard(bucket);
                }
            }
            case Entry.End ignored ->
                throw new UncheckedIOException(new IOException("the end of a snapshot in a journal"));
        }
    }

    private static Path aside(Path file) {
        return file.resolveSibling(file.getFileName() + ASIDE);
    }

    private static void cut(Path file, long size) throws IOException {
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(size);
            channel.force(true);
        }
    }
}
