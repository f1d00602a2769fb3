package dev.kopf4j.client.transport;

import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.net.http.HttpResponse.BodyHandler;
import java.net.http.HttpResponse.BodySubscriber;
import java.net.http.HttpResponse.ResponseInfo;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Feeds the body of an HTTP response into a stream. Each chunk that the reader takes lets one more come. */
final class ResponseBodySubscriber implements BodySubscriber<PushedResponseStream>, PushedResponseStream.ChunkProducer {
    /** How many chunks (16 KB at most) are held: enough to keep the reader busy, too few to matter. */
    private static final int CHUNKS_AHEAD = 4;

    private final PushedResponseStream stream;
    private final Monitor monitor;
    private Flow.@Nullable Subscription subscription;
    private boolean cancelled;

    private ResponseBodySubscriber(Platform platform, ResponseInfo head) {
        this.monitor = platform.monitor();
        this.stream = new PushedResponseStream(
                platform, head.statusCode(), head.headers().map(), this);
    }

    /** Makes the stream of one response. */
    static final class Handler implements BodyHandler<PushedResponseStream> {
        private final Platform platform;
        private final AtomicReference<@Nullable PushedResponseStream> opened = new AtomicReference<>();
        private volatile boolean abandoned;

        Handler(Platform platform) {
            this.platform = platform;
        }

        @Override
        public BodySubscriber<PushedResponseStream> apply(ResponseInfo head) {
            ResponseBodySubscriber body = new ResponseBodySubscriber(platform, head);
            opened.set(body.stream);
            if (abandoned) {
                body.stream.close();
            }
            return body;
        }

        /**
         * Closes the stream, now or when it opens: nobody waits for it any more, and a stream that nobody reads would
         * keep its connection for ever.
         */
        void abandon() {
            abandoned = true;
            PushedResponseStream stream = opened.get();
            if (stream != null) {
                stream.close();
            }
        }
    }

    /** Complete at once: the response counts as received when its head is. */
    @Override
    public CompletionStage<PushedResponseStream> getBody() {
        return CompletableFuture.completedFuture(stream);
    }

    @Override
    public void onSubscribe(Flow.Subscription given) {
        boolean tooLate = monitor.locked(() -> {
            subscription = given;
            return cancelled;
        });
        if (tooLate) {
            given.cancel();
        } else {
            given.request(CHUNKS_AHEAD);
        }
    }

    /** A list of buffers counts as one chunk, so that one request brings one more list. */
    @Override
    public void onNext(List<ByteBuffer> buffers) {
        int size = buffers.stream().mapToInt(ByteBuffer::remaining).sum();
        ByteBuffer joined = ByteBuffer.allocate(size);
        buffers.forEach(joined::put);
        stream.feed(joined.flip());
    }

    @Override
    public void onError(Throwable failure) {
        stream.fail(failure instanceof IOException e ? e : new IOException(failure.toString(), failure));
    }

    @Override
    public void onComplete() {
        stream.end();
    }

    @Override
    public void requestMore() {
        Flow.Subscription open =
                monitor.locked(() -> Optional.ofNullable(subscription)).orElse(null);
        if (open != null) {
            open.request(1);
        }
    }

    @Override
    public void cancel() {
        Flow.Subscription open = monitor.locked(() -> {
                    cancelled = true;
                    return Optional.ofNullable(subscription);
                })
                .orElse(null);
        if (open != null) {
            open.cancel();
        }
    }
}
