package dev.kopf4j.webhook;

import java.nio.file.Path;
import java.time.Duration;
import java.util.function.Consumer;

/**
 * Something that receives the requests of the API server for the webhooks of the operator: a server, or a tunnel to
 * one. Those of the framework are made by the methods here; one's own implements {@link #serve}.
 */
@FunctionalInterface
public interface WebhookServer {
    /** A server in this process, which the API server reaches directly. */
    static LocalWebhookServer local() {
        return new LocalServerOptions();
    }

    /** The same for a cluster of k3d or k3s on this machine: it is reached by {@code host.k3d.internal}. */
    static LocalWebhookServer k3d() {
        return local().host("host.k3d.internal");
    }

    /** The same for a cluster of minikube on this machine: it is reached by {@code host.minikube.internal}. */
    static LocalWebhookServer minikube() {
        return local().host("host.minikube.internal");
    }

    /** The same for the cluster of Docker Desktop: it is reached by {@code host.docker.internal}. */
    static LocalWebhookServer dockerDesktop() {
        return local().host("host.docker.internal");
    }

    /** One of {@link #k3d}, {@link #minikube}, {@link #dockerDesktop}, {@link #local}, as the cluster is. */
    static AutoWebhookServer auto() {
        return new AutoChoice(local(), local());
    }

    /** A server in this process, and a tunnel of ngrok to it. */
    static NgrokTunnel ngrok() {
        return new NgrokOptions(null, null, Path.of("ngrok"), 0, "");
    }

    /** One of {@link #k3d}, {@link #minikube}, {@link #dockerDesktop}, {@link #ngrok}, as the cluster is. */
    static AutoWebhookServer autoTunnel() {
        return new AutoChoice(local(), ngrok());
    }

    /**
     * Serves until the thread is interrupted, as happens when the operator stops. Tells by
     * {@link WebhookContext#publish} where it can be reached, and again whenever that changes. Called once, in a thread
     * of its own.
     *
     * @throws Exception whatever goes wrong: the operator ends, as it does if the method returns before it is asked to
     */
    void serve(WebhookContext context) throws Exception;

    /** What the operator offers to a server. Thread-safe. Made by the framework; not to be implemented. */
    interface WebhookContext {
        /**
         * Answers a review.
         *
         * @param request what has come, and how
         * @return the AdmissionReview, or ConversionReview, that answers it
         * @throws WebhookException if it is no review, or not for this operator
         * @throws InterruptedException if the operator stops
         */
        WebhookResponse answer(WebhookRequest request) throws InterruptedException;

        /** From now on the webhooks are reached in this way. */
        void publish(WebhookClientConfig config);

        /**
         * Waits until the API server has been told what was published last. To be called before a certificate is shown
         * that is not trusted yet.
         *
         * @param atMost how long to wait; not at all if it is zero
         * @return true if it has been told, or if the operator does not write the configurations
         */
        default boolean awaitConfigured(Duration atMost) throws InterruptedException {
            return true;
        }

        /**
         * The webhooks cannot be reached yet, or not any more, and why. The readiness of the operator says so until
         * something is published.
         *
         * @param why in words for people, as a sentence
         */
        default void delayed(String why) {}

        /**
         * Runs another server, such as one of the framework's, within this one: a tunnel needs somebody to tunnel to.
         * Returns when that ends.
         *
         * @param inner the other server
         * @param configs hears where the inner one can be reached, in place of the operator
         */
        void serve(WebhookServer inner, Consumer<WebhookClientConfig> configs) throws Exception;
    }
}
