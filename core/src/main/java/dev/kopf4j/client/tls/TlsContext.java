package dev.kopf4j.client.tls;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.text.FileProblem;
import java.io.IOException;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509ExtendedTrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Makes the TLS context of a credential: whom to trust, and who we are. Its parts are for integrations' own clients.
 */
public final class TlsContext {
    private static final char[] NO_PASSWORD = new char[0];

    /** Without TLS: the system's certificates would be read for nothing, and take a megabyte. */
    private static final TrustManager[] NOBODY = {};

    private final ConnectionInfo info;

    private TlsContext(ConnectionInfo info) {
        this.info = info;
    }

    /** The context; throws {@link IllegalArgumentException} naming what cannot be read. */
    public static SSLContext of(ConnectionInfo info) {
        return new TlsContext(info).made(parts -> {
            SSLContext context = SSLContext.getInstance("TLS");
            TrustManager[] trusted = info.server().startsWith("http:") ? NOBODY : parts.trustManagers();
            context.init(parts.keyManagers(), trusted, null);
            return context;
        });
    }

    /** Who we are; null for no client certificate. Throws as {@link #of} does. */
    public static KeyManager @Nullable [] keyManagers(ConnectionInfo info) {
        return new TlsContext(info).made(TlsContext::keyManagers);
    }

    /** Whom to trust; null for the system's. Throws as {@link #of} does. */
    public static TrustManager @Nullable [] trustManagers(ConnectionInfo info) {
        return new TlsContext(info).made(TlsContext::trustManagers);
    }

    /** The certificate that says who we are, whether it is still valid or not. Throws as {@link #of} does. */
    public static Optional<X509Certificate> clientCertificate(ConnectionInfo info) {
        return new TlsContext(info)
                .made(parts -> parts.clientCertificates().stream().findFirst());
    }

    private interface Making<T extends @Nullable Object> {
        T of(TlsContext parts) throws GeneralSecurityException, IOException;
    }

    private <T extends @Nullable Object> T made(Making<T> making) {
        try {
            return making.of(this);
        } catch (GeneralSecurityException | IOException e) {
            throw new IllegalArgumentException(
                    "the certificates for " + info.server() + " cannot be used: " + e.getMessage(), e);
        }
    }

    /** Null for the system's. */
    private TrustManager @Nullable [] trustManagers() throws GeneralSecurityException, IOException {
        if (info.insecure()) {
            return new TrustManager[] {new InsecureTrustManager()};
        }
        String pem = text("certificate authority", info.caPath(), info.caData());
        if (pem == null) {
            return info.tlsServerName() == null ? null : named(defaultTrust());
        }
        KeyStore store = emptyStore();
        int number = 0;
        for (X509Certificate certificate : PemReader.certificates("certificate authority", pem)) {
            store.setCertificateEntry("ca-" + number++, certificate);
        }
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        return info.tlsServerName() == null ? factory.getTrustManagers() : named(factory);
    }

    private static TrustManagerFactory defaultTrust() throws GeneralSecurityException {
        TrustManagerFactory factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init((KeyStore) null);
        return factory;
    }

    private TrustManager[] named(TrustManagerFactory factory) {
        String name = Objects.requireNonNull(info.tlsServerName());
        for (TrustManager manager : factory.getTrustManagers()) {
            if (manager instanceof X509ExtendedTrustManager trust) {
                return new TrustManager[] {new ServerNameTrustManager(trust, name)};
            }
        }
        throw new IllegalArgumentException("this JDK cannot check the server's name '" + name + "' (tls-server-name)");
    }

    /** Null for no client certificate. */
    private KeyManager @Nullable [] keyManagers() throws GeneralSecurityException, IOException {
        List<X509Certificate> chain = clientCertificates();
        String key = text("client key", info.privateKeyPath(), info.privateKeyData());
        if (chain.isEmpty() || key == null) {
            return null;
        }
        PrivateKey privateKey = PemReader.privateKey("client key", key);
        KeyStore store = emptyStore();
        store.setKeyEntry("client", privateKey, NO_PASSWORD, chain.toArray(X509Certificate[]::new));
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(store, NO_PASSWORD);
        return factory.getKeyManagers();
    }

    /** With those that have issued it behind it; empty for none. */
    private List<X509Certificate> clientCertificates() throws GeneralSecurityException {
        String certificate = text("client certificate", info.certificatePath(), info.certificateData());
        return certificate == null ? List.of() : PemReader.certificates("client certificate", certificate);
    }

    private static KeyStore emptyStore() throws GeneralSecurityException, IOException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, NO_PASSWORD);
        return store;
    }

    private static @Nullable String text(String what, @Nullable String path, @Nullable String data) {
        if (path != null) {
            Path file = Path.of(path);
            try {
                return Files.readString(file, StandardCharsets.ISO_8859_1);
            } catch (IOException e) {
                throw new IllegalArgumentException(
                        "the file of the " + what + " cannot be read: " + file + ": " + FileProblem.describe(file, e),
                        e);
            }
        }
        return data == null || data.contains("-----BEGIN") ? data : decoded(what, data);
    }

    private static String decoded(String what, String data) {
        try {
            return new String(Base64.getMimeDecoder().decode(data), StandardCharsets.ISO_8859_1);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("the data of the " + what + " is neither PEM nor base64", e);
        }
    }

    /** An extended trust manager, because the JDK adds the check of the host's name to the other ones. */
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
