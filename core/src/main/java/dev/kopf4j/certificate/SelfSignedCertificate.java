package dev.kopf4j.certificate;

import java.io.ByteArrayInputStream;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.Signature;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/**
 * A certificate of a server that is its own authority, and its key. Immutable.
 *
 * <p>The key is of the curve P-256, which all API servers accept, and for which they are quicker than with RSA. See RFC
 * 5280 for the structure, RFC 5758 for the signature.
 *
 * @param certificate the certificate
 * @param key its private key
 */
public record SelfSignedCertificate(X509Certificate certificate, PrivateKey key) {
    private static final byte[] ECDSA_WITH_SHA256 = DerWriter.sequence(DerWriter.identifier("1.2.840.10045.4.3.2"));
    private static final String SERVER_AUTH = "1.3.6.1.5.5.7.3.1";
    private static final String CLIENT_AUTH = "1.3.6.1.5.5.7.3.2";

    /** digitalSignature, keyEncipherment, keyCertSign, cRLSign: bits 0, 2, 5, 6. */
    private static final byte[] KEY_USAGE = DerWriter.bits(1, new byte[] {(byte) 0b1010_0110});

    /** Clocks of other machines are late. */
    private static final Duration CLOCK_SKEW = Duration.ofHours(1);

    private static final int SERIAL_BITS = 127;

    /**
     * Makes a certificate.
     *
     * @param names of the server
     * @param now when it begins to be valid; an hour earlier, as clocks differ
     * @param validity how long it is valid from now on
     */
    public static SelfSignedCertificate make(ServerNames names, Instant now, Duration validity) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"));
            KeyPair keys = generator.generateKeyPair();
            byte[] content = content(names, keys, now.minus(CLOCK_SKEW), now.plus(validity));
            byte[] signed = DerWriter.sequence(
                    content, ECDSA_WITH_SHA256, DerWriter.bits(0, signature(keys.getPrivate(), content)));
            return new SelfSignedCertificate(parsed(signed), keys.getPrivate());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("this JDK cannot make certificates of the curve P-256: " + e, e);
        }
    }

    private static byte[] content(ServerNames names, KeyPair keys, Instant from, Instant until)
            throws GeneralSecurityException {
        byte[] name = name(names.commonName());
        return DerWriter.sequence(
                DerWriter.element(0xa0, DerWriter.integer(BigInteger.TWO)), // version 3
                DerWriter.integer(new BigInteger(SERIAL_BITS, new SecureRandom()).add(BigInteger.ONE)),
                ECDSA_WITH_SHA256,
                name,
                DerWriter.sequence(DerWriter.time(from), DerWriter.time(until)),
                name,
                keys.getPublic().getEncoded(),
                DerWriter.element(0xa3, extensions(names, keys)));
    }

    /** A name that consists of a common name (2.5.4.3). */
    private static byte[] name(String commonName) {
        return DerWriter.sequence(
                DerWriter.set(DerWriter.sequence(DerWriter.identifier("2.5.4.3"), DerWriter.text(commonName))));
    }

    private static byte[] extensions(ServerNames names, KeyPair keys) throws GeneralSecurityException {
        byte[] usages = DerWriter.sequence(DerWriter.identifier(SERVER_AUTH), DerWriter.identifier(CLIENT_AUTH));
        byte[] keyId =
                MessageDigest.getInstance("SHA-1").digest(keys.getPublic().getEncoded());
        return DerWriter.sequence(
                critical("2.5.29.19", DerWriter.sequence(DerWriter.yes())), // basicConstraints: an authority
                critical("2.5.29.15", KEY_USAGE),
                extension("2.5.29.37", usages),
                extension("2.5.29.14", DerWriter.octets(keyId)),
                extension("2.5.29.17", DerWriter.sequence(alternativeNames(names))));
    }

    private static List<byte[]> alternativeNames(ServerNames names) {
        List<byte[]> all = new ArrayList<>();
        names.hosts().forEach(host -> all.add(DerWriter.element(0x82, host.getBytes(StandardCharsets.US_ASCII))));
        names.addresses().forEach(address -> all.add(DerWriter.element(0x87, address.getAddress())));
        return all;
    }

    private static byte[] critical(String id, byte[] value) {
        return DerWriter.sequence(DerWriter.identifier(id), DerWriter.yes(), DerWriter.octets(value));
    }

    private static byte[] extension(String id, byte[] value) {
        return DerWriter.sequence(DerWriter.identifier(id), DerWriter.octets(value));
    }

    private static byte[] signature(PrivateKey key, byte[] content) throws GeneralSecurityException {
        Signature signature = Signature.getInstance("SHA256withECDSA");
        signature.initSign(key);
        signature.update(content);
        return signature.sign();
    }

    private static X509Certificate parsed(byte[] der) throws GeneralSecurityException {
        return (X509Certificate)
                CertificateFactory.getInstance("X.509").generateCertificate(new ByteArrayInputStream(der));
    }

    /** The certificate as PEM. */
    public String certificatePem() {
        return PemWriter.certificate(certificate);
    }
}
