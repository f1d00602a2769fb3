package dev.kopf4j.engine.admission.server;

import dev.kopf4j.runtime.Platform;
import dev.kopf4j.webhook.AutoWebhookServer;
import dev.kopf4j.webhook.LocalWebhookServer;
import dev.kopf4j.webhook.NgrokTunnel;
import dev.kopf4j.webhook.WebhookServer;

/** Runs webhook servers: the framework's own as they are described, others as they are. Thread-safe. */
public final class BuiltInServers {
    private final Platform platform;
    private final ApiServerIdentity apiServer;

    /**
     * Runs nothing yet.
     *
     * @param apiServer tells clusters apart
     */
    public BuiltInServers(Platform platform, ApiServerIdentity apiServer) {
        this.platform = platform;
        this.apiServer = apiServer;
    }

    /** Serves until that ends, usually because it is interrupted. */
    public void serve(WebhookServer server, WebhookServer.WebhookContext context) throws Exception {
        switch (server) {
            case LocalWebhookServer local -> new LocalServerRun(platform, local, context).run();
            case AutoWebhookServer auto ->
                context.serve(ClusterKind.of(apiServer).serverOf(auto), context::publish);
            case NgrokTunnel tunnel -> new NgrokRun(platform, tunnel, context).run();
            default -> server.serve(context);
        }
    }
}
