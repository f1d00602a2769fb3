package dev.kopf4j.client.tls;

import dev.kopf4j.ConnectionInfo;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import org.jspecify.annotations.Nullable;

/** The client certificate and the private key of a credential. */
final class ClientKeys {
    private ClientKeys() {}

    /** Null if the credential has no client certificate or no key. */
    static KeyManager @Nullable [] keyManagers(ConnectionInfo info) throws GeneralSecurityException, IOException {
        List<X509Certificate> chain = certificates(info);
        String key = PemText.of("client key", info.privateKeyPath(), info.privateKeyData());
        if (chain.isEmpty() || key == null) {
            return null;
        }
        PrivateKey privateKey = PemReader.privateKey("client key", key);
        KeyStore store = KeyStores.empty();
        store.setKeyEntry("client", privateKey, KeyStores.NO_PASSWORD, chain.toArray(X509Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, KeyStores.NO_PASSWORD);
        return factory.getKeyManagers();
    }

    /** The client's certificate, followed by those of its issuers; empty if the credential has none. */
    static List<X509Certificate> certificates(ConnectionInfo info) throws GeneralSecurityException {
        String pem = PemText.of("client certificate", info.certificatePath(), info.certificateData());
        return pem == null ? List.of() : PemReader.certificates("client certificate", pem);
    }
}
