package dev.kopf4j.engine.admission.server;

import dev.kopf4j.engine.admission.http.HttpAnswer;
import dev.kopf4j.engine.admission.http.HttpReply;
import dev.kopf4j.engine.admission.http.HttpRequest;
import dev.kopf4j.webhook.WebhookException;
import dev.kopf4j.webhook.WebhookRequest;
import dev.kopf4j.webhook.WebhookServer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes reviews of HTTP requests, and HTTP replies of their answers. Thread-safe. */
final class ReviewEndpoint implements HttpAnswer {
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

    private HttpReply reply(HttpRequest request) {
        if (!request.method().equals("POST")) {
            return HttpReply.problem(NOT_ALLOWED, "webhooks are called by POST").with("Allow", "POST");
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
        } catch (RuntimeException | StackOverflowError e) {
            log.error("A request to a webhook could not be answered. This is a defect of the framework.", e);
            return HttpReply.problem(SERVER_ERROR, "the operator could not answer; its log says why");
        }
    }
}
