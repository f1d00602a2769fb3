package dev.kopf4j.certificate;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.SSLContext;

/** Makes the TLS contexts of servers of our own. Pure. */
public final class ServerTls {
    private static final int CHALLENGE_BYTES = 32;

    private ServerTls() {}

    /** Whether a key is that of a certificate. */
    public static boolean belongTogether(X509Certificate certificate, PrivateKey key) throws GeneralSecurityException {
        String algorithm = switch (key.getAlgorithm()) {
            case "RSA" -> "SHA256withRSA";
            case "EC" -> "SHA256withECDSA";
            default -> key.getAlgorithm();
        };
        if (!certificate.getPublicKey().getAlgorithm().equals(key.getAlgorithm())) {
            return false;
        }
        byte[] challenge = new byte[CHALLENGE_BYTES];
        new SecureRandom().nextBytes(challenge);
        Signature signing = Signature.getInstance(algorithm);
        signing.initSign(key);
        signing.update(challenge);
        Signature verifying = Signature.getInstance(algorithm);
        verifying.initVerify(certificate.getPublicKey());
        verifying.update(challenge);
        return verifying.verify(signing.sign());
    }

    /**
     * Makes the context of a server.
     *
     * @param chain its certificate, followed by those of its issuers
     * @param key the key of the certificate
     * @param clientAuthorities whose certificates of clients it believes; empty for those of the JDK
     */
    public static SSLContext context(
            List<X509Certificate> chain, PrivateKey key, List<X509Certificate> clientAuthorities)
            throws GeneralSecurityException, IOException {
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(
                KeyStores.showing("server", chain, key),
                clientAuthorities.isEmpty()
                        ? null
                        : KeyStores.trusting(clientAuthorities).getTrustManagers(),
                null);
        return context;
    }
}
