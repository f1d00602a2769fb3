package dev.kopf4j.devcluster.http;

import dev.kopf4j.devcluster.certificate.TlsCertificates.CertificateAuthority.PemEncoding;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** What a client makes of the certificates in a kubeconfig. */
final class Certificates {
    private Certificates() {}

    private static String data(String kubeconfig, String key) {
        Matcher found = Pattern.compile(key + ": (\\S+)").matcher(kubeconfig);
        if (!found.find()) {
            throw new AssertionError(key + " is missing in " + kubeconfig);
        }
        return new String(Base64.getDecoder().decode(found.group(1)), StandardCharsets.US_ASCII);
    }

    private static Certificate certificate(String pem) throws GeneralSecurityException {
        return CertificateFactory.getInstance("X.509")
                .generateCertificate(new ByteArrayInputStream(pem.getBytes(StandardCharsets.US_ASCII)));
    }

    static SSLContext context(String kubeconfig) throws GeneralSecurityException, IOException {
        Certificate authority = certificate(data(kubeconfig, "certificate-authority-data"));
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("ca", authority);
        TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        trust.init(store);
        PrivateKey key = KeyFactory.getInstance("EC")
                .generatePrivate(
                        new PKCS8EncodedKeySpec(PemEncoding.read(data(kubeconfig, "client-key-data"), "PRIVATE KEY")));
        KeyStore own = KeyStore.getInstance("PKCS12");
        own.load(null, null);
        Certificate[] chain = {certificate(data(kubeconfig, "client-certificate-data"))};
        own.setKeyEntry("client", key, new char[0], chain);
        KeyManagerFactory keys = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        keys.init(own, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), trust.getTrustManagers(), null);
        return context;
    }
}
