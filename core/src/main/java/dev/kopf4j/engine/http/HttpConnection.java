package dev.kopf4j.engine.http;

import com.sun.net.httpserver.Headers;
import dev.kopf4j.engine.http.HttpListener.HttpAnswer;
import dev.kopf4j.engine.http.HttpListener.HttpReply;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.InterruptedIOException;
import java.io.OutputStream;
import java.io.Serial;
import java.net.Socket;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/** Answers the requests of one client, one after the other. Confined to a task. */
final class HttpConnection {
    private static final byte[] CONTINUE = "HTTP/1.1 100 Continue\r\n\r\n".getBytes(StandardCharsets.US_ASCII);
    private static final int DISCARDED_MAX = 14 * 1024 * 1024;

    private final Platform platform;
    private final Socket socket;
    private final ConnectionGuard guard;
    private final RequestBody bodies;
    private final BodyBudget budget;
    private final HttpAnswer answer;
    private final RequestBytes received;
    private final OutputStream out;

    HttpConnection(
            Platform platform,
            Socket socket,
            ConnectionGuard guard,
            int bodyBytes,
            BodyBudget budget,
            HttpAnswer answer)
            throws IOException {
        this.platform = platform;
        this.socket = socket;
        this.guard = guard;
        this.bodies = new RequestBody(bodyBytes);
        this.budget = budget;
        this.answer = answer;
        this.received = new RequestBytes(socket.getInputStream());
        this.out = socket.getOutputStream();
    }

    /** Serves until the client goes. */
    void serve() throws IOException {
        X509Certificate certificate = certificate();
        try {
            guard.waiting();
            while (received.await()) {
                guard.receiving();
                if (!serveOne(certificate)) {
                    return;
                }
                guard.waiting();
            }
        } catch (HttpProblem e) {
            guard.sending();
            send(e.reply(), true, true);
            farewell();
        }
    }

    /** The handshake, if there is one, must not count as waiting. */
    private @Nullable X509Certificate certificate() throws IOException {
        if (!(socket instanceof SSLSocket secure)) {
            return null;
        }
        secure.startHandshake();
        try {
            return secure.getSession().getPeerCertificates()[0] instanceof X509Certificate found ? found : null;
        } catch (SSLPeerUnverifiedException e) {
            return null; // it has shown none, and need not
        }
    }

    /** Answers a request; true if another may follow. */
    private boolean serveOne(@Nullable X509Certificate certificate) throws IOException {
        RequestHead head = RequestHead.parse(received.head());
        if (head.waitsForContinue() && bodies.bounded(head.length()) != 0) {
            out.write(CONTINUE);
            out.flush();
        }
        try (BodyBudget.Share share = budget.share(guard)) {
            return serveOne(head, bodies.read(head, received, share), certificate);
        }
    }

    private boolean serveOne(RequestHead head, byte[] body, @Nullable X509Certificate certificate) throws IOException {
        guard.answering(head.method() + " " + head.path());
        HttpReply reply = answer.to(new HttpRequest(
                head.method(), head.path(), head.query(), head.headers(), body, certificate, socket.getInetAddress()));
        guard.sending();
        boolean tooLate = Thread.interrupted(); // with the flag on, the reply could not be sent
        boolean last = tooLate || !head.persistent() || reply.isLast();
        send(reply, !head.method().equals("HEAD"), last);
        return !last;
    }

    /** Sends all in one piece: a packet, and a record of TLS, have room for most replies. */
    private void send(HttpReply reply, boolean withBody, boolean last) throws IOException {
        StringBuilder head =
                new StringBuilder("HTTP/1.1 ").append(reply.status()).append(" \r\n");
        header(
                head,
                "Date",
                DateTimeFormatter.RFC_1123_DATE_TIME.format(platform.now().atOffset(ZoneOffset.UTC)));
        reply.headers().forEach((name, value) -> header(head, name, value));
        header(head, "Content-Type", reply.type());
        header(head, "Content-Length", String.valueOf(reply.body().length));
        if (last) {
            header(head, "Connection", "close");
        }
        ByteArrayOutputStream all = new ByteArrayOutputStream(head.length() + 2 + reply.body().length);
        all.writeBytes(head.append("\r\n").toString().getBytes(StandardCharsets.ISO_8859_1));
        if (withBody) {
            all.writeBytes(reply.body());
        }
        out.write(all.toByteArray());
        out.flush();
    }

    private static void header(StringBuilder head, String name, String value) {
        head.append(name).append(": ").append(value).append("\r\n");
    }

    /** If the connection were closed while something still comes, it would be reset, and the client lose the reply. */
    private void farewell() throws IOException {
        socket.shutdownOutput();
        received.drain(DISCARDED_MAX);
    }

    /**
     * Reads bodies that are not too large (RFC 9112, 6 and 7.1). Immutable.
     *
     * @param most how many bytes one may have
     */
    private record RequestBody(int most) {

        private static final int BAD_REQUEST = 400;
        private static final int TOO_LARGE = 413;
        private static final int LINE_MAX = 4096;
        private static final int TRAILERS_MAX = 100;
        private static final Pattern CHUNK_SIZE = Pattern.compile("([0-9a-fA-F]{1,7})[ \t]*(;.*)?");

        /** The body that belongs to a head. */
        byte[] read(RequestHead head, RequestBytes from, BodyBudget.Share share) throws IOException {
            return head.length() < 0 ? chunks(from, share) : from.exactly((int) bounded(head.length()), share);
        }

        /** Refuses bodies that are announced to be too large, before they come. */
        long bounded(long length) throws HttpProblem {
            if (length > most) {
                throw new HttpProblem(TOO_LARGE, "the body of a request has at most " + most + " bytes");
            }
            return length;
        }

        private byte[] chunks(RequestBytes from, BodyBudget.Share share) throws IOException {
            ByteArrayOutputStream body = new ByteArrayOutputStream();
            int size = size(from.line(LINE_MAX));
            while (size > 0) {
                bounded((long) body.size() + size);
                body.writeBytes(from.exactly(size, share));
                if (!from.line(LINE_MAX).isEmpty()) {
                    throw malformed();
                }
                size = size(from.line(LINE_MAX));
            }
            for (int trailers = 0; !from.line(LINE_MAX).isEmpty(); trailers++) {
                if (trailers > TRAILERS_MAX) {
                    throw malformed();
                }
            }
            return body.toByteArray();
        }

        private static int size(String line) throws HttpProblem {
            var matcher = CHUNK_SIZE.matcher(line);
            if (!matcher.matches()) {
                throw malformed();
            }
            return Integer.parseInt(matcher.group(1), 16);
        }

        private static HttpProblem malformed() {
            return new HttpProblem(BAD_REQUEST, "a chunk is malformed");
        }
    }

    /**
     * The request line and the headers (RFC 9112, 3 and 5). Immutable.
     *
     * @param path decoded, without the query
     * @param query as it was sent; empty if there is none
     * @param length of the body in bytes; negative if it comes in chunks
     * @param persistent true if a further request may follow
     */
    private record RequestHead(
            String method,
            String path,
            String query,
            Map<String, List<String>> headers,
            long length,
            boolean persistent) {
        private static final int BAD_REQUEST = 400;
        private static final int NOT_IMPLEMENTED = 501;
        private static final int UNKNOWN_VERSION = 505;
        private static final Pattern TOKEN = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");
        private static final Pattern VALUE = Pattern.compile("[\t\\x20-\\x7e\\x80-\\xff]*");
        private static final Pattern LENGTH = Pattern.compile("[0-9]{1,18}");

        /**
         * Reads a head.
         *
         * @param text all lines
         * @throws HttpProblem if it is malformed
         */
        static RequestHead parse(String text) throws HttpProblem {
            List<String> lines = text.lines().filter(line -> !line.isEmpty()).toList();
            String[] first = lines.getFirst().split(" ", -1);
            if (first.length != 3 || !TOKEN.matcher(first[0]).matches()) {
                throw new HttpProblem(BAD_REQUEST, "the request line is malformed");
            }
            boolean current = first[2].equals("HTTP/1.1");
            if (!current && !first[2].equals("HTTP/1.0")) {
                throw new HttpProblem(UNKNOWN_VERSION, "only HTTP/1.1 is spoken here");
            }
            Headers headers = new Headers();
            for (String line : lines.subList(1, lines.size())) {
                header(line, headers);
            }
            URI target = target(first[1]);
            return new RequestHead(
                    first[0],
                    path(target),
                    Objects.requireNonNullElse(target.getRawQuery(), ""),
                    Map.copyOf(headers),
                    length(headers),
                    current && !"close".equalsIgnoreCase(headers.getFirst("Connection")));
        }

        private static void header(String line, Headers into) throws HttpProblem {
            int colon = line.indexOf(':');
            String name = colon < 0 ? "" : line.substring(0, colon);
            if (!TOKEN.matcher(name).matches() || !VALUE.matcher(line).matches()) {
                throw new HttpProblem(BAD_REQUEST, "a header is malformed");
            }
            into.add(name, line.substring(colon + 1).strip());
        }

        private static URI target(String text) throws HttpProblem {
            try {
                return new URI(text);
            } catch (URISyntaxException e) {
                throw new HttpProblem(BAD_REQUEST, "the path is malformed");
            }
        }

        private static String path(URI target) throws HttpProblem {
            String path = target.getPath();
            if (path == null) {
                throw new HttpProblem(BAD_REQUEST, "the request has no path");
            }
            return path;
        }

        /** Both ways at once, or different lengths, are how requests are smuggled past proxies (RFC 9112, 6.3). */
        private static long length(Headers headers) throws HttpProblem {
            List<String> encodings = all(headers, "Transfer-encoding");
            List<String> lengths = all(headers, "Content-length");
            if (encodings.isEmpty() && lengths.isEmpty()) {
                return 0;
            }
            if (encodings.isEmpty()) {
                if (lengths.size() > 1 || !LENGTH.matcher(lengths.getFirst()).matches()) {
                    throw new HttpProblem(BAD_REQUEST, "the header Content-Length is malformed");
                }
                return Long.parseLong(lengths.getFirst());
            }
            if (!lengths.isEmpty()) {
                throw new HttpProblem(BAD_REQUEST, "Content-Length and Transfer-Encoding exclude each other");
            }
            if (encodings.size() > 1
                    || !encodings.getFirst().toLowerCase(Locale.ROOT).equals("chunked")) {
                throw new HttpProblem(NOT_IMPLEMENTED, "the only Transfer-Encoding that is known here is chunked");
            }
            return -1;
        }

        private static List<String> all(Headers headers, String name) {
            return Objects.requireNonNullElse(headers.get(name), List.of());
        }

        /** True if the client sends its body only when it is told to. */
        boolean waitsForContinue() {
            return "100-continue".equalsIgnoreCase(first("Expect"));
        }

        private @Nullable String first(String name) {
            List<String> values = headers.get(name);
            return values == null ? null : values.getFirst();
        }
    }

    /** What a connection sends, with a look ahead: lines, heads and counted bytes. Confined to a task. */
    private static final class RequestBytes {
        private static final int BUFFER = 4096;
        private static final int HEAD_MAX = 64 * 1024;
        private static final int HEADERS_TOO_LONG = 431;

        /** What a client claims to send is not reserved beyond this, but as it comes. */
        private static final int RESERVED_MAX = 64 * 1024;

        private final InputStream in;
        private byte[] buffer = new byte[BUFFER];
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
                if (buffer.length > BUFFER) {
                    buffer = new byte[BUFFER]; // nothing large is kept of a request that is answered
                    start = 0;
                    end = 0;
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

        /** So many bytes, for which there is room as they come. */
        byte[] exactly(int count, BodyBudget.Share share) throws IOException {
            int buffered = Math.min(count, end - start);
            share.take(buffered);
            byte[] front = Arrays.copyOfRange(buffer, start, start + (count <= RESERVED_MAX ? count : buffered));
            start += buffered;
            if (front.length == count) {
                share.take(count - buffered);
                require(in.readNBytes(front, buffered, count - buffered) == count - buffered);
                return front;
            }
            byte[] all = front;
            int read = buffered;
            while (read < count) {
                int more = Math.min(RESERVED_MAX, count - read);
                share.take(more);
                if (all.length < read + more) {
                    all = Arrays.copyOf(all, (int) Math.min(count, Math.max(2L * all.length, read + more)));
                }
                require(in.readNBytes(all, read, more) == more);
                read += more;
            }
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

    /**
     * Room for the bodies of all requests of a server that are received or answered: an eighth of the heap, so that
     * many clients together do not fill it. Who holds much of it for long, as slow clients do, has to go when others
     * need it. Thread-safe.
     */
    static final class BodyBudget {
        private static final int UNAVAILABLE = 503;

        /** Who is cut gives back what it holds at once. */
        private static final Duration FREED_WITHIN = Duration.ofSeconds(1);

        /** Nobody is slower than this to others: requests that come at full speed do not cut each other. */
        private static final long HASTE_NANOS = Duration.ofSeconds(1).toNanos();

        private final Platform platform;
        private final Monitor monitor;

        // Guarded by the monitor.
        private final Set<Share> shares = new HashSet<>();
        private long left;

        BodyBudget(Platform platform, long bytes) {
            this.platform = platform;
            this.monitor = platform.monitor();
            this.left = bytes;
        }

        /** Room for the largest body at least. */
        static BodyBudget ofHeap(Platform platform, int bodyBytes) {
            return new BodyBudget(
                    platform, Math.max(bodyBytes, Runtime.getRuntime().maxMemory() / 8));
        }

        /** The room of one request, nothing at first. */
        Share share(ConnectionGuard guard) {
            Share share = new Share(guard);
            monitor.locked(() -> {
                shares.add(share);
            });
            return share;
        }

        /** What one request has taken, and gives back when it is answered. Its methods are for one task. */
        final class Share implements AutoCloseable {
            private final ConnectionGuard guard;

            // Guarded by the monitor.
            private long taken;
            private boolean isCut;

            private Share(ConnectionGuard guard) {
                this.guard = guard;
            }

            void take(int bytes) throws IOException {
                try {
                    if (!monitor.await(() -> attempt(bytes), platform.after(FREED_WITHIN))
                            .orElse(false)) {
                        throw new HttpProblem(UNAVAILABLE, "there are too many large requests at a time: try again");
                    }
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new InterruptedIOException("the server ends");
                }
            }

            /** True if there is room, false if there is not; empty while others that are cut still hold it. */
            private Optional<Boolean> attempt(int bytes) {
                if (isCut) {
                    return Optional.of(false);
                }
                if (bytes <= left) {
                    left -= bytes;
                    taken += bytes;
                    return Optional.of(true);
                }
                long claim =
                        (taken + bytes) * Math.max(HASTE_NANOS, guard.slowFor().toNanos());
                return makeRoom(bytes, claim) ? Optional.empty() : Optional.of(false);
            }

            /** Cuts those that hold most for longest. False if none of them outdoes the claim. */
            private boolean makeRoom(int bytes, long claim) {
                long coming = left
                        + shares.stream()
                                .filter(each -> each.isCut)
                                .mapToLong(each -> each.taken)
                                .sum();
                while (coming < bytes) {
                    Share worst = shares.stream()
                            .filter(each -> !each.isCut && each.guard.slowFor().toNanos() >= HASTE_NANOS)
                            .max(Comparator.comparingLong(Share::burden))
                            .orElse(this);
                    if (worst == this || worst.burden() <= claim) {
                        return false;
                    }
                    worst.isCut = true;
                    worst.guard.cut();
                    coming += worst.taken;
                }
                return true;
            }

            private long burden() {
                return taken * guard.slowFor().toNanos();
            }

            @Override
            public void close() {
                monitor.locked(() -> {
                    left += taken;
                    shares.remove(this);
                });
            }
        }
    }

    /** What a client sends is no request that the server takes. The connection cannot be used further. */
    private static final class HttpProblem extends IOException {
        @Serial
        private static final long serialVersionUID = 1L;

        private final int status;

        HttpProblem(int status, String message) {
            super(message);
            this.status = status;
        }

        /** What the client is told. */
        HttpReply reply() {
            return HttpReply.problem(status, String.valueOf(getMessage()));
        }
    }
}
