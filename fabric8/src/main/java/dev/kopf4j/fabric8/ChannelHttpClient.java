package dev.kopf4j.fabric8;

import dev.kopf4j.spi.RequestChannel;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.http.StandardWebSocketBuilder;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketResponse;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.net.URI;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Sends the requests of fabric8's client through a channel. Each is answered before the call returns, so that nobody
 * waits for another thread. Thread-safe as far as the channel is.
 */
final class ChannelHttpClient
        extends StandardHttpClient<ChannelHttpClient, ChannelClientFactory, ChannelClientFactory.Builder> {
    private final RequestChannel channel;

    ChannelHttpClient(ChannelClientFactory.Builder builder, ChannelClientFactory factory) {
        super(builder, new AtomicBoolean());
        this.channel = factory.channel();
    }

    @Override
    public CompletableFuture<HttpResponse<AsyncBody>> consumeBytesDirect(
            StandardHttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        refuseWatch(request);
        try {
            RequestChannel.Answer answer = channel.exchange(carried(request));
            return CompletableFuture.completedFuture(new ChannelHttpResponse(request, answer, consumer));
        } catch (IOException | IllegalStateException e) {
            return CompletableFuture.failedFuture(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return CompletableFuture.failedFuture(new InterruptedIOException("interrupted"));
        }
    }

    /**
     * Thrown, not told by a future: watches of the client take that for a lost connection, and try again in silence.
     */
    private static void refuseWatch(StandardHttpRequest request) {
        String query = request.uri().getQuery();
        if (query != null && query.contains("watch=true")) {
            throw new IllegalStateException("watches and informers of the client have threads of their own, which"
                    + " have no place in virtual time: " + request.uri().getPath()
                    + ". Use handlers and indices instead, or test this in real time");
        }
    }

    private static RequestChannel.Request carried(StandardHttpRequest request) throws IOException {
        Map<String, String> headers = new HashMap<>();
        request.headers().forEach((name, values) -> headers.put(name, String.join(",", values)));
        if (request.getContentType() != null) {
            headers.put("Content-Type", request.getContentType());
        }
        URI uri = request.uri();
        String target = uri.getRawPath() + (uri.getRawQuery() == null ? "" : "?" + uri.getRawQuery());
        return new RequestChannel.Request(request.method(), target, headers, body(request));
    }

    private static byte[] body(StandardHttpRequest request) throws IOException {
        return switch (request.body()) {
            case null -> new byte[0];
            case StandardHttpRequest.StringBodyContent text -> text.getContent().getBytes(StandardCharsets.UTF_8);
            case StandardHttpRequest.ByteArrayBodyContent bytes -> bytes.getContent();
            default -> throw new IOException("streams cannot be uploaded in virtual time");
        };
    }

    @Override
    public CompletableFuture<WebSocketResponse> buildWebSocketDirect(
            StandardWebSocketBuilder socket, WebSocket.Listener listener) {
        return CompletableFuture.failedFuture(new IllegalStateException(
                "exec, attach and port-forward have no place in virtual time; test this in real time"));
    }

    @Override
    protected void doClose() {
        // Nothing is open.
    }
}
