package dev.kopf4j.engine.admission.server;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsParameters;
import com.sun.net.httpserver.HttpsServer;
import dev.kopf4j.OperatorException;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.webhook.ClientVerification;
import dev.kopf4j.webhook.LocalWebhookServer;
import dev.kopf4j.webhook.WebhookServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.nio.channels.UnresolvedAddressException;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import org.jspecify.annotations.Nullable;

/** Listens at a port, with or without TLS. Thread-safe. */
final class ReviewServer {
    /** Who is being answered when the server ends, gets the answer, unless it takes longer. */
    private static final Duration EXIT_GRACE = Duration.ofSeconds(3);

    private final HttpServer server;
    private final RequestTasks tasks;
    private final @Nullable ChangingContext tls;

    private ReviewServer(HttpServer server, RequestTasks tasks, @Nullable ChangingContext tls) {
        this.server = server;
        this.tasks = tasks;
        this.tls = tls;
    }

    /**
     * Listens at once.
     *
     * @param identity null for plain HTTP
     * @throws OperatorException if that is impossible, with the way out
     */
    static ReviewServer start(
            Platform platform,
            LocalWebhookServer options,
            @Nullable ServerIdentity identity,
            WebhookServer.WebhookContext context) {
        HttpServerProperties.set();
        HttpServer http = bound(options);
        ChangingContext tls = identity == null ? null : ChangingContext.of(identity.context());
        ReviewServer server = new ReviewServer(http, new RequestTasks(platform), tls);
        if (tls != null && http instanceof HttpsServer https) {
            https.setHttpsConfigurator(new Handshakes(tls, options.clientCertificates()));
        }
        http.setExecutor(server.tasks);
        http.createContext("/", new ReviewEndpoint(options.path(), context));
        http.start();
        return server;
    }

    private static HttpServer bound(LocalWebhookServer options) {
        String host = options.address();
        InetSocketAddress address =
                host == null ? new InetSocketAddress(options.port()) : new InetSocketAddress(host, options.port());
        try {
            return options.isInsecure() ? HttpServer.create(address, 0) : HttpsServer.create(address, 0);
        } catch (BindException e) {
            throw new OperatorException(
                    "Cannot serve webhooks at " + address + ": " + e.getMessage()
                            + ". Something else listens at that port, or the address is not of this machine, or the port is"
                            + " for privileged users only: choose others by settings.admission().server(...).",
                    e);
        } catch (IOException | UnresolvedAddressException e) {
            throw new OperatorException(
                    "Cannot serve webhooks at " + address + ": " + e + ". Check the address of the webhook server.", e);
        }
    }

    /** The port in use. */
    int port() {
        return server.getAddress().getPort();
    }

    /** From now on new connections see this identity; those that exist go on. */
    void show(ServerIdentity identity) {
        if (tls != null) {
            tls.use(identity.context());
        }
    }

    /** Ends, with a grace for requests that have been received. */
    void stop() throws InterruptedException {
        try (tasks) {
            tasks.awaitEnd(EXIT_GRACE);
        } finally {
            server.stop(0);
        }
    }

    /** What is asked of each new connection. */
    private static final class Handshakes extends HttpsConfigurator {
        private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};
        private final ClientVerification clients;

        Handshakes(SSLContext context, ClientVerification clients) {
            super(context);
            this.clients = clients;
        }

        @Override
        public void configure(HttpsParameters parameters) {
            SSLParameters wanted = getSSLContext().getDefaultSSLParameters();
            wanted.setProtocols(PROTOCOLS);
            switch (clients) {
                case NONE -> wanted.setWantClientAuth(false);
                case OPTIONAL -> wanted.setWantClientAuth(true);
                case REQUIRED -> wanted.setNeedClientAuth(true);
            }
            parameters.setSSLParameters(wanted);
        }
    }
}
