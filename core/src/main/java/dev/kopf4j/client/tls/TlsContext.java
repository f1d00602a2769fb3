package dev.kopf4j.client.tls;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.certificate.KeyStores;
import dev.kopf4j.certificate.PemReader;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Makes the TLS context of a credential, of the trusted servers ({@link ServerTrust}) and the client's own certificate
 * ({@link ClientKeys}). Pure, but for the files that are read, and {@link #shownBy}.
 *
 * <p>All others throw {@link IllegalArgumentException} if a certificate or key cannot be read; the message names it.
 */
public final class TlsContext {
    private static final int HTTPS = 443;

    /** For plain HTTP: reading the system's certificates for nothing would take a megabyte. */
    private static final TrustManager[] NONE = {};

    private TlsContext() {}

    /** Makes the whole context, or takes the one that the login has given. */
    public static SSLContext of(ConnectionInfo info) {
        SSLContext given = info.sslContext();
        return given != null ? given : made(info);
    }

    private static SSLContext made(ConnectionInfo info) {
        return read(info, () -> {
            SSLContext context = SSLContext.getInstance("TLS");
            TrustManager[] trusted = info.server().startsWith("http:") ? NONE : ServerTrust.trustManagers(info);
            context.init(ClientKeys.keyManagers(info), trusted, null);
            return context;
        });
    }

    /** Reads the client's certificate, valid or not; empty if the credential has none. */
    public static Optional<X509Certificate> clientCertificate(ConnectionInfo info) {
        return read(info, () -> ClientKeys.certificates(info).stream().findFirst());
    }

    /**
     * Reads the authorities that a credential trusts, by which two clusters differ; empty if it does not name them, or
     * they cannot be read, of which whoever connects tells.
     */
    public static Set<X509Certificate> authorities(ConnectionInfo info) {
        if (info.insecure() || info.sslContext() != null) {
            return Set.of();
        }
        try {
            return read(info, () -> {
                String pem = PemReader.text("certificate authority", info.caPath(), info.caData());
                return pem == null ? Set.of() : Set.copyOf(PemReader.certificates("certificate authority", pem));
            });
        } catch (IllegalArgumentException e) {
            return Set.of();
        }
    }

    /**
     * Asks a server for the certificate that it shows to everybody: connects directly, without a proxy, sends nothing,
     * and believes anything.
     *
     * @param timeout of each step
     * @return empty if the server has no TLS
     * @throws IOException if it cannot be reached
     */
    public static Optional<X509Certificate> shownBy(URI server, Duration timeout)
            throws IOException, GeneralSecurityException {
        if (!"https".equals(server.getScheme()) || server.getHost() == null) {
            return Optional.empty();
        }
        int port = server.getPort() < 0 ? HTTPS : server.getPort();
        String host = server.getHost().replaceAll("[\\[\\]]", "");
        try (Socket plain = new Socket()) {
            plain.setSoTimeout((int) timeout.toMillis());
            plain.connect(new InetSocketAddress(host, port), (int) timeout.toMillis());
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new ServerTrust.InsecureTrustManager()}, null);
            try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, host, port, true)) {
                socket.startHandshake();
                return Optional.of((X509Certificate) socket.getSession().getPeerCertificates()[0]);
            }
        }
    }

    private interface Reading<T extends @Nullable Object> {
        T read() throws GeneralSecurityException, IOException;
    }

    private static <T extends @Nullable Object> T read(ConnectionInfo info, Reading<T> reading) {
        try {
            return reading.read();
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException(
                    "the certificates for " + info.server() + " cannot be used: " + e.getMessage(), e);
        }
    }

    /** The client certificate and the private key of a credential. */
    private static final class ClientKeys {
        private ClientKeys() {}

        /** Null if the credential has no client certificate or no key. */
        static KeyManager @Nullable [] keyManagers(ConnectionInfo info) throws GeneralSecurityException, IOException {
            List<X509Certificate> chain = certificates(info);
            String key = PemReader.text("client key", info.privateKeyPath(), info.privateKeyData());
            if (chain.isEmpty() || key == null) {
                return null;
            }
            PrivateKey privateKey = PemReader.privateKey("client key", key);
            return KeyStores.showing("client", chain, privateKey);
        }

        /** The client's certificate, followed by those of its issuers; empty if the credential has none. */
        static List<X509Certificate> certificates(ConnectionInfo info) throws GeneralSecurityException {
            String pem = PemReader.text("client certificate", info.certificatePath(), info.certificateData());
            return pem == null ? List.of() : PemReader.certificates("client certificate", pem);
        }
    }

    /**
     * Which servers a credential trusts: all of them, those of its certificate authority, or those that the JDK trusts;
     * with another server name if it gives one.
     */
    private static final class ServerTrust {
        private ServerTrust() {}

        /** Null for the JDK's own. */
        static TrustManager @Nullable [] trustManagers(ConnectionInfo info)
                throws GeneralSecurityException, IOException {
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
            throw new IllegalArgumentException(
                    "this JDK cannot check the server's name '" + name + "' (tls-server-name)");
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
                boolean wildcard = candidate.startsWith("*.")
                        && dot > 0
                        && name.substring(dot).equals(candidate.substring(1));
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
         * Trusts every server: {@code insecure-skip-tls-verify} of a kubeconfig. It is an extended trust manager
         * because the JDK adds a check of the host's name to the other ones.
         */
        private static final class InsecureTrustManager extends X509ExtendedTrustManager {
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
}
