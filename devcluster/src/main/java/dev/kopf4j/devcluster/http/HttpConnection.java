package dev.kopf4j.devcluster.http;

import dev.kopf4j.devcluster.api.ApiRequest;
import dev.kopf4j.devcluster.api.ApiResponse;
import dev.kopf4j.devcluster.api.WatchStream;
import dev.kopf4j.devcluster.certificate.ClientCertificateIdentity;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Iterator;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.zip.Deflater;
import java.util.zip.GZIPOutputStream;
import javax.net.ssl.SSLSocket;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves one client: its requests one after another, on one thread. A watch has a second thread, which reads. */
final class HttpConnection implements Runnable {
    /** The limit of bodies. The server refuses longer ones, and reads one byte more to see that they are. */
    static final int MAX_BODY = 3 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(HttpConnection.class);
    private static final Duration FAREWELL = Duration.ofSeconds(2);
    private static final int MAX_LEFT_OVER = 64 << 20;
    private final Socket socket;
    private final Function<ApiRequest, ApiResponse> handler;
    private final Consumer<String> log;
    private final Executor threads;
    private volatile boolean ended;

    HttpConnection(Socket socket, Function<ApiRequest, ApiResponse> handler, Consumer<String> log, Executor threads) {
        this.socket = socket;
        this.handler = handler;
        this.log = log;
        this.threads = threads;
    }

    @Override
    public void run() {
        try (socket) {
            Optional<ApiRequest.Identity> identity =
                    socket instanceof SSLSocket secure ? ClientCertificateIdentity.of(secure) : Optional.empty();
            OutputStream out = new BufferedOutputStream(socket.getOutputStream(), 16 << 10);
            HttpRequestReader reader =
                    new HttpRequestReader(socket.getInputStream(), MAX_BODY, () -> sendContinue(out));
            serve(reader, out, identity);
        } catch (IOException | UncheckedIOException e) {
            if (!ended) {
                LOG.debug("A client went away: {}", e.getMessage());
            }
        } catch (RuntimeException e) {
            LOG.atError().setCause(e).log("a connection could not be served");
        }
    }

    private static void sendContinue(OutputStream out) {
        try {
            out.write(HttpResponseHead.bare(100, ""));
            out.flush();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void serve(HttpRequestReader reader, OutputStream out, Optional<ApiRequest.Identity> identity)
            throws IOException {
        try {
            boolean more = true;
            while (more) {
                Optional<HttpRequest> request = reader.next();
                more = request.isPresent() && answer(request.get(), reader, out, identity);
            }
        } catch (MalformedRequestException e) {
            refuse(out, e);
        }
        drainBeforeClose(reader);
    }

    private static void refuse(OutputStream out, MalformedRequestException e) throws IOException {
        byte[] text = (e.status() + " " + e.getMessage() + "\n").getBytes(StandardCharsets.UTF_8);
        out.write(HttpResponseHead.bare(
                e.status(),
                "Content-Type: text/plain; charset=utf-8\r\nConnection: close\r\nContent-Length: " + text.length
                        + "\r\n"));
        out.write(text);
        out.flush();
    }

    /**
     * Reads what the client is still sending; otherwise the connection would be reset, and the client would lose the
     * response.
     */
    private void drainBeforeClose(HttpRequestReader reader) throws IOException {
        if (socket.isClosed()) {
            return;
        }
        if (!(socket instanceof SSLSocket)) {
            socket.shutdownOutput();
        }
        socket.setSoTimeout((int) FAREWELL.toMillis());
        int left = MAX_LEFT_OVER;
        while (left > 0 && reader.read() >= 0) {
            left--;
        }
    }

    /** Answers one request; true if the connection stays open. */
    private boolean answer(
            HttpRequest request, HttpRequestReader reader, OutputStream out, Optional<ApiRequest.Identity> identity)
            throws IOException {
        ApiRequest asked;
        try {
            asked = ApiRequest.of(request.method(), request.target(), request.headers(), request.body())
                    .by(identity);
        } catch (IllegalArgumentException e) {
            throw new MalformedRequestException(400, "malformed path: " + e.getMessage());
        }
        ApiResponse response = handler.apply(asked);
        log.accept(request.method() + " " + request.target() + " " + response.status());
        try {
            return answer(request, response, reader, out);
        } finally {
            if (response.body() instanceof ApiResponse.Events(WatchStream stream)) {
                stream.close(); // also if nothing of it could be sent
            }
        }
    }

    private boolean answer(HttpRequest request, ApiResponse response, HttpRequestReader reader, OutputStream out)
            throws IOException {
        pause(response.delay());
        HttpResponseWriter writer = new HttpResponseWriter(out);
        switch (response.body()) {
            case ApiResponse.Whole(byte[] bytes) -> writer.whole(request, response, bytes);
            case ApiResponse.Pieces(Iterable<byte[]> pieces) -> writer.pieces(request, response, pieces);
            case ApiResponse.Broken() -> {
                socket.setSoLinger(true, 0); // resets the connection instead of closing it
                close();
                return false;
            }
            case ApiResponse.Events events -> {
                return watch(request, response, events, reader, out);
            }
        }
        return request.persistent();
    }

    private static void pause(Duration time) throws IOException {
        if (time.isPositive()) {
            try {
                Thread.sleep(time);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("the server is closing", e);
            }
        }
    }

    private boolean watch(
            HttpRequest request,
            ApiResponse response,
            ApiResponse.Events events,
            HttpRequestReader reader,
            OutputStream out)
            throws IOException {
        boolean framed = WebSocketConnection.isWanted(request);
        WebSocketConnection webSocketConnection = new WebSocketConnection(reader, out);
        if (framed) {
            webSocketConnection.accept(request);
        }
        // Without frames, a client has nothing to say while it watches, so that what can be read is the end.
        Listening listening = framed ? webSocketConnection::awaitEnd : reader::read;
        try (OutputStream sent = framed ? webSocketConnection.messages() : new HttpResponseWriter(out).begin(response);
                WatchStreamWriter writer = new WatchStreamWriter(events.stream(), sent)) {
            threads.execute(() -> listen(writer, listening));
            writer.run();
        }
        return false;
    }

    @FunctionalInterface
    private interface Listening {
        void run() throws IOException;
    }

    private static void listen(WatchStreamWriter writer, Listening listening) {
        try {
            listening.run();
        } catch (IOException e) {
            LOG.atTrace().setCause(e).log("the client of a watch has gone");
        } finally {
            writer.close();
        }
    }

    /**
     * Ends the connection by the server's will: what its thread then sees is not worth a line. A client that has
     * stopped reading does not hold it up: TLS says farewell only after what is being written, for which it would wait.
     */
    void close() {
        ended = true;
        try (socket) {
            socket.setSoLinger(true, 1);
        } catch (IOException e) {
            LOG.atDebug().setCause(e).log("a connection cannot be closed");
        }
    }

    /** Writes the events of one watch to its client, on the thread of the request. */
    private static final class WatchStreamWriter implements AutoCloseable {
        private final WatchStream stream;
        private final OutputStream out;
        private final Semaphore signals = new Semaphore(0);
        private volatile boolean closed;

        WatchStreamWriter(WatchStream stream, OutputStream out) {
            this.stream = stream;
            this.out = out;
            stream.onSignal(signals::release);
        }

        /** Writes until the watch ends or the client disconnects, in which case a write fails. */
        void run() throws IOException {
            while (!closed) {
                Optional<byte[]> lines = stream.take();
                if (lines.isPresent()) {
                    out.write(lines.get());
                    out.flush();
                } else if (stream.ended()) {
                    return;
                } else {
                    await();
                }
            }
        }

        private void await() throws IOException {
            try {
                signals.acquire();
                signals.drainPermits();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IOException("the server is closing", e);
            }
        }

        @Override
        public void close() {
            closed = true;
            stream.close();
            signals.release();
        }
    }

    /** Writes complete responses and lists to a connection, compressed if they are big. Used by one thread. */
    private static final class HttpResponseWriter {
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
            byte[] head = HttpResponseHead.of(
                    response, lines + "Content-Length: " + bytes.length + "\r\n" + connection(request));
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
}
