package dev.kopf4j.testing.virtual;

import dev.kopf4j.devcluster.api.ApiResponse;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpHeaders;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A response to fabric8's client, complete from the beginning. Confined to the simulation. */
final class SimulatedHttpResponse extends StandardHttpHeaders implements HttpResponse<AsyncBody>, AsyncBody {
    private final HttpRequest request;
    private final ApiResponse response;
    private final AsyncBody.Consumer<List<ByteBuffer>> consumer;
    private boolean delivered;
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    SimulatedHttpResponse(HttpRequest request, ApiResponse response, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        super(ResponseBytes.headers(response));
        this.request = request;
        this.response = response;
        this.consumer = consumer;
    }

    @Override
    public int code() {
        return response.status();
    }

    @Override
    public AsyncBody body() {
        return this;
    }

    @Override
    public HttpRequest request() {
        return request;
    }

    @Override
    public Optional<HttpResponse<?>> previousResponse() {
        return Optional.empty();
    }

    /** The consumer asks for the next part of the body: the first one is all of it. */
    @Override
    public void consume() {
        if (delivered) {
            done.complete(null);
            return;
        }
        delivered = true;
        try {
            consumer.consume(List.of(ByteBuffer.wrap(ResponseBytes.body(response))), this);
        } catch (Exception e) {
            done.completeExceptionally(e);
        }
    }

    @Override
    public CompletableFuture<Void> done() {
        return done;
    }

    @Override
    public void cancel() {
        done.cancel(false);
    }
}
