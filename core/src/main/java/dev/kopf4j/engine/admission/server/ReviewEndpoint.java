package dev.kopf4j.engine.admission.server;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpsExchange;
import dev.kopf4j.webhook.WebhookException;
import dev.kopf4j.webhook.WebhookRequest;
import dev.kopf4j.webhook.WebhookServer;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.Map;
import java.util.Optional;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes reviews of HTTP requests, and HTTP responses of their answers. Thread-safe. */
final class ReviewEndpoint implements HttpHandler {
    private static final Logger log = LoggerFactory.getLogger("kopf4j.admission");
    private static final int NOT_FOUND = 404;
    private static final int NOT_ALLOWED = 405;
    private static final int TOO_LARGE = 413;
    private static final int SERVER_ERROR = 500;

    private final String path;
    private final WebhookServer.WebhookContext context;

    /**
     * Answers below a path.
     *
     * @param path without a slash at its end
     */
    ReviewEndpoint(String path, WebhookServer.WebhookContext context) {
        this.path = path;
        this.context = context;
    }

    @Override
    public void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            HttpReply reply = reply(exchange);
            RequestTasks.GUARD.get().answered();
            exchange.getResponseHeaders().set("Content-Type", reply.type());
            exchange.sendResponseHeaders(reply.status(), reply.body().length);
            exchange.getResponseBody().write(reply.body());
        }
    }

    private HttpReply reply(HttpExchange exchange) throws IOException {
        if (!exchange.getRequestMethod().equals("POST")) {
            exchange.getResponseHeaders().set("Allow", "POST");
            return HttpReply.problem(NOT_ALLOWED, "webhooks are called by POST");
        }
        Optional<byte[]> body = RequestBody.read(exchange.getRequestBody());
        RequestTasks.GUARD.get().received();
        if (body.isEmpty()) {
            exchange.getResponseHeaders().set("Connection", "close");
            return HttpReply.problem(TOO_LARGE, "a review has at most " + RequestBody.BYTES_MAX + " bytes");
        }
        String asked = exchange.getRequestURI().getPath();
        if (!asked.equals(path) && !asked.startsWith(path + "/")) {
            return HttpReply.problem(NOT_FOUND, "there are no webhooks at this path");
        }
        String id = asked.length() <= path.length() ? "" : asked.substring(path.length() + 1);
        return answer(WebhookRequest.of(body.get())
                .forHandler(id)
                .withHeaders(Map.copyOf(exchange.getRequestHeaders()))
                .withClientCertificate(certificate(exchange)));
    }

    private HttpReply answer(WebhookRequest request) {
        try {
            return HttpReply.json(context.answer(request).body());
        } catch (WebhookException e) {
            log.debug("A request to the webhook {} is refused: {}", request.handlerId(), e.getMessage());
            return HttpReply.problem(e.status(), String.valueOf(e.getMessage()));
        } catch (InterruptedException e) {
            // The flag stays off: it would break the connection before the client has its answer.
            return HttpReply.problem(SERVER_ERROR, "the operator is ending, or has taken too long");
        } catch (RuntimeException | StackOverflowError e) {
            log.error("A request to a webhook could not be answered. This is a defect of the framework.", e);
            return HttpReply.problem(SERVER_ERROR, "the operator could not answer; its log says why");
        }
    }

    private static @Nullable X509Certificate certificate(HttpExchange exchange) {
        try {
            return exchange instanceof HttpsExchange secure
                            && secure.getSSLSession().getPeerCertificates()[0] instanceof X509Certificate found
                    ? found
                    : null;
        } catch (SSLPeerUnverifiedException e) {
            return null; // it has shown none, and need not
        }
    }
}
