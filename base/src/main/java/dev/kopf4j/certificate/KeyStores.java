package dev.kopf4j.certificate;

import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.crypto.spec.PBEParameterSpec;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.TrustManagerFactory;

/** Puts certificates and keys into stores in memory, without passwords: the JDK takes them in this form only. */
public final class KeyStores {
    private static final int SALT_BYTES = 8;
    private static final char[] NO_PASSWORD = new char[0];

    private KeyStores() {}

    private static KeyStore empty() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, NO_PASSWORD);
        return store;
    }

    /** Trusts these authorities. */
    public static TrustManagerFactory trusting(List<X509Certificate> authorities)
            throws GeneralSecurityException, IOException {
        KeyStore store = empty();
        for (int number = 0; number < authorities.size(); number++) {
            store.setCertificateEntry("ca-" + number, authorities.get(number));
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory;
    }

    /** Shows a certificate, which is followed by those of its issuers. */
    public static KeyManager[] showing(String alias, List<X509Certificate> chain, PrivateKey key)
            throws GeneralSecurityException, IOException {
        KeyStore store = empty();
        // The store never leaves this process: the usual 10,000 rounds of encryption would take 100 ms for nothing.
        store.setEntry(
                alias,
                new KeyStore.PrivateKeyEntry(key, chain.toArray(X509Certificate[]::new)),
                new KeyStore.PasswordProtection(
                        NO_PASSWORD, "PBEWithHmacSHA256AndAES_128", new PBEParameterSpec(new byte[SALT_BYTES], 1)));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }
}
