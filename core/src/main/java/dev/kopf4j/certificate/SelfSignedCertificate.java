package dev.kopf4j.certificate;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A certificate of a server that is its own authority, and its key. Immutable.
 *
 * @param certificate the certificate
 * @param key its private key
 */
public record SelfSignedCertificate(X509Certificate certificate, PrivateKey key) {
    /**
     * Makes a certificate.
     *
     * @param names of the server
     * @param now when it begins to be valid; an hour earlier, as clocks differ
     * @param validity how long it is valid from now on
     */
    public static SelfSignedCertificate make(ServerNames names, Instant now, Duration validity) {
        try {
            KeyPair keys = CertificateForm.newKeys();
            List<byte[]> extensions = List.of(
                    CertificateExtensions.authority(),
                    CertificateExtensions.allUsages(),
                    CertificateExtensions.serversAndClients(),
                    CertificateExtensions.keyId(keys.getPublic()),
                    CertificateExtensions.alternativeNames(names));
            CertificateForm form =
                    new CertificateForm(names.commonName(), keys.getPublic(), now, now.plus(validity), extensions);
            return new SelfSignedCertificate(form.signedByItself(keys.getPrivate()), keys.getPrivate());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot make certificates of the curve P-256: " + e, e);
        }
    }

    /** The certificate as PEM. */
    public String certificatePem() {
        return PemWriter.certificate(certificate);
    }
}
