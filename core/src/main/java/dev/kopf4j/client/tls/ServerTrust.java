package dev.kopf4j.client.tls;

import dev.kopf4j.ConnectionInfo;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Which servers a credential trusts: all of them, those of its certificate authority, or those that the JDK trusts;
 * with another server name if it gives one.
 */
final class ServerTrust {
    private ServerTrust() {}

    /** Null for the JDK's own. */
    static TrustManager @Nullable [] trustManagers(ConnectionInfo info) throws GeneralSecurityException, IOException {
        if (info.insecure()) {
            return new TrustManager[] {new InsecureTrustManager()};
        }
        String pem = PemText.of("certificate authority", info.caPath(), info.caData());
        String name = info.tlsServerName();
        if (pem == null) {
            return name == null ? null : named(name, factory(null));
        }
        TrustManagerFactory factory = factory(store(pem));
        return name == null ? factory.getTrustManagers() : named(name, factory);
    }

    private static KeyStore store(String pem) throws GeneralSecurityException, IOException {
        KeyStore store = KeyStores.empty();
        int number = 0;
        for (X509Certificate certificate : PemReader.certificates("certificate authority", pem)) {
            store.setCertificateEntry("ca-" + number++, certificate);
        }
        return store;
    }

    /** Null for the certificates of the JDK. */
    private static TrustManagerFactory factory(@Nullable KeyStore store) throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return factory;
    }

    private static TrustManager[] named(String name, TrustManagerFactory factory) {
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509ExtendedTrustManager trust) {
                return new TrustManager[] {new ServerNameTrustManager(trust, name)};
            }
        }
        throw new IllegalArgumentException("this JDK cannot check the server's name '" + name + "' (tls-server-name)");
    }
}
