package dev.kopf4j.devcluster.journal;

import dev.kopf4j.devcluster.storage.StoredObject;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;

/** The content of one record. Immutable. */
sealed interface JournalEntry {
    /** An object in its new state, under the version that the state carries. */
    record Put(String bucket, StoredObject object) implements JournalEntry {}

    /** An object that is gone. */
    record Remove(String bucket, long version, String namespace, String name) implements JournalEntry {}

    /** A bucket that the store no longer has. */
    record Discard(String bucket, long version) implements JournalEntry {}

    /** The end of a snapshot: its version, and the number of objects before it. */
    record SnapshotEnd(long version, long count) implements JournalEntry {}

    /** The bytes of an entry, without length and checksum. */
    static byte[] encode(JournalEntry journalEntry) {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream(256);
        try (DataOutputStream out = new DataOutputStream(bytes)) {
            switch (journalEntry) {
                case Put(String bucket, StoredObject object) -> {
                    out.writeByte('p');
                    out.writeUTF(bucket);
                    object.write(out);
                }
                case Remove(String bucket, long version, String namespace, String name) -> {
                    out.writeByte('r');
                    out.writeUTF(bucket);
                    out.writeLong(version);
                    out.writeUTF(namespace);
                    out.writeUTF(name);
                }
                case Discard(String bucket, long version) -> {
                    out.writeByte('d');
                    out.writeUTF(bucket);
                    out.writeLong(version);
                }
                case SnapshotEnd(long version, long count) -> {
                    out.writeByte('e');
                    out.writeLong(version);
                    out.writeLong(count);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("an entry of the journal cannot be written to memory", e);
        }
        return bytes.toByteArray();
    }

    /** The entry in these bytes; {@link IOException} if they are no entry. */
    static JournalEntry decode(byte[] bytes) throws IOException {
        DataInputStream in = new DataInputStream(new ByteArrayInputStream(bytes));
        int kind = in.readByte();
        return switch (kind) {
            case 'p' -> new Put(in.readUTF(), StoredObject.read(in));
            case 'r' -> new Remove(in.readUTF(), in.readLong(), in.readUTF(), in.readUTF());
            case 'd' -> new Discard(in.readUTF(), in.readLong());
            case 'e' -> new SnapshotEnd(in.readLong(), in.readLong());
            default -> throw new IOException("an entry of the unknown kind " + kind);
        };
    }
}
