package dev.kopf4j.client.tls;

import dev.kopf4j.ConnectionInfo;
import dev.kopf4j.certificate.KeyStores;
import dev.kopf4j.certificate.PemReader;
import java.io.IOException;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;
import java.util.Optional;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/**
 * Makes the TLS context of a credential, or its parts for the clients of other libraries: the trusted servers
 * ({@link ServerTrust}) and the client's own certificate ({@link ClientKeys}). Pure, but for the files that are read.
 *
 * <p>All methods throw {@link IllegalArgumentException} if a certificate or key cannot be read; the message names it.
 */
public final class TlsContext {
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

    /** Makes what presents the client's certificate; null if the credential has none. */
    public static KeyManager @Nullable [] keyManagers(ConnectionInfo info) {
        return TlsContext.<KeyManager @Nullable []>read(info, () -> ClientKeys.keyManagers(info));
    }

    /** Makes what checks the server's certificate; null for the JDK's own. */
    public static TrustManager @Nullable [] trustManagers(ConnectionInfo info) {
        return TlsContext.<TrustManager @Nullable []>read(info, () -> ServerTrust.trustManagers(info));
    }

    /** Reads the client's certificate, valid or not; empty if the credential has none. */
    public static Optional<X509Certificate> clientCertificate(ConnectionInfo info) {
        return read(info, () -> ClientKeys.certificates(info).stream().findFirst());
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
}
