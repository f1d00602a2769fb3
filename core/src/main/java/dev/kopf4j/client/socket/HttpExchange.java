package dev.kopf4j.client.socket;

import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.client.transport.UserAgent;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
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

/**
 * Sends one request over one connection, with who asks and with which credentials, and receives the response, whole or
 * piece by piece. Thread-safe.
 */
final class HttpExchange {
    /** What a server promises beyond this is not believed before it has come. */
    private static final int LARGE = 1 << 20;

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
                throw ExchangeDeadline.timeout();
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
        String path = URI.create(address.prefix() + asked.path()).toString();
        ClassicHttpRequest request = new BasicClassicHttpRequest(
                asked.method(), null, null, passedOnBy.isPresent() ? "http://" + address.authority() + path : path);
        request.setHeader(HttpHeaders.HOST, address.authority());
        request.setHeader(HttpHeaders.USER_AGENT, UserAgent.USER_AGENT);
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
        return length < 0 || length > LARGE ? content.readAllBytes() : content.readNBytes((int) length);
    }

    private static InputStream content(ClassicHttpResponse response) throws IOException {
        HttpEntity entity = response.getEntity();
        return entity == null ? InputStream.nullInputStream() : entity.getContent();
    }

    private static Map<String, List<String>> headers(ClassicHttpResponse response) {
        Map<String, List<String>> headers = new HashMap<>();
        for (Header header : response.getHeaders()) {
            headers.computeIfAbsent(header.getName(), _ -> new ArrayList<>(1)).add(header.getValue());
        }
        return headers;
    }
}
