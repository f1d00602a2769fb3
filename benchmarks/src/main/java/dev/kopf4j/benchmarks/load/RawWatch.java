package dev.kopf4j.benchmarks.load;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.Socket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.atomic.AtomicLong;

/** A watch that only counts events, with as little effort as possible. Used by one thread. */
public final class RawWatch implements AutoCloseable {
    private static final byte[] EVENT = "{\"type\":".getBytes(StandardCharsets.US_ASCII);
    private final Socket socket;

    private RawWatch(Socket socket) {
        this.socket = socket;
    }

    /** Opens a watch; the server has accepted it when this method returns. */
    public static RawWatch open(URI server, String path) throws IOException {
        Socket socket = new Socket(server.getHost(), server.getPort());
        OutputStream out = socket.getOutputStream();
        out.write(("GET " + path + " HTTP/1.1\r\nHost: x\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        InputStream in = socket.getInputStream();
        int last = 0;
        for (int next = in.read(); next >= 0; next = in.read()) {
            last = last << 8 | next;
            if (last == 0x0d0a0d0a) {
                return new RawWatch(socket);
            }
        }
        socket.close();
        throw new IOException("the watch was refused");
    }

    /** Counts events until there are so many; adds each to the sum. */
    public void count(int events, AtomicLong sum) {
        byte[] buffer = new byte[1 << 16];
        int left = events;
        int matched = 0;
        try (this) {
            InputStream in = socket.getInputStream();
            for (int count = in.read(buffer); count >= 0 && left > 0; count = left > 0 ? in.read(buffer) : -1) {
                for (int at = 0; at < count; at++) {
                    matched = buffer[at] == EVENT[matched] ? matched + 1 : buffer[at] == EVENT[0] ? 1 : 0;
                    if (matched == EVENT.length) {
                        matched = 0;
                        left--;
                        sum.incrementAndGet();
                    }
                }
            }
        } catch (IOException e) {
            System.err.println("a watch has broken off: " + e.getMessage());
        }
    }

    @Override
    public void close() throws IOException {
        socket.close();
    }
}
