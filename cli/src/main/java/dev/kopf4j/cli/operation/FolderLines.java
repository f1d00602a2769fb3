package dev.kopf4j.cli.operation;

import dev.kopf4j.engine.recording.RecordFolder;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardWatchEventKinds;
import java.nio.file.WatchKey;
import java.nio.file.WatchService;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Reads the lines of a record from its folder, the oldest one first, and goes on where it was, also while an operator
 * writes there. A line that is not complete yet is left for the next time; one that a killed process has left behind is
 * passed on as it is. Not thread-safe.
 */
public final class FolderLines {
    private static final int PIECE = 1 << 20;

    private final RecordFolder folder;
    private final Consumer<String> lines;
    private @Nullable Path file;
    private long offset;

    /**
     * Nothing is read yet.
     *
     * @param lines gets each line, without its line feed
     */
    public FolderLines(Path folder, Consumer<String> lines) {
        this.folder = new RecordFolder(folder);
        this.lines = lines;
    }

    /** Reads what has come since the last time. */
    public void read() throws IOException {
        for (Path each : folder.files()) {
            int order = file == null ? 1 : RecordFolder.ORDER.compare(each, file);
            if (order > 0) {
                file = each;
                offset = 0;
            }
            if (order >= 0) {
                readOn(each);
            }
        }
    }

    private void readOn(Path each) throws IOException {
        try (RandomAccessFile open = new RandomAccessFile(each.toFile(), "r")) {
            byte[] piece = new byte[PIECE];
            while (true) {
                open.seek(offset);
                int count = open.read(piece);
                int whole = count;
                while (whole > 0 && piece[whole - 1] != '\n') {
                    whole--;
                }
                if (whole <= 0) {
                    return;
                }
                new String(piece, 0, whole, StandardCharsets.US_ASCII).lines().forEach(lines);
                offset += whole;
            }
        } catch (FileNotFoundException e) {
            if (Files.exists(each)) {
                throw e;
            } // the operator has deleted it meanwhile, as it was the oldest one
        }
    }

    /** Waits until something changes in the folder, and reads on, for ever. */
    public void follow() throws IOException, InterruptedException {
        if (!Files.isDirectory(folder.path())) {
            throw new NoSuchFileException(folder.path().toString());
        }
        try (WatchService watch = folder.path().getFileSystem().newWatchService()) {
            folder.path().register(watch, StandardWatchEventKinds.ENTRY_CREATE, StandardWatchEventKinds.ENTRY_MODIFY);
            while (true) {
                read();
                WatchKey key = watch.take();
                key.pollEvents();
                if (!key.reset()) {
                    throw new NoSuchFileException(folder.path().toString());
                }
            }
        }
    }
}
