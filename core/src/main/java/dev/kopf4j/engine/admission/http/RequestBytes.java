package dev.kopf4j.engine.admission.http;

import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/** What a connection sends, with a look ahead: lines, heads and counted bytes. Confined to a task. */
final class RequestBytes {
    private static final int HEAD_MAX = 64 * 1024;
    private static final int HEADERS_TOO_LONG = 431;

    /** What a client claims to send is not reserved beyond this, but as it comes. */
    private static final int RESERVED_MAX = 64 * 1024;

    private final InputStream in;
    private byte[] buffer = new byte[4096];
    private int start;
    private int end;

    RequestBytes(InputStream in) {
        this.in = in;
    }

    /**
     * Waits for the first byte of a request.
     *
     * @return false if the client has closed the connection
     */
    boolean await() throws IOException {
        while (true) {
            while (start < end && (buffer[start] == '\r' || buffer[start] == '\n')) {
                start++; // RFC 9112, 2.2: empty lines before a request are no error
            }
            if (start < end) {
                return true;
            }
            if (!fill()) {
                return false;
            }
        }
    }

    /** All up to an empty line. */
    String head() throws IOException {
        int scanned = start;
        while (true) {
            for (int at = scanned; at < end; at++) {
                if (buffer[at] == '\n' && endsHead(at)) {
                    requireHeadOf(at - start);
                    String head = new String(buffer, start, at - start, StandardCharsets.ISO_8859_1);
                    start = at + 1;
                    return head;
                }
            }
            int length = end - start;
            requireHeadOf(length);
            require(fill());
            scanned = start + length;
        }
    }

    private static void requireHeadOf(int length) throws HttpProblem {
        if (length > HEAD_MAX) {
            throw new HttpProblem(HEADERS_TOO_LONG, "the headers are too long");
        }
    }

    private boolean endsHead(int at) {
        return (at > start && buffer[at - 1] == '\n')
                || (at > start + 1 && buffer[at - 1] == '\r' && buffer[at - 2] == '\n');
    }

    /** A line without its end, at most this long. */
    String line(int max) throws IOException {
        StringBuilder line = new StringBuilder();
        while (line.length() <= max) {
            if (start == end) {
                require(fill());
            }
            char letter = (char) (buffer[start++] & 0xff);
            if (letter == '\n') {
                boolean crlf = !line.isEmpty() && line.charAt(line.length() - 1) == '\r';
                return crlf ? line.substring(0, line.length() - 1) : line.toString();
            }
            line.append(letter);
        }
        throw new HttpProblem(400, "a chunk is malformed");
    }

    /** So many bytes. */
    byte[] exactly(int count) throws IOException {
        int buffered = Math.min(count, end - start);
        byte[] front = Arrays.copyOfRange(buffer, start, start + (count <= RESERVED_MAX ? count : buffered));
        start += buffered;
        if (front.length == count) {
            require(in.readNBytes(front, buffered, count - buffered) == count - buffered);
            return front;
        }
        byte[] rest = in.readNBytes(count - buffered);
        require(rest.length == count - buffered);
        byte[] all = Arrays.copyOf(front, count);
        System.arraycopy(rest, 0, all, buffered, rest.length);
        return all;
    }

    /** Throws away what still comes, to some extent: a client that is still sending does not read the reply. */
    void drain(int most) throws IOException {
        start = end;
        byte[] waste = new byte[RESERVED_MAX];
        int left = most;
        int count = 0;
        while (left > 0 && count >= 0) {
            left -= count;
            count = in.read(waste);
        }
    }

    private boolean fill() throws IOException {
        if (start > 0) {
            System.arraycopy(buffer, start, buffer, 0, end - start);
            end -= start;
            start = 0;
        }
        if (end == buffer.length) {
            buffer = Arrays.copyOf(buffer, buffer.length * 2);
        }
        int count = in.read(buffer, end, buffer.length - end);
        end += Math.max(0, count);
        return count > 0;
    }

    private static void require(boolean complete) throws EOFException {
        if (!complete) {
            throw new EOFException("the client has closed the connection within a request");
        }
    }
}
