package dev.kopf4j.client.transport;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.tls.CipherPreference;
import dev.kopf4j.client.tls.TlsContext;
import dev.kopf4j.runtime.ActionSchedule;
import dev.kopf4j.runtime.ConcurrencyLimit;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Platform;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import javax.net.ssl.SSLContext;

/**
 * Sends requests over sockets: HTTP/1.1 by {@code java.net.http}, a connection for each request in flight and for each
 * watch.
 *
 * <p>It does not use HTTP/2, because the JDK's client fails when a connection reaches the server's limit of streams,
 * and many watches reach it. {@link NetworkSettings#requestsInFlight} limits the requests in flight: a list counts
 * until the head of its response has come, a watch does not count.
 */
public final class SocketTransport implements Transport {
    private final Platform platform;
    private final ConnectionInfo info;
    private final HttpClient http;
    private final ConcurrencyLimit inFlight;
    private final ActionSchedule deadlines;
    private final AuthorizationHeader authorizationHeader;

    /**
     * Makes a transport; it connects when it sends its first request.
     *
     * @param deadlines the schedule that holds the deadlines of running requests; it must stay open until this
     *     transport is closed
     * @throws IllegalArgumentException if certificates or keys cannot be read, or if the kind of the proxy is not
     *     supported
     */
    public SocketTransport(Platform platform, ConnectionInfo info, NetworkSettings settings, ActionSchedule deadlines) {
        this.platform = platform;
        this.deadlines = deadlines;
        this.info = info;
        this.inFlight = new ConcurrencyLimit(platform, settings.requestsInFlight());
        this.authorizationHeader = new AuthorizationHeader(platform, info);
        SSLContext context = TlsContext.of(info);
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                // Inline: these tasks are short, and what they call (the feeding of bodies) never blocks. A task of
                // its own for each of them would cost a sixth of the operator's processor time.
                .executor(Runnable::run)
                .sslContext(context)
                .sslParameters(CipherPreference.ofThisJvm().applied(context));
        if (settings.connectTimeout() != null) {
            builder.connectTimeout(settings.connectTimeout());
        }
        ProxySelection.of(info, settings.trustEnv()).applyTo(builder);
        this.http = builder.build();
    }

    @Override
    public TransportResponse send(TransportRequest transportRequest, Deadline deadline)
            throws IOException, InterruptedException {
        HttpRequest request = request(transportRequest);
        acquire(transportRequest, deadline);
        try {
            HttpResponse<byte[]> response =
                    DeadlineExchange.run(platform, http, request, BodyHandlers.ofByteArray(), deadline, deadlines);
            return new TransportResponse(
                    response.statusCode(), response.headers().map(), response.body());
        } finally {
            inFlight.release();
        }
    }

    @Override
    public ResponseStream open(TransportRequest transportRequest, Deadline headersBy)
            throws IOException, InterruptedException {
        HttpRequest request = request(transportRequest);
        if (transportRequest.isWatch()) {
            return openNow(request, headersBy);
        }
        acquire(transportRequest, headersBy);
        try {
            return openNow(request, headersBy);
        } finally {
            inFlight.release();
        }
    }

    private ResponseStream openNow(HttpRequest request, Deadline headersBy) throws IOException, InterruptedException {
        ResponseBodySubscriber.Handler handler = new ResponseBodySubscriber.Handler(platform);
        try {
            return DeadlineExchange.run(platform, http, request, handler, headersBy, deadlines)
                    .body();
        } catch (IOException | InterruptedException e) {
            handler.abandon();
            throw e;
        }
    }

    private void acquire(TransportRequest transportRequest, Deadline deadline)
            throws IOException, InterruptedException {
        if (!inFlight.acquire(deadline, deadlines)) {
            throw new RequestTimeoutException("no free connection for " + transportRequest + " to " + info.server()
                    + " in time: all permitted requests are in flight");
        }
    }

    private HttpRequest request(TransportRequest transportRequest) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(info.server() + transportRequest.path()))
                .method(
                        transportRequest.method(),
                        transportRequest.body() == null
                                ? BodyPublishers.noBody()
                                : BodyPublishers.ofByteArray(transportRequest.body()));
        request.setHeader("User-Agent", UserAgent.USER_AGENT);
        transportRequest.headers().forEach(request::setHeader);
        authorizationHeader.header().ifPresent(value -> request.setHeader("Authorization", value));
        return request.build();
    }

    @Override
    public void closeWhenIdle() {
        http.shutdown();
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
