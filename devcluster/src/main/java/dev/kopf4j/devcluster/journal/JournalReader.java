package dev.kopf4j.devcluster.journal;

import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.zip.CRC32C;

/** Reads the records of one file up to its end, or up to the first incomplete one. Used by one thread. */
final class JournalReader implements AutoCloseable {
    /** What a file begins with; the digit is the version of the format. */
    private static final byte[] MAGIC = {'k', 'd', 'c', 'j', 'r', 'n', 'l', '1'};

    /** What precedes each record: its length and its checksum. */
    static final int HEAD = 8;

    private static final int MAX_LENGTH = 64 << 20;
    private final Path file;
    private final DataInputStream in;
    private final long size;
    private long whole;
    private String damage = "";

    /**
     * Opens a file.
     *
     * @param maybeBegun whether the file may have just been begun: without all of its first bytes it has no records
     *     then, and no damage
     */
    JournalReader(Path file, boolean maybeBegun) throws IOException {
        this.file = file;
        size = Files.size(file);
        in = new DataInputStream(new BufferedInputStream(Files.newInputStream(file), 1 << 16));
        byte[] magic = in.readNBytes(MAGIC.length);
        boolean begun = maybeBegun || magic.length == MAGIC.length;
        if (begun && Arrays.equals(magic, Arrays.copyOf(MAGIC, magic.length))) {
            whole = magic.length;
        } else {
            damage = "the file does not begin as one of ours";
        }
    }

    static byte[] magic() {
        return MAGIC.clone();
    }

    /**
     * Refuses a file of a later format. Whoever took it for damaged would begin it anew, and go on with another cluster
     * than the version that has written it.
     */
    static void refuseNewer(Path file) throws IOException {
        byte[] begin;
        try (InputStream bytes = Files.newInputStream(file)) {
            begin = bytes.readNBytes(MAGIC.length);
        }
        int last = MAGIC.length - 1;
        boolean ours = begin.length == MAGIC.length && Arrays.equals(begin, 0, last, MAGIC, 0, last);
        if (ours && begin[last] > MAGIC[last] && begin[last] <= '9') {
            throw newer(file, "has format " + (char) begin[last] + ", and this version reads " + (char) MAGIC[last]);
        }
    }

    private static IOException newer(Path file, String reason) {
        return new IOException("the file " + file + " " + reason
                + ": it was written by a newer kopf4j. Start that one, or give another folder; nothing was changed");
    }

    /**
     * The next entry; none at the end, or where the file is damaged.
     *
     * @throws IOException also if an intact record is of a kind that this version does not know
     */
    Optional<JournalEntry> next() throws IOException {
        long left = size - whole;
        if (!damage.isEmpty() || left == 0) {
            return Optional.empty();
        }
        if (left < HEAD) {
            return stop("its last record was cut off");
        }
        int length = in.readInt();
        int checksum = in.readInt();
        if (length <= 0 || length > MAX_LENGTH) {
            return stop("a record claims to have " + length + " bytes");
        }
        if (length > left - HEAD) {
            return stop("its last record was cut off");
        }
        byte[] bytes = in.readNBytes(length);
        if (checksum(bytes) != checksum) {
            return stop("the checksum of a record does not fit");
        }
        try {
            JournalEntry journalEntry = JournalEntry.decode(bytes);
            whole += HEAD + length;
            return Optional.of(journalEntry);
        } catch (IOException e) {
            throw newer(
                    file,
                    "has an intact record at byte " + whole + " that this version does not understand ("
                            + (e.getMessage() == null ? "it ends too early" : e.getMessage()) + ")");
        }
    }

    static int checksum(byte[] bytes) {
        CRC32C sum = new CRC32C();
        sum.update(bytes);
        return (int) sum.getValue();
    }

    private Optional<JournalEntry> stop(String reason) {
        damage = reason;
        return Optional.empty();
    }

    /** Why reading stopped before the end; empty if it did not. */
    String damage() {
        return damage;
    }

    /** The length of the intact part, in bytes. */
    long whole() {
        return whole;
    }

    /** The number of bytes after the intact part. */
    long rest() {
        return size - whole;
    }

    @Override
    public void close() throws IOException {
        in.close();
    }
}
