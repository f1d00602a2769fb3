package dev.kopf4j.engine.admission.identity;

import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * What a server shows to its clients. Immutable.
 *
 * @param context makes its connections
 * @param parts what it is made of
 */
public record ServerIdentity(SSLContext context, IdentityParts parts) {
    /** The authorities that clients have to trust, as PEM; null for those that they trust anyway. */
    public @Nullable String caPem() {
        return parts.caPem();
    }
}
