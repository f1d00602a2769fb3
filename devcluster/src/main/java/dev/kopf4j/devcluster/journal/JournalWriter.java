package dev.kopf4j.devcluster.journal;

import dev.kopf4j.devcluster.file.OwnerOnlyFiles;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Appends records to one file, each with a single write. {@link #force} and {@link #close} are thread-safe.
 *
 * <p>Many threads write to the file, and any of them may be interrupted: an interrupt closes a {@code FileChannel} for
 * all of them, so this is a {@code RandomAccessFile}, which does not look at interrupts.
 */
final class JournalWriter implements AutoCloseable {
    private final RandomAccessFile file;
    private long size;
    private volatile boolean closed;

    /**
     * Appends to a file; creates it for its owner only if it is missing, or begins it anew if there is less in it than
     * its beginning.
     */
    JournalWriter(Path path) throws IOException {
        file = open(path);
        byte[] magic = JournalReader.magic();
        if (file.length() >= magic.length) {
            size = file.length();
            return;
        }
        try {
            write(magic);
        } catch (IOException e) {
            file.close();
            Files.delete(path);
            throw e;
        }
    }

    /** An empty file that stayed behind would be taken for a damaged one as soon as others follow it. */
    private static RandomAccessFile open(Path path) throws IOException {
        boolean missing = Files.notExists(path);
        try {
            if (missing) {
                OwnerOnlyFiles.create(path);
            }
            return new RandomAccessFile(path.toFile(), "rw");
        } catch (IOException e) {
            if (missing) {
                Files.deleteIfExists(path);
            }
            throw e;
        }
    }

    void append(JournalEntry journalEntry) throws IOException {
        byte[] bytes = JournalEntry.encode(journalEntry);
        ByteBuffer buffer = ByteBuffer.allocate(JournalReader.HEAD + bytes.length);
        write(buffer.putInt(bytes.length)
                .putInt(JournalReader.checksum(bytes))
                .put(bytes)
                .array());
    }

    /** Truncates a record that is written in part, so that the next record follows a complete one. */
    private void write(byte[] record) throws IOException {
        if (closed) {
            throw new IOException("the cluster is closed");
        }
        try {
            file.seek(size);
            file.write(record);
            size += record.length;
        } catch (IOException e) {
            file.setLength(size);
            throw e;
        }
    }

    long size() {
        return size;
    }

    /**
     * Waits until the disk has all records.
     *
     * @throws ClosedChannelException if the file was closed before
     */
    void force() throws IOException {
        try {
            file.getFD().sync();
        } catch (IOException e) {
            if (closed) {
                throw new ClosedChannelException();
            }
            throw e;
        }
    }

    @Override
    public void close() throws IOException {
        closed = true;
        file.close();
    }
}
