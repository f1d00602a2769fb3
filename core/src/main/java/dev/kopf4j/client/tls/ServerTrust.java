package dev.kopf4j.client.tls;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.certificate.KeyStores;
import dev.kopf4j.certificate.PemReader;
import java.io.IOException;
import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLEngine;
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
        String pem = PemReader.text("certificate authority", info.caPath(), info.caData());
        String name = info.tlsServerName();
        if (pem == null) {
            return name == null ? null : named(name, ofTheJdk());
        }
        TrustManagerFactory factory = KeyStores.trusting(PemReader.certificates("certificate authority", pem));
        return name == null ? factory.getTrustManagers() : named(name, factory);
    }

    /** The certificates of the JDK. */
    private static TrustManagerFactory ofTheJdk() throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init((KeyStore) null);
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

    /**
     * Trusts what another trust manager trusts, but expects a given name in the server's certificate instead of the
     * URL's host: {@code tls-server-name} of a kubeconfig, for servers behind tunnels.
     */
    private static final class ServerNameTrustManager extends X509ExtendedTrustManager {
        private static final Integer DNS_NAME = 2;
        private static final Integer IP_ADDRESS = 7;

        private final X509ExtendedTrustManager trust;
        private final String name;

        ServerNameTrustManager(X509ExtendedTrustManager trust, String name) {
            this.trust = trust;
            this.name = name.toLowerCase(Locale.ROOT);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
                throws CertificateException {
            checkServerTrusted(chain, authType);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket)
                throws CertificateException {
            checkServerTrusted(chain, authType);
        }

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            trust.checkServerTrusted(chain, authType);
            if (!isNamed(chain[0])) {
                throw new CertificateException("the server's certificate is not for '" + name
                        + "' (tls-server-name), but for " + chain[0].getSubjectAlternativeNames());
            }
        }

        private boolean isNamed(X509Certificate certificate) throws CertificateParsingException {
            Collection<List<?>> names = certificate.getSubjectAlternativeNames();
            return names != null && names.stream().anyMatch(this::matches);
        }

        private boolean matches(List<?> alternative) {
            String candidate = String.valueOf(alternative.get(1)).toLowerCase(Locale.ROOT);
            if (IP_ADDRESS.equals(alternative.get(0))) {
                return candidate.equals(name);
            }
            int dot = name.indexOf('.');
            boolean wildcard =
                    candidate.startsWith("*.") && dot > 0 && name.substring(dot).equals(candidate.substring(1));
            return DNS_NAME.equals(alternative.get(0)) && (candidate.equals(name) || wildcard);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
                throws CertificateException {
            trust.checkClientTrusted(chain, authType);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
                throws CertificateException {
            trust.checkClientTrusted(chain, authType);
        }

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
            trust.checkClientTrusted(chain, authType);
        }

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return trust.getAcceptedIssuers();
        }
    }

    /**
     * Trusts every server: {@code insecure-skip-tls-verify} of a kubeconfig. It is an extended trust manager because
     * the JDK adds a check of the host's name to the other ones.
     */
    static final class InsecureTrustManager extends X509ExtendedTrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, Socket socket) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType, SSLEngine engine) {}

        @Override
        public void checkClientTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String authType) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }
}
