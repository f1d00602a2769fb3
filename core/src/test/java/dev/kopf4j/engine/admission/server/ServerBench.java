package dev.kopf4j.engine.admission.server;

import dev.kopf4j.certificate.PemReader;
import dev.kopf4j.engine.admission.identity.NoSecrets;
import dev.kopf4j.engine.admission.server.BuiltInServers.CrowdedContext;
import dev.kopf4j.engine.admission.server.ClusterKind.ApiServerIdentity;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.SystemPlatform;
import dev.kopf4j.runtime.Task;
import dev.kopf4j.webhook.WebhookClientConfig;
import dev.kopf4j.webhook.WebhookRequest;
import dev.kopf4j.webhook.WebhookResponse;
import dev.kopf4j.webhook.WebhookServer;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Runs a webhook server on the real machine, in place of an operator. */
public final class ServerBench implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 60;

    private final Platform platform;
    /** Empty when the server has ended. */
    private final BlockingQueue<Optional<WebhookClientConfig>> configs = new LinkedBlockingQueue<>();

    private final AtomicReference<@Nullable Exception> failure = new AtomicReference<>();
    private final List<String> crowds = new CopyOnWriteArrayList<>();
    private final Task task;

    /** What the operator says to a request. */
    public interface Answer {
        WebhookResponse to(WebhookRequest request) throws InterruptedException;
    }

    ServerBench(WebhookServer server, ApiServerIdentity apiServer, Answer answer) {
        this(new SystemPlatform(), server, apiServer, answer);
    }

    /** The server on a machine with a clock of the test's. */
    ServerBench(Platform platform, WebhookServer server, Answer answer) {
        this(platform, server, unknown(), answer);
    }

    private ServerBench(Platform platform, WebhookServer server, ApiServerIdentity apiServer, Answer answer) {
        this.platform = platform;
        BuiltInServers builtIn = new BuiltInServers(platform, apiServer, NoSecrets.INSTANCE);
        task = platform.spawn("bench", () -> {
            try {
                Consumer<WebhookClientConfig> published = config -> configs.add(Optional.of(config));
                new Context(builtIn, answer, published, crowds).serve(server, published);
                failure.set(new IllegalStateException("it has ended by itself"));
            } catch (Exception e) {
                failure.set(e);
            }
            configs.add(Optional.empty());
        });
    }

    /** The server in a cluster that is not recognised. */
    public ServerBench(WebhookServer server, Answer answer) {
        this(server, unknown(), answer);
    }

    /** Answers with what it was asked. */
    static WebhookResponse echo(WebhookRequest request) {
        return response(
                request.handlerId().orElse("<none>") + "|" + new String(request.body(), StandardCharsets.UTF_8));
    }

    static WebhookResponse response(String text) {
        return new WebhookResponse(text.getBytes(StandardCharsets.UTF_8));
    }

    static ApiServerIdentity unknown() {
        return identity(null, "");
    }

    static ApiServerIdentity identity(@Nullable X509Certificate certificate, String version) {
        return new ApiServerIdentity() {
            @Override
            public Optional<X509Certificate> certificate() {
                return Optional.ofNullable(certificate);
            }

            @Override
            public String gitVersion() {
                return version;
            }
        };
    }

    private record Context(
            BuiltInServers builtIn, Answer answer, Consumer<WebhookClientConfig> configs, List<String> crowds)
            implements CrowdedContext {
        @Override
        public WebhookResponse answer(WebhookRequest request) throws InterruptedException {
            return answer.to(request);
        }

        @Override
        public void crowded(@Nullable String why) {
            crowds.add(why == null ? "there is room" : why);
        }

        @Override
        public void publish(WebhookClientConfig config) {
            configs.accept(config);
        }

        @Override
        public void serve(WebhookServer inner, Consumer<WebhookClientConfig> innerConfigs) throws Exception {
            builtIn.serve(inner, new Context(builtIn, answer, innerConfigs, crowds));
        }
    }

    /** The next config that is published. */
    public WebhookClientConfig nextConfig() throws Exception {
        Optional<WebhookClientConfig> config = configs.poll(PATIENCE_SECONDS, TimeUnit.SECONDS);
        if (config == null) {
            throw new AssertionError("the server publishes nothing");
        }
        return config.orElseThrow(() -> Objects.requireNonNull(failure.get(), "why the server has ended"));
    }

    /** What the operator was told of a server without a place for a request, and of the end of that. */
    List<String> crowds() {
        return crowds;
    }

    /** Why the server has ended. */
    Exception end() throws InterruptedException {
        if (!task.join(platform.after(Duration.ofSeconds(PATIENCE_SECONDS)))) {
            throw new AssertionError("the server has not ended");
        }
        return Objects.requireNonNull(failure.get());
    }

    /** The address of a config. */
    public static String url(WebhookClientConfig config) {
        return ((WebhookClientConfig.Url) config).url();
    }

    /** Sends a review. */
    public static HttpResponse<String> post(HttpClient client, String url, byte[] body)
            throws IOException, InterruptedException {
        return client.send(
                HttpRequest.newBuilder(URI.create(url))
                        .timeout(Duration.ofSeconds(PATIENCE_SECONDS))
                        .POST(HttpRequest.BodyPublishers.ofByteArray(body))
                        .build(),
                HttpResponse.BodyHandlers.ofString());
    }

    /** Sends a review. */
    public static HttpResponse<String> post(HttpClient client, String url, String body)
            throws IOException, InterruptedException {
        return post(client, url, body.getBytes(StandardCharsets.UTF_8));
    }

    /** A client that believes these authorities only, with a certificate of its own if there is one. */
    public static HttpClient client(@Nullable String caPem, KeyManagerFactory... keys) throws Exception {
        return HttpClient.newBuilder()
                .version(HttpClient.Version.HTTP_1_1)
                .sslContext(context(caPem, keys))
                .build();
    }

    static SSLContext context(@Nullable String caPem, KeyManagerFactory... keys) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        List<X509Certificate> trusted = caPem == null ? List.of() : PemReader.certificates("authority", caPem);
        for (int number = 0; number < trusted.size(); number++) {
            store.setCertificateEntry("ca" + number, trusted.get(number));
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.length == 0 ? null : keys[0].getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }

    @Override
    public void close() {
        task.interrupt();
        try {
            if (!task.join(platform.after(Duration.ofSeconds(PATIENCE_SECONDS)))) {
                throw new AssertionError("the server ignores that it was interrupted");
            }
        } catch (InterruptedException e) {
            throw new AssertionError("the test was interrupted", e);
        }
    }
}
