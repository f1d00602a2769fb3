package dev.kopf4j.client.tls;

import dev.kopf4j.client.tls.ServerTrust.InsecureTrustManager;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Optional;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManager;

/** Asks a server for the certificate that it shows to everybody. */
public final class ServerCertificate {
    private static final int HTTPS = 443;

    private ServerCertificate() {}

    /**
     * Connects directly, without a proxy, sends nothing, and believes anything.
     *
     * @param timeout of each step
     * @return empty if the server has no TLS
     * @throws IOException if it cannot be reached
     */
    public static Optional<X509Certificate> of(URI server, Duration timeout)
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
            context.init(null, new TrustManager[] {new InsecureTrustManager()}, null);
            try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(plain, host, port, true)) {
                socket.startHandshake();
                return Optional.of((X509Certificate) socket.getSession().getPeerCertificates()[0]);
            }
        }
    }
}
