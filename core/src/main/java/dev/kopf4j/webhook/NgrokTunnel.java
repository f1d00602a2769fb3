package dev.kopf4j.webhook;

import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * A tunnel of <a href="https://ngrok.com">ngrok</a> to a server in the operator's own process: for clusters that cannot
 * reach this machine. The program {@code ngrok} must be installed; it is never downloaded. Made by
 * {@link WebhookServer#ngrok}. Immutable: each method returns a changed copy. The text form shows no secrets.
 */
public sealed interface NgrokTunnel extends WebhookServer permits NgrokOptions {
    /** Logs in with this token; null, the default, for the one that ngrok is configured with. */
    NgrokTunnel token(@Nullable String value);

    /** Enters ngrok's network in this region, such as {@code eu}; null, the default, leaves the choice to ngrok. */
    NgrokTunnel region(@Nullable String value);

    /** The program; {@code ngrok} of the path by default. May begin with {@code ~}. */
    NgrokTunnel binary(Path value);

    /** The port of the server behind the tunnel; 0 for any free one, the default. */
    NgrokTunnel port(int value);

    /** The path of the server; the root by default. */
    NgrokTunnel path(String value);

    /** The token; null for that of ngrok's configuration. */
    @Nullable String token();

    /** The region; null for ngrok's choice. */
    @Nullable String region();

    /** The program. */
    Path binary();

    /** The port of the server behind the tunnel. */
    int port();

    /** The path of the server. */
    String path();
}
