package dev.kopf4j.client.tls;

import java.net.Socket;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedTrustManager;

/**
 * Trusts what another trust manager trusts, but expects a given name in the server's certificate instead of the URL's
 * host: {@code tls-server-name} of a kubeconfig, for servers behind tunnels.
 */
final class ServerNameTrustManager extends X509ExtendedTrustManager {
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
