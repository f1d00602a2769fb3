package dev.kopf4j.webhook;

import java.util.function.Consumer;

/**
 * Something that receives the requests of the API server for the webhooks of the operator: a server, or a tunnel to
 * one. Those of the framework are made by the methods here; one's own implements {@link #serve}.
 */
@FunctionalInterface
public interface WebhookServer {
    /**
     * Serves until the thread is interrupted, as happens when the operator stops. Tells by
     * {@link WebhookContext#publish} where it can be reached, and again whenever that changes. Called once, in a thread
     * of its own.
     *
     * @throws Exception whatever goes wrong: the operator ends, as it does if the method returns before it is asked to
     */
    void serve(WebhookContext context) throws Exception;

    /** What the operator offers to a server. Thread-safe. */
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
         * Runs another server, such as one of the framework's, within this one: a tunnel needs somebody to tunnel to.
         * Returns when that ends.
         *
         * @param inner the other server
         * @param configs hears where the inner one can be reached, in place of the operator
         */
        void serve(WebhookServer inner, Consumer<WebhookClientConfig> configs) throws Exception;
    }
}
