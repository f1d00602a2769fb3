package dev.kopf4j.devcluster.journal;

import dev.kopf4j.devcluster.file.FileErrors;
import dev.kopf4j.devcluster.file.OwnerOnlyFiles;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** The folder with a cluster's files, locked against a second process. Thread-safe. */
public final class DataFolder implements AutoCloseable {
    private static final String SNAPSHOT = "snapshot-";
    private static final String JOURNAL = "journal-";

    /** The name of a snapshot that is being written. */
    static final String UNFINISHED = "snapshot.new";

    private static final String VERSION = "[0-9]{19}";
    private final Path folder;
    private final FileChannel channel;

    private DataFolder(Path folder, FileChannel channel) {
        this.folder = folder;
        this.channel = channel;
    }

    /**
     * Opens a folder; creates it if it is missing, for its owner only. In one that was there, which others may be able
     * to read, their rights are taken from the files of an earlier cluster, since all Secrets are in them. A snapshot
     * that it did not finish is deleted.
     *
     * @throws UncheckedIOException if it cannot be made, or another process uses it
     */
    public static DataFolder open(Path folder) {
        try {
            OwnerOnlyFiles.createFolder(folder);
            FileChannel channel =
                    FileChannel.open(folder.resolve("lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
            if (lock(channel) == null) {
                channel.close();
                throw new IOException("another dev cluster is using it");
            }
            DataFolder opened = new DataFolder(folder, channel);
            try {
                Files.deleteIfExists(folder.resolve(UNFINISHED));
                opened.restrict();
            } catch (IOException e) {
                channel.close();
                throw e;
            }
            return opened;
        } catch (IOException e) {
            throw FileErrors.failure("the data folder " + folder + " cannot be used", e);
        }
    }

    private void restrict() throws IOException {
        for (Path file : files("(" + SNAPSHOT + "|" + JOURNAL + ")" + VERSION + ".*")) {
            OwnerOnlyFiles.restrict(file);
        }
    }

    private static @Nullable FileLock lock(FileChannel channel) throws IOException {
        try {
            return channel.tryLock();
        } catch (OverlappingFileLockException e) {
            return null; // this process uses it already
        }
    }

    Path snapshot(long version) {
        return folder.resolve(name(SNAPSHOT, version));
    }

    Path journal(long version) {
        return folder.resolve(name(JOURNAL, version));
    }

    private static String name(String prefix, long version) {
        return prefix + String.format(Locale.ROOT, "%019d", version);
    }

    /** All snapshots, oldest first. */
    List<Path> snapshots() throws IOException {
        return files(SNAPSHOT + VERSION);
    }

    /** All journals, oldest first. */
    List<Path> journals() throws IOException {
        return files(JOURNAL + VERSION);
    }

    private List<Path> files(String pattern) throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.filter(file -> file.getFileName().toString().matches(pattern))
                    .sorted(Comparator.comparing(file -> file.getFileName().toString()))
                    .toList();
        }
    }

    /** The version in the name of a file. */
    static long version(Path file) {
        String name = file.getFileName().toString();
        return Long.parseLong(name.substring(name.indexOf('-') + 1));
    }

    /** Makes the names of files durable, where the system can. A thread that is interrupted does so, too. */
    void force() throws IOException {
        boolean interrupted = Thread.interrupted();
        try {
            while (!forced()) {
                interrupted |= Thread.interrupted();
            }
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    /** False if the thread was interrupted, which closes the channel. Folders can be opened as channels only. */
    private boolean forced() throws IOException {
        try (FileChannel directory = FileChannel.open(folder, StandardOpenOption.READ)) {
            directory.force(true);
            return true;
        } catch (java.nio.file.AccessDeniedException e) {
            return true; // Windows does not open folders, and needs no such thing
        } catch (ClosedByInterruptException e) {
            return false;
        }
    }

    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new UncheckedIOException("the lock of " + folder + " cannot be released", e);
        }
    }
}
