package dev.kopf4j.engine.admission.server;

import dev.kopf4j.engine.admission.identity.ServerIdentity;
import dev.kopf4j.webhook.LocalWebhookServer;
import dev.kopf4j.webhook.WebhookServer;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A server that listens at a port. Thread-safe. */
interface ListeningServer {
    /** The port in use. */
    int port();

    /** From now on new connections see this identity; those that exist go on. */
    void show(ServerIdentity identity);

    /**
     * Ends, with a grace for requests that have been received.
     *
     * @param delay how long it goes on before, without keeping connections alive
     */
    void stop(Duration delay) throws InterruptedException;

    /** Starts servers. */
    @FunctionalInterface
    interface Starter {
        /**
         * A server that listens at once.
         *
         * @param identity null for plain HTTP
         */
        ListeningServer start(
                LocalWebhookServer options, @Nullable ServerIdentity identity, WebhookServer.WebhookContext context);
    }
}
