package dev.kopf4j.engine.admission.identity;

import dev.kopf4j.client.tls.ServerTls;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A certificate that somebody else has made. Immutable. */
final class GivenCertificate {
    private GivenCertificate() {}

    /**
     * Reads it.
     *
     * @param password opens the key; null for none
     * @param authorities those to be trusted as PEM; null for those in the text of the certificate
     * @param places where the key and the certificate are, for the message if they do not fit
     */
    static ServedCertificate of(
            String certificate, String key, @Nullable String password, @Nullable String authorities, String places)
            throws GeneralSecurityException, IOException {
        List<X509Certificate> chain = ServerTls.certificates("certificate", certificate);
        PrivateKey privateKey = ServerTls.privateKey("key", key, password);
        if (!ServerTls.belongTogether(chain.getFirst(), privateKey)) {
            throw new IllegalArgumentException(places);
        }
        return new ServedCertificate(chain, privateKey, Objects.requireNonNullElse(authorities, certificate));
    }
}
