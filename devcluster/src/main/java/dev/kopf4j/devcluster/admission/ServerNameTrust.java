package dev.kopf4j.devcluster.admission;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509ExtendedTrustManager;
import javax.net.ssl.X509TrustManager;

/** Trusts servers whose certificate is for a given name, whatever address they were reached by. Thread-safe. */
final class ServerNameTrust extends X509ExtendedTrustManager {
    private static final int DNS_NAME = 2;
    private final X509TrustManager chains;
    private final String serverName;

    private ServerNameTrust(X509TrustManager chains, String serverName) {
        this.chains = chains;
        this.serverName = serverName;
    }

    /** The same trust in chains, with another rule for names. */
    static TrustManager[] of(TrustManager[] trust, String serverName) {
        return new TrustManager[] {new ServerNameTrust((X509TrustManager) trust[0], serverName)};
    }

    @Override
    public void checkServerTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        chains.checkServerTrusted(chain, authType);
        Collection<List<?>> names =
                Optional.ofNullable(chain[0].getSubjectAlternativeNames()).orElse(List.of());
        List<String> hosts = names.stream()
                .filter(name -> name.get(0).equals(DNS_NAME))
                .map(name -> String.valueOf(name.get(1)))
                .toList();
        if (hosts.stream().noneMatch(this::isMet)) {
            throw new CertificateException(
                    "certificate is valid for " + String.join(", ", hosts) + ", not " + serverName);
        }
    }

    /** A star stands for the first part of a name (RFC 6125, 6.4.3). */
    private boolean isMet(String host) {
        String pattern = host.toLowerCase(Locale.ROOT);
        return pattern.equals(serverName)
                || (pattern.startsWith("*.")
                        && serverName.indexOf('.') > 0
                        && pattern.substring(1).equals(serverName.substring(serverName.indexOf('.'))));
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
    public void checkClientTrusted(X509Certificate[] chain, String authType) throws CertificateException {
        chains.checkClientTrusted(chain, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, SSLEngine engine)
            throws CertificateException {
        chains.checkClientTrusted(chain, authType);
    }

    @Override
    public void checkClientTrusted(X509Certificate[] chain, String authType, Socket socket)
            throws CertificateException {
        chains.checkClientTrusted(chain, authType);
    }

    @Override
    public X509Certificate[] getAcceptedIssuers() {
        return chains.getAcceptedIssuers();
    }
}
