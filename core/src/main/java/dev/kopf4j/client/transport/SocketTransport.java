package dev.kopf4j.client.transport;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.client.tls.TlsContext;
import dev.kopf4j.runtime.Deadline;
import dev.kopf4j.runtime.Limit;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Schedule;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;

/**
 * Sends requests over sockets: HTTP/1.1 by {@code java.net.http}, a connection for each request in flight and for each
 * watch.
 *
 * <p>Not HTTP/2: the JDK's client fails there beyond the server's limit of streams per connection, which many watches
 * reach. Requests in flight are limited by {@link NetworkSettings#requestsInFlight}; the opening of a list counts until
 * its head is there, a watch does not count.
 */
public final class SocketTransport implements Transport {
    private final Platform platform;
    private final ConnectionInfo info;
    private final HttpClient http;
    private final Limit inFlight;
    private final Schedule deadlines;
    private final Authorization authorization;

    /**
     * Connects nowhere yet.
     *
     * @param deadlines where requests are until their answers have come; must stay open as long as this is in use
     * @throws IllegalArgumentException if certificates or keys cannot be read, or the proxy is of an unsupported kind
     */
    public SocketTransport(Platform platform, ConnectionInfo info, NetworkSettings settings, Schedule deadlines) {
        this.platform = platform;
        this.deadlines = deadlines;
        this.info = info;
        this.inFlight = new Limit(platform, settings.requestsInFlight());
        this.authorization = new Authorization(platform, info);
        HttpClient.Builder builder = HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .followRedirects(HttpClient.Redirect.NEVER)
                // Inline: its tasks are short, and what they call here (bodies that are fed) never waits. A task of our
                // own for each of them costs a sixth of the operator's processor time.
                .executor(Runnable::run)
                .sslContext(TlsContext.of(info));
        if (settings.connectTimeout() != null) {
            builder.connectTimeout(settings.connectTimeout());
        }
        ProxyChoice.of(info, settings.trustEnv()).applyTo(builder);
        this.http = builder.build();
    }

    @Override
    public Answer send(Call call, Deadline deadline) throws IOException, InterruptedException {
        HttpRequest request = request(call);
        acquire(call, deadline);
        try {
            HttpResponse<byte[]> response =
                    TimedExchange.run(platform, http, request, BodyHandlers.ofByteArray(), deadline, deadlines);
            return new Answer(response.statusCode(), response.headers().map(), response.body());
        } finally {
            inFlight.release();
        }
    }

    @Override
    public AnswerStream open(Call call, Deadline headersBy) throws IOException, InterruptedException {
        HttpRequest request = request(call);
        if (call.isWatch()) {
            return openNow(request, headersBy);
        }
        acquire(call, headersBy);
        try {
            return openNow(request, headersBy);
        } finally {
            inFlight.release();
        }
    }

    private AnswerStream openNow(HttpRequest request, Deadline headersBy) throws IOException, InterruptedException {
        StreamedBody.Handler handler = new StreamedBody.Handler(platform);
        try {
            return TimedExchange.run(platform, http, request, handler, headersBy, deadlines)
                    .body();
        } catch (IOException | InterruptedException e) {
            handler.abandon();
            throw e;
        }
    }

    private void acquire(Call call, Deadline deadline) throws IOException, InterruptedException {
        if (!inFlight.acquire(deadline, deadlines)) {
            throw new RequestTimeoutException("no free connection for " + call + " to " + info.server()
                    + " in time: all permitted requests are in flight");
        }
    }

    private HttpRequest request(Call call) throws IOException {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create(info.server() + call.path()))
                .method(
                        call.method(),
                        call.body() == null ? BodyPublishers.noBody() : BodyPublishers.ofByteArray(call.body()));
        request.setHeader("User-Agent", ProductVersion.USER_AGENT);
        call.headers().forEach(request::setHeader);
        authorization.header().ifPresent(value -> request.setHeader("Authorization", value));
        return request.build();
    }

    @Override
    public void retire() {
        http.shutdown();
    }

    @Override
    public void close() {
        http.shutdownNow();
    }
}
