package dev.kopf4j.client.socket;

import dev.kopf4j.client.transport.ChunkReader;
import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.ResponseStream.StreamIdleException;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.io.InputStream;
import java.net.SocketTimeoutException;
import java.net.URI;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import java.util.zip.GZIPInputStream;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.HttpHeaders;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.io.entity.ByteArrayEntity;
import org.apache.hc.core5.http.message.BasicClassicHttpRequest;
import org.apache.hc.core5.http.protocol.HttpCoreContext;
import org.apache.hc.core5.util.Timeout;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request over one connection, with who asks and with which credentials, and receives the response, whole or
 * piece by piece. Thread-safe.
 */
final class HttpExchange {
    /** What a server promises beyond this is not believed before it has come. */
    private static final int LARGE = 1 << 20;

    private static final Duration BEYOND_DEADLINE = Duration.ofSeconds(1);

    private final Platform platform;
    private final ServerAddress address;
    private final Optional<HttpProxy> passedOnBy;
    private final AuthorizationHeader authorization;
    private final HttpRequestExecutor executor = new HttpRequestExecutor();

    /** A proxy passes on what is not encrypted, and only that. */
    HttpExchange(
            Platform platform, ServerAddress address, Optional<HttpProxy> proxy, AuthorizationHeader authorization) {
        this.platform = platform;
        this.address = address;
        this.passedOnBy = address.secure() ? Optional.empty() : proxy;
        this.authorization = authorization;
    }

    /** Receives the whole response, and gives the connection back. */
    TransportResponse whole(TransportRequest asked, ConnectionPool.Lease lease, ExchangeDeadline deadline)
            throws IOException, HttpException {
        boolean reusable = false;
        try {
            if (asked.urgent()) {
                // Should nobody have the time to look at the deadline, as handlers compute.
                lease.connection().readTimeout(Timeout.of(deadline.remaining().plus(BEYOND_DEADLINE)));
            }
            HttpCoreContext context = HttpCoreContext.create();
            ClassicHttpRequest request = written(asked);
            ClassicHttpResponse response =
                    executor.execute(request, lease.connection().http(), context);
            byte[] body = wholeContent(response);
            // From here on, the deadline closes nothing any more.
            deadline.close();
            reusable = !deadline.isExpired() && isKeptAlive(request, response, lease, context);
            return new TransportResponse(response.getCode(), headers(response), body);
        } finally {
            lease.release(reusable);
        }
    }

    /** Receives the head of the response; the stream gives the connection back. */
    ResponseStream streamed(TransportRequest asked, ConnectionPool.Lease lease, ExchangeDeadline deadline)
            throws IOException, HttpException {
        boolean received = false;
        try {
            HttpCoreContext context = HttpCoreContext.create();
            ClassicHttpRequest request = written(asked);
            ClassicHttpResponse response =
                    executor.execute(request, lease.connection().http(), context);
            deadline.close();
            if (deadline.isExpired()) {
                throw ExchangeDeadline.timeout("", null);
            }
            boolean reusable = isKeptAlive(request, response, lease, context);
            received = true;
            return new SocketResponseStream(
                    platform, lease, response.getCode(), headers(response), content(response), reusable);
        } finally {
            if (!received) {
                lease.release(false);
            }
        }
    }

    /**
     * Makes the request.
     *
     * @throws IllegalArgumentException if the path is malformed
     */
    private ClassicHttpRequest written(TransportRequest asked) {
        String path = wellFormed(address.prefix() + asked.path());
        ClassicHttpRequest request = new BasicClassicHttpRequest(
                asked.method(), null, null, passedOnBy.isPresent() ? "http://" + address.authority() + path : path);
        request.setHeader(HttpHeaders.HOST, address.authority());
        request.setHeader(HttpHeaders.USER_AGENT, TransportRequest.USER_AGENT);
        asked.headers().forEach(request::setHeader);
        authorization.header().ifPresent(value -> request.setHeader(HttpHeaders.AUTHORIZATION, value));
        passedOnBy.ifPresent(proxy -> proxy.authorize(request));
        byte[] body = asked.body();
        if (body != null) {
            request.setHeader(HttpHeaders.CONTENT_LENGTH, Integer.toString(body.length));
            request.setEntity(new ByteArrayEntity(body, null));
        }
        return request;
    }

    /** Most paths are nothing but names: they need no parser. */
    private static String wellFormed(String path) {
        for (int at = 0; at < path.length(); at++) {
            char each = path.charAt(at);
            boolean ofName = (each >= 'a' && each <= 'z') || (each >= '0' && each <= '9') || each == '-' || each == '.';
            if (!ofName && (each != '/' || path.startsWith("//", at))) {
                return URI.create(path).toString();
            }
        }
        return path;
    }

    private boolean isKeptAlive(
            ClassicHttpRequest request,
            ClassicHttpResponse response,
            ConnectionPool.Lease lease,
            HttpCoreContext context)
            throws IOException {
        return executor.keepAlive(request, response, lease.connection().http(), context);
    }

    /** A body of a known length needs no larger buffer than itself. */
    private static byte[] wholeContent(ClassicHttpResponse response) throws IOException {
        InputStream content = content(response);
        HttpEntity entity = response.getEntity();
        long length = entity == null ? 0 : entity.getContentLength();
        return length < 0 || length > LARGE || content instanceof Unpacked
                ? content.readAllBytes()
                : content.readNBytes((int) length);
    }

    private static InputStream content(ClassicHttpResponse response) throws IOException {
        HttpEntity entity = response.getEntity();
        if (entity == null) {
            return InputStream.nullInputStream();
        }
        Header encoding = response.getFirstHeader(HttpHeaders.CONTENT_ENCODING);
        return entity.getContentLength() != 0
                        && encoding != null
                        && encoding.getValue().equalsIgnoreCase("gzip")
                ? new Unpacked(entity.getContent())
                : entity.getContent();
    }

    /**
     * The content of a body that the server has compressed. Nothing is left in the connection at its end. Confined to
     * the reading task.
     */
    private static final class Unpacked extends InputStream {
        private static final int BUFFER = 8192;

        private final InputStream packed;
        private @Nullable InputStream content;
        private boolean ended;

        Unpacked(InputStream packed) {
            this.packed = packed;
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xFF;
        }

        @Override
        public int read(byte[] target, int offset, int length) throws IOException {
            if (content == null) {
                content = new GZIPInputStream(packed, BUFFER); // reads its head
            }
            if (ended) {
                return -1;
            }
            int count = content.read(target, offset, length);
            if (count < 0 && packed.read() >= 0) {
                throw new IOException("something stands behind what the server has compressed");
            }
            if (count < 0) {
                ended = true;
                content.close(); // gives its memory back, which is not the heap's
            }
            return count;
        }

        @Override
        public void close() throws IOException {
            if (content == null) {
                packed.close();
            } else {
                content.close();
            }
        }
    }

    private static Map<String, List<String>> headers(ClassicHttpResponse response) {
        Map<String, List<String>> headers = new HashMap<>();
        for (Header header : response.getHeaders()) {
            headers.computeIfAbsent(header.getName(), _ -> new ArrayList<>(1)).add(header.getValue());
        }
        return headers;
    }

    /**
     * A response whose body is read from the socket as the reader asks for it. Thread-safe as far as
     * {@link ResponseStream} says.
     */
    private static final class SocketResponseStream implements ResponseStream {
        /** How much is read at once from a stream that flows; a watch that is quiet has a small buffer. */
        private static final int CHUNK = 8192;

        private static final int SMALL = 512;

        private final Platform platform;
        private final ConnectionPool.Lease lease;
        private final int status;
        private final Map<String, List<String>> headers;
        private final InputStream body;
        private final boolean reusable;
        private final ChunkReader reader = new ChunkReader(this::next);
        private byte[] buffer = new byte[SMALL];

        private final AtomicReference<State> state = new AtomicReference<>(State.OPEN);

        private enum State {
            OPEN,
            ENDED,
            CLOSED
        }

        /**
         * Makes the stream of a response whose head has come.
         *
         * @param lease the connection; the stream gives it back
         * @param reusable whether the connection stays open after the body
         */
        SocketResponseStream(
                Platform platform,
                ConnectionPool.Lease lease,
                int status,
                Map<String, List<String>> headers,
                InputStream body,
                boolean reusable) {
            this.platform = platform;
            this.lease = lease;
            this.status = status;
            this.headers = headers;
            this.body = body;
            this.reusable = reusable;
        }

        @Override
        public int status() {
            return status;
        }

        @Override
        public @Nullable String header(String name) {
            return TransportResponse.header(headers, name);
        }

        @Override
        public byte @Nullable [] nextLine(Deadline deadline) throws IOException, InterruptedException {
            return reader.nextLine(deadline);
        }

        @Override
        public InputStream body(Duration idleEach) {
            return reader.bytes(platform, idleEach);
        }

        private byte @Nullable [] next(Deadline deadline) throws IOException, InterruptedException {
            if (state.get() == State.ENDED) {
                return null;
            }
            try {
                int count = read(deadline);
                if (count >= 0) {
                    return taken(count);
                }
            } catch (SocketTimeoutException e) {
                StreamIdleException idle = new StreamIdleException("nothing has come from the server");
                idle.initCause(e);
                throw idle;
            } catch (IOException e) {
                throw translated(e);
            }
            end(State.ENDED, reusable);
            return null;
        }

        /** What was read; a full buffer is given away, and the next one is larger. */
        private byte[] taken(int count) {
            if (count < buffer.length) {
                return Arrays.copyOf(buffer, count);
            }
            byte[] full = buffer;
            buffer = new byte[Math.min(2 * count, CHUNK)];
            return full;
        }

        private int read(Deadline deadline) throws IOException, InterruptedException {
            if (Thread.interrupted()) {
                throw new InterruptedException();
            }
            if (state.get() == State.CLOSED) {
                throw new IOException("closed before it was read");
            }
            long millis = Math.max(1, deadline.remaining(platform).toMillis());
            lease.connection().readTimeout(deadline.isNever() ? Timeout.DISABLED : Timeout.ofMilliseconds(millis));
            return body.read(buffer);
        }

        private IOException translated(IOException failure) throws InterruptedException {
            if (state.get() == State.CLOSED) {
                return new IOException("the stream was closed while it was read", failure);
            }
            if (Thread.interrupted()) {
                InterruptedException interrupted = new InterruptedException("interrupted while reading an answer");
                interrupted.initCause(failure);
                throw interrupted;
            }
            return failure;
        }

        @Override
        public void close() {
            end(State.CLOSED, false);
        }

        /** Gives the connection back, once. */
        private void end(State how, boolean kept) {
            if (state.getAndSet(how) == State.OPEN) {
                lease.release(kept);
            }
        }
    }
}
