package dev.kopf4j.devcluster.journal;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/** Appends records to one file, each by a single write. Thread-safe as far as {@link #force} goes. */
final class RecordWriter implements AutoCloseable {
    private final FileChannel channel;
    private long size;

    /** Goes on behind the end of a file, which is made when it is missing. */
    RecordWriter(Path file) throws IOException {
        channel = FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.WRITE);
        size = channel.size();
        if (size == 0) {
            write(ByteBuffer.wrap(RecordReader.magic()));
        }
    }

    void append(Entry entry) throws IOException {
        byte[] bytes = Entry.encode(entry);
        ByteBuffer buffer = ByteBuffer.allocate(RecordReader.HEAD + bytes.length);
        buffer.putInt(bytes.length)
                .putInt(RecordReader.checksum(bytes))
                .put(bytes)
                .flip();
        write(buffer);
    }

    /** What was written in part is taken back, so that the next record follows a whole one. */
    private void write(ByteBuffer buffer) throws IOException {
        long position = size;
        try {
            while (buffer.hasRemaining()) {
                position += channel.write(buffer, position);
            }
            size = position;
        } catch (ClosedChannelException e) {
            throw new IOException("the cluster is closed", e);
        } catch (IOException e) {
            channel.truncate(size);
            throw e;
        }
    }

    long size() {
        return size;
    }

    /** Waits until all is on the disk. */
    void force() throws IOException {
        channel.force(false);
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
