package dev.kopf4j.fabric8;

import dev.kopf4j.spi.RequestChannel;
import io.fabric8.kubernetes.client.http.AsyncBody;
import io.fabric8.kubernetes.client.http.HttpRequest;
import io.fabric8.kubernetes.client.http.HttpResponse;
import io.fabric8.kubernetes.client.http.StandardHttpHeaders;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** A response to fabric8's client, complete from the beginning. Confined to a thread. */
final class ChannelHttpResponse extends StandardHttpHeaders implements HttpResponse<AsyncBody>, AsyncBody {
    private final HttpRequest request;
    private final RequestChannel.Answer answer;
    private final AsyncBody.Consumer<List<ByteBuffer>> consumer;
    private boolean delivered;
    private final CompletableFuture<Void> done = new CompletableFuture<>();

    ChannelHttpResponse(
            HttpRequest request, RequestChannel.Answer answer, AsyncBody.Consumer<List<ByteBuffer>> consumer) {
        super(answer.headers());
        this.request = request;
        this.answer = answer;
        this.consumer = consumer;
    }

    @Override
    public int code() {
        return answer.status();
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
            consumer.consume(List.of(ByteBuffer.wrap(answer.body())), this);
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
