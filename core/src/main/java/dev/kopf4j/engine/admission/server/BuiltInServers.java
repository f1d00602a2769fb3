package dev.kopf4j.engine.admission.server;

import dev.kopf4j.engine.admission.identity.Secrets;
import dev.kopf4j.runtime.Platform;
import dev.kopf4j.webhook.AutoWebhookServer;
import dev.kopf4j.webhook.LocalWebhookServer;
import dev.kopf4j.webhook.NgrokTunnel;
import dev.kopf4j.webhook.WebhookServer;
import java.time.Duration;

/** Runs webhook servers: the framework's own as they are described, others as they are. Thread-safe. */
public final class BuiltInServers {
    private static final Duration EXIT_GRACE = Duration.ofSeconds(5);

    private final Platform platform;
    private final ApiServerIdentity apiServer;
    private final Secrets secrets;

    /**
     * Runs nothing yet.
     *
     * @param apiServer tells clusters apart
     * @param secrets have certificates and authorities
     */
    public BuiltInServers(Platform platform, ApiServerIdentity apiServer, Secrets secrets) {
        this.platform = platform;
        this.apiServer = apiServer;
        this.secrets = secrets;
    }

    /** How long a server may take to end after it was interrupted. */
    public static Duration stopsWithin(WebhookServer server) {
        return switch (server) {
            case LocalWebhookServer local -> local.stopDelay().plus(EXIT_GRACE);
            case AutoWebhookServer auto -> {
                Duration known = stopsWithin(auto.server());
                Duration other = stopsWithin(auto.fallback());
                yield known.compareTo(other) > 0 ? known : other;
            }
            default -> EXIT_GRACE;
        };
    }

    /** Serves until that ends, usually because it is interrupted. */
    public void serve(WebhookServer server, WebhookServer.WebhookContext context) throws Exception {
        switch (server) {
            case LocalWebhookServer local ->
                new LocalServerRun(
                                platform,
                                secrets,
                                local,
                                context,
                                (options, identity, same) -> ReviewServer.start(platform, options, identity, same))
                        .run();
            case AutoWebhookServer auto ->
                context.serve(ClusterKind.of(apiServer).serverOf(auto), context::publish);
            case NgrokTunnel tunnel -> new NgrokRun(platform, tunnel, context).run();
            default -> server.serve(context);
        }
    }
}
