package dev.kopf4j.certificate;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A certificate before it is signed. Immutable. See RFC 5280 for the structure, RFC 5758 for the signature.
 *
 * @param subject whose it is: a common name
 * @param key of the subject
 * @param now when it begins to be valid; an hour earlier, as clocks differ
 * @param until when it ends
 * @param extensions what else it says
 */
record CertificateForm(String subject, PublicKey key, Instant now, Instant until, List<byte[]> extensions) {
    private static final byte[] ECDSA_WITH_SHA256 = DerWriter.sequence(DerWriter.identifier("1.2.840.10045.4.3.2"));

    /** Clocks of other machines are late. */
    static final Duration CLOCK_SKEW = Duration.ofHours(1);

    private static final int SERIAL_BITS = 127;

    /** A new key of the curve P-256, which all API servers accept, and for which they are quicker than with RSA. */
    static KeyPair newKeys() throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(new ECGenParameterSpec("secp256r1"));
        return generator.generateKeyPair();
    }

    /** The certificate of an authority, signed by itself. */
    X509Certificate signedByItself(PrivateKey own) throws GeneralSecurityException {
        return signed(name(subject), own);
    }

    /** The certificate, signed by the authority that has this certificate and key. */
    X509Certificate signedBy(X509Certificate issuer, PrivateKey issuerKey) throws GeneralSecurityException {
        return signed(issuer.getSubjectX500Principal().getEncoded(), issuerKey);
    }

    private X509Certificate signed(byte[] issuer, PrivateKey issuerKey) throws GeneralSecurityException {
        byte[] content = content(issuer);
        byte[] der = DerWriter.sequence(content, ECDSA_WITH_SHA256, DerWriter.bits(0, signature(issuerKey, content)));
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
    }

    private byte[] content(byte[] issuer) {
        return DerWriter.sequence(
                DerWriter.element(0xa0, DerWriter.integer(BigInteger.TWO)), // version 3
                DerWriter.integer(new BigInteger(SERIAL_BITS, new SecureRandom()).add(BigInteger.ONE)),
                ECDSA_WITH_SHA256,
                issuer,
                DerWriter.sequence(DerWriter.time(now.minus(CLOCK_SKEW)), DerWriter.time(until)),
                name(subject),
                key.getEncoded(),
                DerWriter.element(0xa3, DerWriter.sequence(extensions)));
    }

    /** A name that consists of a common name (2.5.4.3). */
    private static byte[] name(String commonName) {
        return DerWriter.sequence(
                DerWriter.set(DerWriter.sequence(DerWriter.identifier("2.5.4.3"), DerWriter.text(commonName))));
    }

    private static byte[] signature(PrivateKey key, byte[] content) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(key);
        signature.update(content);
        return signature.sign();
    }
}
