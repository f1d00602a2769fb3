package dev.kopf4j.client.tls;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;

/** Makes the TLS contexts of servers of our own, and reads what they are made of. Pure. */
public final class ServerTls {
    private static final int CHALLENGE_BYTES = 32;

    private ServerTls() {}

    /**
     * Returns all certificates of a PEM text, in their order; at least one.
     *
     * @param what what the text is, for messages
     * @throws IllegalArgumentException if there is none
     */
    public static List<X509Certificate> certificates(String what, String pem) throws GeneralSecurityException {
        return PemReader.certificates(what, pem);
    }

    /**
     * Returns the private key of a PEM text.
     *
     * @param what what the text is, for messages
     * @param password opens it if it is encrypted in PKCS #8; null for none
     * @throws IllegalArgumentException if there is none, or it is encrypted and there is no password
     */
    public static PrivateKey privateKey(String what, String pem, @Nullable String password)
            throws GeneralSecurityException {
        return PemReader.privateKey(what, pem, password);
    }

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
        KeyStore store = KeyStores.empty();
        store.setKeyEntry("server", key, KeyStores.NO_PASSWORD, chain.toArray(X509Certificate[]::new));
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(store, KeyStores.NO_PASSWORD);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trusting(clientAuthorities), null);
        return context;
    }

    private static TrustManager @Nullable [] trusting(List<X509Certificate> authorities)
            throws GeneralSecurityException, IOException {
        if (authorities.isEmpty()) {
            return null;
        }
        KeyStore store = KeyStores.empty();
        for (int number = 0; number < authorities.size(); number++) {
            store.setCertificateEntry("ca-" + number, authorities.get(number));
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory.getTrustManagers();
    }
}
