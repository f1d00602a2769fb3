package dev.kopf4j.fabric8;

import dev.kopf4j.spi.WriteListener;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpClient;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.WebSocket;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;

/**
 * Tells of each answer to a request that has changed something, before whoever has sent it gets the answer.
 * Thread-safe.
 *
 * @param client sends the requests
 * @param listener hears the answers
 */
record ObservedClient(HttpClient client, WriteListener listener) implements HttpClient {
    @Override
    public <T> CompletableFuture<HttpResponse<T>> sendAsync(HttpRequest request, Class<T> type) {
        CompletableFuture<HttpResponse<T>> response = client.sendAsync(request, type);
        return request.method().equals("GET") ? response : response.thenApply(answer -> told(request, answer));
    }

    private <T> HttpResponse<T> told(HttpRequest request, HttpResponse<T> answer) {
        if (answer.isSuccessful() && answer.body() instanceof byte[] body) {
            String query = request.uri().getRawQuery();
            String target = request.uri().getRawPath() + (query == null ? "" : "?" + query);
            listener.answered(request.method(), target, body);
        }
        return answer;
    }

    @Override
    public CompletableFuture<HttpResponse<AsyncBody>> consumeBytes(
            HttpRequest request, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        return client.consumeBytes(request, consumer);
    }

    @Override
    public DerivedClientBuilder newBuilder() {
        return new DerivedBuilder(client.newBuilder(), listener);
    }

    @Override
    public WebSocket.Builder newWebSocketBuilder() {
        return client.newWebSocketBuilder();
    }

    @Override
    public HttpRequest.Builder newHttpRequestBuilder() {
        return client.newHttpRequestBuilder();
    }

    @Override
    public boolean isClosed() {
        return client.isClosed();
    }

    /** Does nothing: all handlers share the client, and one of them may close what it was given. */
    @Override
    public void close() {
        // See end().
    }

    /** Ends the client itself. */
    void end() {
        client.close();
    }

    /** Makes clients from this one that tell it, too. */
    private record DerivedBuilder(DerivedClientBuilder builder, WriteListener listener)
            implements DerivedClientBuilder {
        @Override
        public HttpClient build() {
            return new ObservedClient(builder.build(), listener);
        }

        @Override
        public DerivedClientBuilder addOrReplaceInterceptor(
                String name, io.fabric8.kubernetes.client.http.Interceptor interceptor) {
            return new DerivedBuilder(builder.addOrReplaceInterceptor(name, interceptor), listener);
        }

        @Override
        public DerivedClientBuilder authenticatorNone() {
            return new DerivedBuilder(builder.authenticatorNone(), listener);
        }

        @Override
        public DerivedClientBuilder tag(Object value) {
            return new DerivedBuilder(builder.tag(value), listener);
        }
    }
}
