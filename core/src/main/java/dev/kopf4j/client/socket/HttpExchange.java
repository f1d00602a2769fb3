package dev.kopf4j.client.socket;

import dev.kopf4j.client.transport.ResponseStream;
import dev.kopf4j.client.transport.TransportRequest;
import dev.kopf4j.client.transport.TransportResponse;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.hc.core5.http.ClassicHttpRequest;
import org.apache.hc.core5.http.ClassicHttpResponse;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpEntity;
import org.apache.hc.core5.http.HttpException;
import org.apache.hc.core5.http.impl.io.HttpRequestExecutor;
import org.apache.hc.core5.http.protocol.HttpCoreContext;

/** Sends one request over one connection, and receives the response, whole or piece by piece. Thread-safe. */
final class HttpExchange {
    /** What a server promises beyond this is not believed before it has come. */
    private static final int LARGE = 1 << 20;

    private final Platform platform;
    private final RequestWriter writer;
    private final HttpRequestExecutor executor = new HttpRequestExecutor();

    HttpExchange(Platform platform, RequestWriter writer) {
        this.platform = platform;
        this.writer = writer;
    }

    /** Receives the whole response, and gives the connection back. */
    TransportResponse whole(TransportRequest asked, ConnectionPool.Lease lease, ExchangeDeadline deadline)
            throws IOException, HttpException {
        boolean reusable = false;
        try {
            HttpCoreContext context = HttpCoreContext.create();
            ClassicHttpRequest request = writer.write(asked);
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
            ClassicHttpRequest request = writer.write(asked);
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
