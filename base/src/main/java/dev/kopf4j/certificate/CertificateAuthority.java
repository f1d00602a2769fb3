package dev.kopf4j.certificate;

import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;

/**
 * An authority that signs certificates of servers, with a key of the curve P-256. Immutable. The text form shows no
 * secrets.
 *
 * @param certificate its own certificate, which clients trust
 * @param key its private key
 */
public record CertificateAuthority(X509Certificate certificate, PrivateKey key) {
    private static final int ID_BYTES = 4;

    /**
     * A certificate that an authority has signed, or its own key, and that key.
     *
     * @param certificate the certificate
     * @param key its private key
     */
    public record Issued(X509Certificate certificate, PrivateKey key) {
        /** The certificate as PEM. */
        public String certificatePem() {
            return PemWriter.certificate(certificate);
        }

        @Override
        public String toString() {
            return "Issued[" + certificate.getSubjectX500Principal() + "]";
        }
    }

    /**
     * Makes an authority. Its name is unlike that of others, so that clients that know several find the right one.
     *
     * @param name the beginning of its name
     * @param now when it begins to be valid; an hour earlier, as clocks differ
     * @param validity how long it is valid from now on
     */
    public static CertificateAuthority make(String name, Instant now, Duration validity) {
        byte[] id = new byte[ID_BYTES];
        new SecureRandom().nextBytes(id);
        String unique = name + " " + HexFormat.of().formatHex(id);
        return attempt(() -> {
            KeyPair keys = CertificateForm.newKeys();
            List<byte[]> extensions = List.of(
                    CertificateForm.Extension.authority(),
                    CertificateForm.Extension.signing(),
                    CertificateForm.Extension.keyId(keys.getPublic()));
            CertificateForm form = new CertificateForm(unique, keys.getPublic(), now, now.plus(validity), extensions);
            return new CertificateAuthority(form.signedByItself(keys.getPrivate()), keys.getPrivate());
        });
    }

    /**
     * Makes a certificate of a server that is its own authority.
     *
     * @param names of the server
     * @param now when it begins to be valid; an hour earlier, as clocks differ
     * @param validity how long it is valid from now on
     */
    public static Issued selfSigned(ServerNames names, Instant now, Duration validity) {
        return attempt(() -> {
            KeyPair keys = CertificateForm.newKeys();
            List<byte[]> extensions = List.of(
                    CertificateForm.Extension.authority(),
                    CertificateForm.Extension.allUsages(),
                    CertificateForm.Extension.serversAndClients(),
                    CertificateForm.Extension.keyId(keys.getPublic()),
                    CertificateForm.Extension.alternativeNames(names));
            CertificateForm form =
                    new CertificateForm(names.commonName(), keys.getPublic(), now, now.plus(validity), extensions);
            return new Issued(form.signedByItself(keys.getPrivate()), keys.getPrivate());
        });
    }

    /**
     * Signs a certificate for a new key. It ends with the authority at the latest.
     *
     * @param names of the server
     * @param now when it begins to be valid; an hour earlier, as clocks differ
     * @param validity how long it is valid from now on
     */
    public Issued issue(ServerNames names, Instant now, Duration validity) {
        Instant wanted = now.plus(validity);
        Instant until = wanted.isBefore(end()) ? wanted : end();
        return attempt(() -> {
            KeyPair keys = CertificateForm.newKeys();
            List<byte[]> extensions = List.of(
                    CertificateForm.Extension.noAuthority(),
                    CertificateForm.Extension.connecting(),
                    CertificateForm.Extension.servers(),
                    CertificateForm.Extension.keyId(keys.getPublic()),
                    CertificateForm.Extension.authorityKeyId(certificate.getPublicKey()),
                    CertificateForm.Extension.alternativeNames(names));
            CertificateForm form = new CertificateForm(names.commonName(), keys.getPublic(), now, until, extensions);
            return new Issued(form.signedBy(certificate, key), keys.getPrivate());
        });
    }

    /** When it was made. */
    public Instant madeAt() {
        return certificate.getNotBefore().toInstant().plus(CertificateForm.CLOCK_SKEW);
    }

    /** When it ends. */
    public Instant end() {
        return certificate.getNotAfter().toInstant();
    }

    /** Its certificate as PEM. */
    public String certificatePem() {
        return PemWriter.certificate(certificate);
    }

    /** Its key as PEM, in PKCS #8. */
    public String keyPem() {
        return PemWriter.key(key);
    }

    private interface Making<T> {
        T make() throws GeneralSecurityException;
    }

    private static <T> T attempt(Making<T> making) {
        try {
            return making.make();
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot make certificates of the curve P-256: " + e, e);
        }
    }

    @Override
    public String toString() {
        return "CertificateAuthority[" + certificate.getSubjectX500Principal() + " until " + end() + "]";
    }
}
