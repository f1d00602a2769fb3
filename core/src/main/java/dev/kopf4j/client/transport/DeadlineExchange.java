package dev.kopf4j.client.transport;

import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Monitor;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.ScheduledAction;
import java.io.IOException;
import java.net.ConnectException;
import java.net.http.HttpClient;
import java.net.http.HttpConnectTimeoutException;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandler;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request, and lets the calling thread wait for the response until a deadline. Confined to that thread,
 * except for the deadline.
 *
 * <p>When the deadline comes, the thread is interrupted, and the HTTP client closes the connection. The client's
 * asynchronous methods would need no interrupt, but they hand each response to a thread of the common pool first, which
 * costs a tenth of the request's processor time. The deadline is an entry in a schedule that all requests share. A
 * timed wait costs much more, because the JVM wakes a thread of its own twice for it.
 */
final class DeadlineExchange {
    private final HttpClient http;
    private final HttpRequest request;
    private final Monitor monitor;
    private final Thread caller = Thread.currentThread();
    private boolean waiting = true;
    private boolean expired;

    private DeadlineExchange(Platform platform, HttpClient http, HttpRequest request) {
        this.http = http;
        this.request = request;
        this.monitor = platform.monitor();
    }

    /**
     * Sends a request, and waits for its response.
     *
     * @param deadlines the schedule that holds the deadline until this method returns
     * @throws RequestTimeoutException if there is no response in time
     * @throws ClosedTransportException if the client is closed
     * @throws InterruptedException if the thread is interrupted by somebody else
     */
    static <T> HttpResponse<T> run(
            Platform platform,
            HttpClient http,
            HttpRequest request,
            BodyHandler<T> handler,
            Deadline deadline,
            ActionSchedule deadlines)
            throws IOException, InterruptedException {
        if (http.isTerminated()) {
            throw closed(request, null);
        }
        DeadlineExchange exchange = new DeadlineExchange(platform, http, request);
        ScheduledAction end = deadlines.at(deadline, exchange::expire);
        try {
            return exchange.send(handler);
        } finally {
            end.cancel();
        }
    }

    private <T> HttpResponse<T> send(BodyHandler<T> handler) throws IOException, InterruptedException {
        boolean interrupted = false;
        try {
            return http.send(request, handler);
        } catch (InterruptedException e) {
            interrupted = true;
            if (monitor.locked(() -> expired)) {
                throw new RequestTimeoutException("no answer in time");
            }
            throw e;
        } catch (IOException e) {
            throw translated(e);
        } finally {
            boolean tooLate = monitor.locked(() -> {
                waiting = false;
                return expired;
            });
            if (tooLate && !interrupted) {
                // Our own interrupt came just after the response, and must not hit what the thread does next.
                var _ = Thread.interrupted();
            }
        }
    }

    private void expire() {
        monitor.locked(() -> {
            // If somebody else has interrupted the thread, it must learn of that, not of the deadline.
            if (waiting && !caller.isInterrupted()) {
                expired = true;
                caller.interrupt();
            }
        });
    }

    private IOException translated(IOException failure) {
        return switch (failure) {
            case HttpConnectTimeoutException e -> {
                ConnectException neverOpen = new ConnectException("the connection was not open in time");
                neverOpen.initCause(e);
                yield neverOpen;
            }
            case IOException e when isShutDown(e) -> closed(request, e);
            case IOException e -> e;
        };
    }

    /**
     * The HTTP client has no exception of its own for this: after its shutdown it rejects requests with these messages.
     */
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
