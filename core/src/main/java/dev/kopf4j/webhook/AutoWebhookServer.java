package dev.kopf4j.webhook;

/**
 * Chooses by the cluster: k3d, minikube and Docker Desktop reach this machine by a name of their own. They are
 * recognised by the certificate of the API server, or by its version. Made by {@link WebhookServer#auto} and
 * {@link WebhookServer#autoTunnel}. Immutable.
 */
public sealed interface AutoWebhookServer extends WebhookServer permits AutoChoice {
    /** The same with other options for the server in a cluster that is recognised. */
    AutoWebhookServer server(LocalWebhookServer value);

    /** The same with another server or tunnel for clusters that are not recognised. */
    AutoWebhookServer fallback(WebhookServer value);

    /** The server in a cluster that is recognised; its host is that cluster's, unless it has one of its own. */
    LocalWebhookServer server();

    /** The server or tunnel for other clusters. */
    WebhookServer fallback();
}
