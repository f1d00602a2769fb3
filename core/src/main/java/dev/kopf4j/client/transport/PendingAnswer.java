package dev.kopf4j.client.transport;

import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Schedule;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/** An answer that the HTTP client owes us: waited for on a monitor, so that the wait has our deadline. */
final class PendingAnswer<T> {
    private final HttpRequest request;
    private final Monitor monitor;
    private @Nullable CompletableFuture<HttpResponse<T>> future;
    private @Nullable HttpResponse<T> response;
    private @Nullable Throwable failure;
    private boolean abandoned;
    private boolean expired;

    private PendingAnswer(Platform platform, HttpRequest request) {
        this.request = request;
        this.monitor = platform.monitor();
    }

    /** Sends the request, and returns at once. */
    static <T> PendingAnswer<T> start(Platform platform, HttpClient http, HttpRequest request, BodyHandler<T> handler)
            throws IOException {
        PendingAnswer<T> pending = new PendingAnswer<>(platform, request);
        if (http.isTerminated()) {
            throw closed(request, null);
        }
        CompletableFuture<HttpResponse<T>> future = http.sendAsync(request, handler);
        pending.future = future;
        var _ = future.whenComplete(pending::complete);
        return pending;
    }

    private void complete(@Nullable HttpResponse<T> answered, @Nullable Throwable failed) {
        boolean tooLate = monitor.locked(() -> {
            response = answered;
            failure = failed;
            return abandoned;
        });
        if (tooLate) {
            closeStream(answered);
        }
    }

    /** A stream that nobody will read would keep its connection for ever. */
    private static void closeStream(@Nullable HttpResponse<?> unwanted) {
        if (unwanted != null && unwanted.body() instanceof AnswerStream stream) {
            stream.close();
        }
    }

    /**
     * Waits for it until the deadline at the most.
     *
     * @param deadlines one entry among those of many requests costs much less than a wait with a time limit, for which
     *     the JVM wakes up a thread of its own twice
     */
    HttpResponse<T> await(Deadline deadline, Schedule deadlines) throws IOException, InterruptedException {
        Schedule.Entry end = deadlines.at(deadline, this::expire);
        try {
            monitor.awaitTrue(() -> hasCome() || expired, Deadline.NEVER);
            if (!monitor.locked(this::hasCome)) {
                throw new RequestTimeoutException("no answer in time");
            }
        } catch (InterruptedException | RequestTimeoutException e) {
            abandon();
            throw e;
        } finally {
            end.cancel();
        }
        return monitor.locked(() -> Optional.ofNullable(response)).orElseThrow(this::asIoException);
    }

    private boolean hasCome() {
        return response != null || failure != null;
    }

    private void expire() {
        monitor.locked(() -> {
            expired = true;
        });
    }

    /** Closes the connection too: the client's futures do so when they are cancelled. */
    private void abandon() {
        HttpResponse<T> justCome = monitor.locked(() -> {
                    abandoned = true;
                    return Optional.ofNullable(response);
                })
                .orElse(null);
        closeStream(justCome);
        if (future != null) {
            future.cancel(true);
        }
    }

    private IOException asIoException() {
        Throwable cause =
                failure instanceof CompletionException && failure.getCause() != null ? failure.getCause() : failure;
        return switch (cause) {
            case HttpConnectTimeoutException e -> {
                ConnectException neverOpen = new ConnectException("the connection was not open in time");
                neverOpen.initCause(e);
                yield neverOpen;
            }
            case IOException e when isShutDown(e) -> closed(request, e);
            case IOException e -> e;
            case null -> new IOException("the request was abandoned");
            case Throwable e -> new IOException(e.toString(), e);
        };
    }

    /** The client has no exception of its own for this: it rejects a request after its shutdown with this message. */
    private static boolean isShutDown(IOException e) {
        return "closed".equals(e.getMessage())
                || String.valueOf(e.getMessage()).contains("HttpClient is shutting down");
    }

    private static ClosedTransportException closed(HttpRequest request, @Nullable Throwable cause) {
        ClosedTransportException closed = new ClosedTransportException(
                "the connection to " + request.uri().getHost() + " was replaced");
        if (cause != null) {
            closed.initCause(cause);
        }
        return closed;
    }
}
