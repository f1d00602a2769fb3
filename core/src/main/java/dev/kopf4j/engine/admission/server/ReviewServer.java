package dev.kopf4j.engine.admission.server;

import dev.kopf4j.OperatorException;
import dev.kopf4j.engine.admission.identity.ServerIdentity;
import dev.kopf4j.engine.admission.server.BuiltInServers.CrowdedContext;
import dev.kopf4j.engine.admission.server.LocalServerRun.ListeningServer;
import dev.kopf4j.engine.http.HttpListener;
import dev.kopf4j.engine.http.HttpListener.Clients;
import dev.kopf4j.engine.http.HttpListener.HttpAnswer;
import dev.kopf4j.engine.http.HttpListener.HttpReply;
import dev.kopf4j.engine.http.HttpListener.SocketSecurity;
import dev.kopf4j.engine.http.HttpRequest;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.runtime.Task.TaskEndError;
import dev.kopf4j.webhook.ClientVerification;
import dev.kopf4j.webhook.LocalWebhookServer;
import dev.kopf4j.webhook.WebhookException;
import dev.kopf4j.webhook.WebhookRequest;
import dev.kopf4j.webhook.WebhookServer;
import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.time.Duration;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Receives reviews at a port, with or without TLS. Thread-safe. */
final class ReviewServer implements ListeningServer {
    /**
     * Of a body. The API server takes 3 MB of a client at most, and sends an object in its old and new form: 7 MB have
     * room for both.
     */
    static final int BODY_BYTES_MAX = 7 * 1024 * 1024;

    /** API servers keep a handful of connections; the rest is for those who open them and say nothing. */
    private static final Clients CLIENTS = new Clients("webhook", 1000, BODY_BYTES_MAX, false);

    /** Who is being answered when the server ends, gets the answer, unless it takes longer. */
    private static final Duration EXIT_GRACE = Duration.ofSeconds(3);

    private final Platform platform;
    private final HttpListener listener;
    private final ReviewEndpoint endpoint;
    private final @Nullable TlsSockets tls;

    private ReviewServer(Platform platform, HttpListener listener, ReviewEndpoint endpoint, @Nullable TlsSockets tls) {
        this.platform = platform;
        this.listener = listener;
        this.endpoint = endpoint;
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
        TlsSockets tls = identity == null ? null : new TlsSockets(identity.context(), options.clientCertificates());
        SocketSecurity security = tls == null ? SocketSecurity.NONE : tls;
        String host = options.address();
        InetSocketAddress address =
                host == null ? new InetSocketAddress(options.port()) : new InetSocketAddress(host, options.port());
        ReviewEndpoint endpoint = new ReviewEndpoint(options.path(), context);
        try {
            return new ReviewServer(
                    platform, HttpListener.start(platform, address, CLIENTS, security, endpoint), endpoint, tls);
        } catch (BindException e) {
            throw new OperatorException(
                    "Cannot serve webhooks at " + address + ": " + e.getMessage()
                            + ". Something else listens at that port, or the address is not of this machine, or the port is"
                            + " for privileged users only: choose others by settings.admission().server(...).",
                    e);
        } catch (IOException e) {
            throw new OperatorException(
                    "Cannot serve webhooks at " + address + ": " + e + ". Check the address of the webhook server.", e);
        }
    }

    @Override
    public int port() {
        return listener.port();
    }

    @Override
    public void show(ServerIdentity identity) {
        if (tls != null) {
            tls.use(identity.context());
        }
    }

    @Override
    public void stop(Duration delay) throws InterruptedException {
        try {
            endpoint.leave();
            platform.sleep(delay);
        } finally {
            listener.stop(EXIT_GRACE);
        }
    }

    /** Speaks TLS with clients, by a context that another may take the place of at any time. Thread-safe. */
    private static final class TlsSockets implements SocketSecurity {
        private static final String[] PROTOCOLS = {"TLSv1.3", "TLSv1.2"};
        private final ClientVerification clients;
        private volatile SSLContext context;

        TlsSockets(SSLContext context, ClientVerification clients) {
            this.context = context;
            this.clients = clients;
        }

        /** From now on new connections are made by this one; those that exist go on with theirs. */
        void use(SSLContext next) {
            context = next;
        }

        @Override
        public Socket secured(Socket accepted) throws IOException {
            SSLSocket secure = (SSLSocket) context.getSocketFactory().createSocket(accepted, null, true);
            secure.setUseClientMode(false);
            secure.setEnabledProtocols(PROTOCOLS);
            switch (clients) {
                case NONE -> secure.setWantClientAuth(false);
                case OPTIONAL -> secure.setWantClientAuth(true);
                case REQUIRED -> secure.setNeedClientAuth(true);
            }
            return secure;
        }
    }

    /** Makes reviews of HTTP requests, and HTTP replies of their answers. Thread-safe. */
    private static final class ReviewEndpoint implements HttpAnswer {
        private static final Logger log = LoggerFactory.getLogger("kopf4j.admission");
        private static final int NOT_FOUND = 404;
        private static final int NOT_ALLOWED = 405;
        private static final int SERVER_ERROR = 500;

        private final String path;
        private final WebhookServer.WebhookContext context;
        private volatile boolean leaving;

        /**
         * Answers below a path.
         *
         * @param path without a slash at its end
         */
        ReviewEndpoint(String path, WebhookServer.WebhookContext context) {
            this.path = path;
            this.context = context;
        }

        /** From now on clients are told to come back by a new connection, which may lead them to another replica. */
        void leave() {
            leaving = true;
        }

        @Override
        public HttpReply to(HttpRequest request) {
            HttpReply reply = reply(request);
            return leaving ? reply.asLast() : reply;
        }

        @Override
        public void crowded(boolean isSo) {
            if (context instanceof CrowdedContext told) {
                told.crowded(
                        isSo ? CLIENTS.connections() + " requests are being answered, and no other is taken" : null);
            }
        }

        private HttpReply reply(HttpRequest request) {
            if (!request.method().equals("POST")) {
                return HttpReply.problem(NOT_ALLOWED, "webhooks are called by POST")
                        .with("Allow", "POST");
            }
            String asked = request.path();
            if (!asked.equals(path) && !asked.startsWith(path + "/")) {
                return HttpReply.problem(NOT_FOUND, "there are no webhooks at this path");
            }
            String id = asked.length() <= path.length() ? "" : asked.substring(path.length() + 1);
            return answer(WebhookRequest.of(request.body())
                    .forHandler(id)
                    .withHeaders(request.headers())
                    .withClientCertificate(request.certificate()));
        }

        private HttpReply answer(WebhookRequest request) {
            try {
                return HttpReply.json(context.answer(request).body());
            } catch (WebhookException e) {
                log.debug("A request to the webhook {} is refused: {}", request.handlerId(), e.getMessage());
                return HttpReply.problem(e.status(), String.valueOf(e.getMessage()));
            } catch (InterruptedException e) {
                // The flag goes on; the connection takes it off again, and is closed after the reply.
                Thread.currentThread().interrupt();
                return HttpReply.problem(SERVER_ERROR, "the operator is ending, or has taken too long");
            } catch (Throwable e) {
                TaskEndError.letThrough(e);
                log.error(
                        Platform.UNEXPECTED,
                        "A request to a webhook could not be answered. This is a defect of the framework.",
                        Platform.tellable(e));
                return HttpReply.problem(SERVER_ERROR, "the operator could not answer; its log says why");
            }
        }
    }
}
