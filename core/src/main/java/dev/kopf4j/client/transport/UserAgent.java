package dev.kopf4j.client.transport;

import dev.kopf4j.Kopf;

/** The name and version by which the framework presents itself to servers. */
public final class UserAgent {
    /**
     * The value of the {@code User-Agent} header. The API server takes its first part as the field manager of changes.
     */
    public static final String USER_AGENT = "kopf4j/" + Kopf.version();

    private UserAgent() {}
}
