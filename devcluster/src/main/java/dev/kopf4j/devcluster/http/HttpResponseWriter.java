package dev.kopf4j.devcluster.http;

import dev.kopf4j.devcluster.api.ApiResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Iterator;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;

/** Writes complete responses and lists to a connection, compressed if they are big. Used by one thread. */
final class HttpResponseWriter {
    /** The size from which a kube-apiserver compresses, if the client accepts it (KEP-156). */
    private static final int COMPRESSED_FROM = 128 << 10;

    private static final String COMPRESSED = "Content-Encoding: gzip\r\nVary: Accept-Encoding\r\n";
    private static final String CHUNKED = "Transfer-Encoding: chunked\r\n";
    private final OutputStream out;

    HttpResponseWriter(OutputStream out) {
        this.out = out;
    }

    /** Uses the quickest compression, because the network is loopback. */
    private static final class QuickGzip extends GZIPOutputStream {
        QuickGzip(OutputStream out) throws IOException {
            super(out, 16 << 10);
            def.setLevel(Deflater.BEST_SPEED);
        }
    }

    void whole(HttpRequest request, ApiResponse response, byte[] bytes) throws IOException {
        if (bytes.length > COMPRESSED_FROM && request.headerLists("accept-encoding", "gzip")) {
            ByteArrayOutputStream compressed = new ByteArrayOutputStream(bytes.length / 4);
            try (QuickGzip gzip = new QuickGzip(compressed)) {
                gzip.write(bytes);
            }
            send(request, response, COMPRESSED, compressed.toByteArray());
        } else {
            send(request, response, "", bytes);
        }
    }

    /** Uses a single write, because a second one would wait for the client's delayed acknowledgement. */
    private void send(HttpRequest request, ApiResponse response, String lines, byte[] bytes) throws IOException {
        byte[] head =
                HttpResponseHead.of(response, lines + "Content-Length: " + bytes.length + "\r\n" + connection(request));
        if (request.isHead()) {
            out.write(head);
        } else {
            byte[] message = java.util.Arrays.copyOf(head, head.length + bytes.length);
            System.arraycopy(bytes, 0, message, head.length, bytes.length);
            out.write(message);
        }
        out.flush();
    }

    private static String connection(HttpRequest request) {
        return request.persistent() ? "" : "Connection: close\r\n";
    }

    /** Sends small lists as a whole; of big ones, only a part is in memory at a time. */
    void pieces(HttpRequest request, ApiResponse response, Iterable<byte[]> pieces) throws IOException {
        ByteArrayOutputStream first = new ByteArrayOutputStream(16 << 10);
        Iterator<byte[]> rest = pieces.iterator();
        while (rest.hasNext() && first.size() <= COMPRESSED_FROM) {
            first.writeBytes(rest.next());
        }
        if (!rest.hasNext()) {
            whole(request, response, first.toByteArray());
            return;
        }
        boolean compressed = request.headerLists("accept-encoding", "gzip");
        out.write(HttpResponseHead.of(response, (compressed ? COMPRESSED : "") + CHUNKED + connection(request)));
        if (!request.isHead()) {
            ChunkedOutput chunks = new ChunkedOutput(out);
            try (OutputStream body = compressed ? new QuickGzip(chunks) : chunks) {
                body.write(first.toByteArray());
                while (rest.hasNext()) {
                    body.write(rest.next());
                }
            }
        }
        out.flush();
    }

    /** Sends the head of a watch. The body follows in chunks, and the connection closes after it. */
    ChunkedOutput begin(ApiResponse response) throws IOException {
        out.write(HttpResponseHead.of(response, CHUNKED + "Connection: close\r\n"));
        out.flush();
        return new ChunkedOutput(out);
    }

    /** Writes a body whose length is not known, in chunks of some size. Confined to a thread. */
    static final class ChunkedOutput extends OutputStream {
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
}
