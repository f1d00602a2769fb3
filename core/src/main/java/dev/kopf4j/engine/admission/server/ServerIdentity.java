package dev.kopf4j.engine.admission.server;

import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;

/**
 * What a server shows to its clients. Immutable.
 *
 * @param context makes its connections
 * @param caPem the authorities that clients have to trust; null for those that they trust anyway
 */
record ServerIdentity(SSLContext context, @Nullable String caPem) {
    /** The authorities of both: clients trust the server before and after it has changed. */
    static @Nullable String bundle(ServerIdentity one, ServerIdentity other) {
        String first = one.caPem();
        String second = other.caPem();
        if (first == null || second == null) {
            return null;
        }
        return first.equals(second) ? first : second + (second.endsWith("\n") ? "" : "\n") + first;
    }
}
