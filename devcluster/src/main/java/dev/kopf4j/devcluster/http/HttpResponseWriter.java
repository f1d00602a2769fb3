package dev.kopf4j.devcluster.http;

import dev.kopf4j.devcluster.api.ApiResponse;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
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
}
