package dev.kopf4j.devcluster.http;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;

/** Writes a body whose length is not known, in chunks of some size. Confined to a thread. */
final class ChunkedOutput extends OutputStream {
    private static final int SIZE = 16 << 10;
    /** Room for the length in front of a chunk: four hexadecimal digits and the line's end. */
    private static final int FRONT = 6;

    private static final byte[] END = {'0', '\r', '\n', '\r', '\n'};
    private final OutputStream out;
    private final byte[] chunk = new byte[FRONT + SIZE + 2];
    private int length;
    private boolean ended;

    ChunkedOutput(OutputStream out) {
        this.out = out;
    }

    @Override
    public void write(int value) throws IOException {
        write(new byte[] {(byte) value}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int count) throws IOException {
        int done = 0;
        while (done < count) {
            int part = Math.min(count - done, SIZE - length);
            System.arraycopy(bytes, from + done, chunk, FRONT + length, part);
            length += part;
            done += part;
            if (length == SIZE) {
                send();
            }
        }
    }

    private void send() throws IOException {
        if (length == 0) {
            return;
        }
        String digits = Integer.toHexString(length);
        int front = FRONT - 2 - digits.length();
        System.arraycopy(digits.getBytes(StandardCharsets.US_ASCII), 0, chunk, front, digits.length());
        chunk[FRONT - 2] = '\r';
        chunk[FRONT - 1] = '\n';
        chunk[FRONT + length] = '\r';
        chunk[FRONT + length + 1] = '\n';
        out.write(chunk, front, FRONT + length + 2 - front);
        length = 0;
    }

    @Override
    public void flush() throws IOException {
        send();
        out.flush();
    }

    /** Ends the body; the connection stays open. */
    @Override
    public void close() throws IOException {
        if (!ended) {
            ended = true;
            send();
            out.write(END);
            out.flush();
        }
    }
}
