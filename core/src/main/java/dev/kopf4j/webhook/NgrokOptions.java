package dev.kopf4j.webhook;

import dev.kopf4j.text.HomeFolder;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** The options of an {@link NgrokTunnel}. */
record NgrokOptions(@Nullable String token, @Nullable String region, Path binary, int port, String path)
        implements NgrokTunnel {
    NgrokOptions {
        binary = HomeFolder.resolved(binary);
        path = LocalServerOptions.normalized(path);
    }

    @Override
    public void serve(WebhookContext context) throws Exception {
        context.serve(this, context::publish);
    }

    @Override
    public NgrokTunnel token(@Nullable String value) {
        return new NgrokOptions(value, region, binary, port, path);
    }

    @Override
    public NgrokTunnel region(@Nullable String value) {
        return new NgrokOptions(token, value, binary, port, path);
    }

    @Override
    public NgrokTunnel binary(Path value) {
        return new NgrokOptions(token, region, value, port, path);
    }

    @Override
    public NgrokTunnel port(int value) {
        return new NgrokOptions(token, region, binary, value, path);
    }

    @Override
    public NgrokTunnel path(String value) {
        return new NgrokOptions(token, region, binary, port, value);
    }

    @Override
    public String toString() {
        return "NgrokTunnel[region=" + region + ", binary=" + binary + ", port=" + port + ", path=" + path + "]";
    }
}
