package dev.kopf4j.fabric8;

import dev.kopf4j.fabric8.RenewingClientFactory.Way;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpClient;
import io.fabric8.kubernetes.client.http.StandardHttpRequest;
import io.fabric8.kubernetes.client.http.StandardWebSocketBuilder;
import io.fabric8.kubernetes.client.http.WebSocket;
import io.fabric8.kubernetes.client.http.WebSocketHandshakeException;
import io.fabric8.kubernetes.client.http.WebSocketResponse;
import io.fabric8.kubernetes.client.http.WebSocketUpgradeResponse;
import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.net.ssl.SSLHandshakeException;
import org.jspecify.annotations.Nullable;

/**
 * Sends each request with the operator's credential of that moment, to its server and over its connections. What the
 * server rejects (401), or a TLS handshake that fails, has the credential renewed, and the request is sent once more.
 * Thread-safe.
 */
final class RenewingHttpClient
        extends StandardHttpClient<RenewingHttpClient, RenewingClientFactory, RenewingClientFactory.Builder> {
    private static final int UNAUTHORIZED = 401;

    private final RenewingClientFactory ways;

    RenewingHttpClient(RenewingClientFactory.Builder builder, RenewingClientFactory ways, AtomicBoolean closed) {
        super(builder, closed);
        this.ways = ways;
    }

    /** One attempt to send a request. */
    private interface Attempt<T> {
        /**
         * Sends it.
         *
         * @param credential the header; null for none
         */
        CompletableFuture<T> on(HttpClient client, URI uri, @Nullable String credential);
    }

    @Override
    public CompletableFuture<HttpResponse<AsyncBody>> consumeBytesDirect(
            StandardHttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        return send(request.uri(), (client, uri, credential) -> {
            StandardHttpRequest.Builder directed = request.newBuilder();
            directed.uri(uri);
            if (credential != null) {
                directed.setHeader(CredentialHeader.NAME, credential);
            }
            return client.consumeBytes(directed.build(), consumer);
        });
    }

    @Override
    public CompletableFuture<WebSocketResponse> buildWebSocketDirect(
            StandardWebSocketBuilder socket, WebSocket.Listener listener) {
        StandardHttpRequest request = socket.asHttpRequest();
        return this.<WebSocket>send(request.uri(), (client, uri, credential) -> {
                    WebSocket.Builder directed = client.newWebSocketBuilder().uri(uri);
                    request.headers().forEach((name, values) -> values.forEach(value -> directed.header(name, value)));
                    if (credential != null) {
                        directed.setHeader(CredentialHeader.NAME, credential);
                    }
                    if (socket.getSubprotocol() != null) {
                        directed.subprotocol(socket.getSubprotocol());
                    }
                    Duration timeout = request.getTimeout();
                    if (timeout != null) {
                        directed.connectTimeout(timeout.toNanos(), TimeUnit.NANOSECONDS);
                    }
                    return directed.buildAsync(listener);
                })
                .thenApply(open -> new WebSocketResponse(new WebSocketUpgradeResponse(request), open))
                .exceptionally(failure -> {
                    if (cause(failure) instanceof WebSocketHandshakeException refusal) {
                        return new WebSocketResponse(refusal.getResponse(), refusal);
                    }
                    throw new CompletionException(cause(failure));
                });
    }

    private <T> CompletableFuture<T> send(URI uri, Attempt<T> attempt) {
        if (isClosed()) {
            throw new IllegalStateException("the client is already closed");
        }
        Way way = ways.current();
        if (!ways.isForServer(uri)) {
            return attempt.on(way.client(), uri, null);
        }
        String sent = CredentialHeader.of(way.info());
        CompletableFuture<T> first = attempt.on(way.client(), ways.on(way, uri), sent);
        return first.handle(Trouble::of).thenCompose(trouble -> switch (trouble) {
            case NONE -> first;
            case REJECTED, UNSECURED ->
                ways.renew(way, trouble == Trouble.UNSECURED).thenCompose(other -> {
                    String credential = CredentialHeader.of(other.info());
                    if (other.client().equals(way.client()) && Objects.equals(credential, sent)) {
                        return first;
                    }
                    discard(first);
                    return attempt.on(other.client(), ways.on(other, uri), credential);
                });
        });
    }

    /** Why another attempt may help. */
    private enum Trouble {
        NONE,
        REJECTED,
        UNSECURED;

        static Trouble of(@Nullable Object answer, @Nullable Throwable failure) {
            if (answer instanceof HttpResponse<?> response) {
                return of(response);
            }
            return switch (cause(failure)) {
                case WebSocketHandshakeException refusal -> of(refusal.getResponse());
                case SSLHandshakeException _ -> UNSECURED;
                case null, default -> NONE;
            };
        }

        private static Trouble of(HttpResponse<?> response) {
            return response.code() == UNAUTHORIZED ? REJECTED : NONE;
        }
    }

    /** Ends the body of a rejection; a failure has none. */
    private static void discard(CompletableFuture<?> rejected) {
        if (!rejected.isCompletedExceptionally()
                && rejected.join() instanceof HttpResponse<?> response
                && response.body() instanceof AsyncBody body) {
            body.cancel();
        }
    }

    private static @Nullable Throwable cause(@Nullable Throwable failure) {
        Throwable cause = failure;
        while (cause instanceof CompletionException && cause.getCause() != null) {
            cause = cause.getCause();
        }
        return cause;
    }

    @Override
    protected void doClose() {
        ways.end();
    }
}
