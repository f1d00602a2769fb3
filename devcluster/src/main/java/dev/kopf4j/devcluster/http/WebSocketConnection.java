package dev.kopf4j.devcluster.http;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The server's side of a WebSocket connection (RFC 6455) over which a watch is sent, an event in each text message. One
 * thread writes, another reads.
 */
final class WebSocketConnection {
    private static final String KEY_SUFFIX = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";
    private static final int TEXT = 1;
    private static final int CLOSE = 8;
    private static final int PING = 9;
    private static final int PONG = 10;
    private static final int FINAL = 0x80;
    private static final int MAX_CONTROL = 125;
    private final HttpRequestReader in;
    private final OutputStream out;
    private final ReentrantLock writing = new ReentrantLock();

    WebSocketConnection(HttpRequestReader in, OutputStream out) {
        this.in = in;
        this.out = out;
    }

    /** Whether a request asks for a WebSocket. */
    static boolean isWanted(HttpRequest request) {
        return request.method().equals("GET")
                && request.headerLists("upgrade", "websocket")
                && !request.header("sec-websocket-key").isEmpty();
    }

    /** Accepts a request for a WebSocket. */
    void accept(HttpRequest request) throws IOException {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-1");
            byte[] key = (request.header("sec-websocket-key") + KEY_SUFFIX).getBytes(StandardCharsets.ISO_8859_1);
            String answer = Base64.getEncoder().encodeToString(digest.digest(key));
            out.write(HttpResponseHead.bare(
                    101, "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: " + answer + "\r\n"));
            out.flush();
        } catch (GeneralSecurityException e) {
            throw new IOException("SHA-1 is missing in this JDK", e);
        }
    }

    /** Sends each line as a message. */
    OutputStream messages() {
        return new OutputStream() {
            private final ByteArrayOutputStream line = new ByteArrayOutputStream();

            @Override
            public void write(int value) throws IOException {
                write(new byte[] {(byte) value}, 0, 1);
            }

            @Override
            public void write(byte[] bytes, int from, int count) throws IOException {
                int begin = from;
                for (int at = from; at < from + count; at++) {
                    if (bytes[at] == '\n') {
                        line.write(bytes, begin, at - begin);
                        frame(TEXT, line.toByteArray());
                        line.reset();
                        begin = at + 1;
                    }
                }
                line.write(bytes, begin, from + count - begin);
            }

            @Override
            public void flush() throws IOException {
                out.flush();
            }

            @Override
            public void close() throws IOException {
                frame(CLOSE, new byte[] {0x03, (byte) 0xe8}); // 1000: normal closure
                out.flush();
            }
        };
    }

    private void frame(int kind, byte[] content) throws IOException {
        ByteBuffer head = ByteBuffer.allocate(10).put((byte) (FINAL | kind));
        if (content.length <= MAX_CONTROL) {
            head.put((byte) content.length);
        } else if (content.length < 1 << 16) {
            head.put((byte) 126).putShort((short) content.length);
        } else {
            head.put((byte) 127).putLong(content.length);
        }
        writing.lock();
        try {
            out.write(head.array(), 0, head.position());
            out.write(content);
        } finally {
            writing.unlock();
        }
    }

    /** Reads what the client says, and answers pings, until it says goodbye or goes. */
    void awaitEnd() throws IOException {
        while (true) {
            int kind = byteOrEnd() & 0x0f;
            int second = byteOrEnd();
            long length = length(second & 0x7f);
            int[] mask = new int[4];
            for (int index = 0; index < 4 && (second & FINAL) != 0; index++) {
                mask[index] = byteOrEnd();
            }
            byte[] content = new byte[(int) Math.min(length, MAX_CONTROL)];
            for (long index = 0; index < length; index++) {
                int value = byteOrEnd() ^ mask[(int) (index & 3)];
                if (index < content.length) {
                    content[(int) index] = (byte) value;
                }
            }
            if (kind == CLOSE) {
                return;
            }
            if (kind == PING) {
                frame(PONG, content);
                out.flush();
            }
        }
    }

    private long length(int coded) throws IOException {
        int bytes = coded == 126 ? 2 : coded == 127 ? 8 : 0;
        long length = bytes == 0 ? coded : 0;
        for (int index = 0; index < bytes; index++) {
            length = length << 8 | byteOrEnd();
        }
        return length;
    }

    private int byteOrEnd() throws IOException {
        int value = in.read();
        if (value < 0) {
            throw new EOFException("the client has gone");
        }
        return value;
    }
}
