package dev.kopf4j.certificate;

import dev.kopf4j.certificate.CertificateForm.Curve;
import dev.kopf4j.certificate.CertificateForm.Extension;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import javax.security.auth.x500.X500Principal;

/**
 * An authority that signs certificates of servers and clients, with a key of the curve P-256 or P-384. Immutable. The
 * text form shows no secrets.
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

        /** Its key as PEM, in PKCS #8. */
        public String keyPem() {
            return PemWriter.key(key);
        }

        @Override
        public String toString() {
            return "Issued[" + certificate.getSubjectX500Principal() + "]";
        }
    }

    /**
     * Makes an authority with a key of P-256. Its name is unlike that of others, so that clients that know several find
     * the right one.
     *
     * @param name the beginning of its name
     * @param now when it begins to be valid; an hour earlier, as clocks differ
     * @param validity how long it is valid from now on
     */
    public static CertificateAuthority make(String name, Instant now, Duration validity) {
        return make(name, Curve.P_256, now, validity);
    }

    /**
     * Makes an authority as {@link #make} does, with a key of P-384, as those have that it issues: a fresh JVM needs
     * less time for the first of them, as the JDK prepares a table for P-256.
     */
    public static CertificateAuthority makeInFreshJvm(String name, Instant now, Duration validity) {
        return make(name, Curve.P_384, now, validity);
    }

    private static CertificateAuthority make(String name, Curve curve, Instant now, Duration validity) {
        byte[] id = new byte[ID_BYTES];
        new SecureRandom().nextBytes(id);
        String unique = name + " " + HexFormat.of().formatHex(id);
        return attempt(() -> {
            KeyPair keys = curve.newKeys();
            List<byte[]> extensions =
                    List.of(Extension.authority(), Extension.signing(), Extension.keyId(keys.getPublic()));
            CertificateForm form = new CertificateForm(
                    CertificateForm.name(unique, List.of()), keys.getPublic(), now, now.plus(validity), extensions);
            return new CertificateAuthority(form.signedByItself(keys.getPrivate()), keys.getPrivate());
        });
    }

    /**
     * Makes a certificate of a server that is its own authority, with a key of P-256.
     *
     * @param names of the server
     * @param now when it begins to be valid; an hour earlier, as clocks differ
     * @param validity how long it is valid from now on
     */
    public static Issued selfSigned(ServerNames names, Instant now, Duration validity) {
        return attempt(() -> {
            KeyPair keys = Curve.P_256.newKeys();
            List<byte[]> extensions = List.of(
                    Extension.authority(),
                    Extension.allUsages(),
                    Extension.serversAndClients(),
                    Extension.keyId(keys.getPublic()),
                    Extension.alternativeNames(names));
            CertificateForm form = new CertificateForm(
                    CertificateForm.name(names.commonName(), List.of()),
                    keys.getPublic(),
                    now,
                    now.plus(validity),
                    extensions);
            return new Issued(form.signedByItself(keys.getPrivate()), keys.getPrivate());
        });
    }

    /**
     * Signs a certificate of a server, for a new key. It ends with the authority at the latest.
     *
     * @param names of the server
     * @param now when it begins to be valid; an hour earlier, as clocks differ
     * @param validity how long it is valid from now on
     */
    public Issued issue(ServerNames names, Instant now, Duration validity) {
        return issue(
                CertificateForm.name(names.commonName(), List.of()),
                now,
                validity,
                List.of(Extension.connecting(), Extension.servers(), Extension.alternativeNames(names)));
    }

    /**
     * Signs a certificate of a client, for a new key. It ends with the authority at the latest.
     *
     * @param user its common name
     * @param groups its organizations: see "X509 client certificates" in Kubernetes' documentation
     * @param now when it begins to be valid; an hour earlier, as clocks differ
     * @param validity how long it is valid from now on
     */
    public Issued issueToClient(String user, List<String> groups, Instant now, Duration validity) {
        return issue(
                CertificateForm.name(user, groups),
                now,
                validity,
                List.of(Extension.connecting(), Extension.clients()));
    }

    /**
     * Signs a certificate of a client, for a key that the client has. It ends with the authority at the latest.
     *
     * @param subject its common name is the user, its organizations are the groups
     * @param clientKey the key
     * @param enciphersKeys whether the key may encipher others, as RSA keys do in old versions of TLS
     * @param now when it begins to be valid; an hour earlier, as clocks differ
     * @param validity how long it is valid from now on
     */
    public X509Certificate signForClient(
            X500Principal subject, PublicKey clientKey, boolean enciphersKeys, Instant now, Duration validity) {
        byte[] usage = enciphersKeys ? Extension.connectingAndKeys() : Extension.connecting();
        return attempt(() -> sign(subject, clientKey, now, validity, List.of(usage, Extension.clients())));
    }

    private Issued issue(X500Principal subject, Instant now, Duration validity, List<byte[]> purpose) {
        return attempt(() -> {
            KeyPair keys = Curve.of(key).newKeys();
            return new Issued(sign(subject, keys.getPublic(), now, validity, purpose), keys.getPrivate());
        });
    }

    private X509Certificate sign(
            X500Principal subject, PublicKey subjectKey, Instant now, Duration validity, List<byte[]> purpose)
            throws GeneralSecurityException {
        Instant wanted = now.plus(validity);
        Instant until = wanted.isBefore(end()) ? wanted : end();
        List<byte[]> extensions = new ArrayList<>(List.of(
                Extension.noAuthority(),
                Extension.keyId(subjectKey),
                Extension.authorityKeyId(certificate.getPublicKey())));
        extensions.addAll(purpose);
        return new CertificateForm(subject, subjectKey, now, until, extensions).signedBy(certificate, key);
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
            throw new IllegalStateException("this JDK cannot make certificates of elliptic curves: " + e, e);
        }
    }

    @Override
    public String toString() {
        return "CertificateAuthority[" + certificate.getSubjectX500Principal() + " until " + end() + "]";
    }
}
